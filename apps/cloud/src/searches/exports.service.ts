import { type Readable, Transform } from 'node:stream';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { type ExportFormat, type ExportQuery, exportQuery } from '@albedo/contract/searches/exports.api';
import { CSV_ROWS, type SearchQuery, searchQuery } from '@albedo/contract/telemetry/search.schema';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { CsvHow, Telemetry, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { fileName } from './mailed-file.ts';

export interface ExportsOptions {
  telemetry: Telemetry;
  registry: Pick<DeviceRegistry, 'known'>;
  sessions: Pick<Sessions, 'scopeNow'>;
  deviceGroups: Pick<DeviceGroups, 'scopeOf'>;
  longActions: LongActions;
}

const input = z.object({ workgroup: z.string(), table: z.string(), query: exportQuery });
type Input = z.output<typeof input>;
type LongActionRun = Parameters<LongActionKind<Input>['run']>[0];
type LongActionOutcome = Awaited<ReturnType<LongActionKind<Input>['run']>>;

const FILES: Readonly<Record<ExportFormat, { type: string; isLines: boolean }>> = {
  csv: { type: 'text/csv; charset=utf-8', isLines: true },
  jsonl: { type: 'application/x-ndjson', isLines: true },
  parquet: { type: 'application/vnd.apache.parquet', isLines: false },
};

/**
 * Files of many records, made as long actions: of what their owner can see when they are made. One at a time in a process,
 * since each keeps a reader of the engine busy.
 */
export class Exports {
  readonly #options: ExportsOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  readonly kind: LongActionKind<Input> = {
    kind: 'table-export',
    input,
    canCancel: true,
    run: (run) => this.#run(run),
  };

  /** Throws what a search with these words throws, so that nobody waits for what cannot be. */
  async begin(reader: TelemetryReader, table: string, query: ExportQuery, by: Actor): Promise<LongAction> {
    const { workgroup } = reader;
    await reader.search(table, { ...wanted(query), rows: 1 });
    const about = `${table} (${query.format})`;
    return this.#options.longActions.begin(this.kind, {
      input: { workgroup, table, query },
      about,
      workgroup,
      by,
    });
  }

  async #run(run: LongActionRun): Promise<LongActionOutcome> {
    const before = this.#last;
    const { promise: over, resolve: free } = Promise.withResolvers<void>();
    this.#last = over;
    try {
      await before;
      run.signal.throwIfAborted();
      const outcome = await this.#make(run);
      // The file is read after this; its end lets the next one begin.
      outcome.file?.bytes.once('close', free);
      return outcome;
    } catch (error) {
      free();
      throw error;
    }
  }

  async #make({ input: { workgroup, table, query }, by, signal, progress }: LongActionRun) {
    const { telemetry, registry, sessions, deviceGroups } = this.#options;
    const scope = await sessions.scopeNow(by.userId, workgroup);
    if (!scope) throw new AppError('table.not_found', { table });
    const devices = deviceGroups.scopeOf({ scopes: { [workgroup]: scope } }, workgroup);
    const reader = telemetry.forMember({ workgroup, scope, devices });
    const asked = wanted(query);
    const { totalRecords: total } = await reader.search(table, { ...asked, rows: 0 }, signal);
    const records = Math.min(total, CSV_ROWS);
    const { type, isLines } = FILES[query.format];
    const how = query.csv && { style: query.csv, devices: registry };
    const bytes = await bytesOf(reader, table, asked, query.format, signal, how);
    const counted = isLines ? counting(bytes, (lines) => progress(lines / Math.max(1, records))) : bytes;
    return {
      result: { records, total, format: query.format },
      file: { name: `${fileName(table)}.${query.format}`, type, bytes: counted },
    };
  }
}

const wanted = ({ format: _format, csv: _csv, ...query }: ExportQuery): SearchQuery => ({
  ...searchQuery.parse({}),
  ...query,
});

function bytesOf(
  reader: TelemetryReader,
  table: string,
  query: SearchQuery,
  format: ExportFormat,
  signal: AbortSignal,
  how: CsvHow | undefined,
): Promise<Readable> {
  if (format === 'csv') return reader.csv(table, query, signal, how);
  return reader.file(table, query, format === 'jsonl' ? 'JSONEachRow' : 'Parquet', signal);
}

/** Tells how many lines have passed. */
function counting(bytes: Readable, tell: (lines: number) => void): Readable {
  let lines = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      tell(lines);
      next(null, chunk);
    },
  });
  bytes.on('error', (error) => counter.destroy(error));
  counter.on('close', () => bytes.destroy());
  return bytes.pipe(counter);
}
