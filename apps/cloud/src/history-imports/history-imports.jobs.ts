import type { HistoryCounts } from '@albedo/contract/history-imports/history-imports.schema';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import type { LongActionKind } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { NumberedStream, Telemetry } from '../telemetry/telemetry.service.ts';
import { FaultList } from './fault-list.ts';
import { piecesOf } from './history-file.ts';
import type { HistoryImportsStore, HistoryRow } from './history-imports.store.ts';
import { NO_COUNTS } from './history-imports.store.ts';
import { columnsIn, type HistoryEvent, HistoryMapper } from './history-mapper.ts';
import { UnreadableFile } from './history-records.ts';
import { HistoryWriter, rangeOf } from './history-writer.ts';
import { StoredFile } from './stored-file.ts';

export interface HistoryJobsOptions {
  store: HistoryImportsStore;
  files: FileStore;
  telemetry: Telemetry;
  registry: Pick<DeviceRegistry, 'inWorkgroup'>;
  ledger: Pick<Ledger, 'noteImported'>;
  forecasts: Pick<ForecastTables, 'has'>;
  bus: Bus;
  tell: TellList;
}

export type HistoryAction = LongActionKind<{ id: string }>;

const input = z.object({ id: z.string() });
/** Events that are stored at once. */
const BATCH = 10_000;
const SIGN_OF_LIFE_MS = 2000;

export const faultsKey = (id: string): string => `history-imports/${id}/faults`;

/** Stores the events of a file. It begins anew when it is cut off; what is stored by then is known again. */
export const importing = (of: HistoryJobsOptions): HistoryAction => ({
  kind: 'history-import',
  input,
  canCancel: true,
  run: async ({ input: { id }, signal, progress }) => {
    const row = await of.store.byId(id);
    if (!row?.plan || !['running', 'failed', 'cancelled'].includes(row.state) || row.parts.length === 0)
      throw new AppError('history_import.busy');
    await of.store.set(id, { state: 'running', seenAt: new Date(), error: null });
    of.tell('history-imports', row.workgroup);
    const run = new ImportRun(of, row);
    try {
      await run.read(signal, progress);
    } catch (error) {
      const isCancelled = signal.aborted && (signal.reason as Error | undefined)?.name === 'Cancelled';
      if (signal.aborted && !isCancelled) throw error;
      const why = error instanceof UnreadableFile ? error.message : null;
      await run.end(isCancelled ? 'cancelled' : 'failed', why ?? (isCancelled ? null : FAILED));
      await run.faults.abandon();
      throw why === null ? error : new AppError('history_import.unreadable', { why });
    }
    const counts = await run.end('done', null);
    const faults = await run.faults.end();
    const file = faults && {
      name: `${row.name.replace(/[^\w.-]+/g, '_')}-faults.csv`,
      type: 'text/csv',
      bytes: faults,
    };
    return {
      result: counts,
      ...(file ? { file } : {}),
      afterwards: () => {
        void of.files.remove(faultsKey(id)).catch(() => {});
      },
    };
  },
});

const FAILED = 'Something went wrong while the file was read.';

class ImportRun {
  readonly #of: HistoryJobsOptions;
  readonly #row: HistoryRow;
  readonly #plan: NonNullable<HistoryRow['plan']>;
  readonly #mapper: HistoryMapper;
  readonly #writer: HistoryWriter;
  readonly faults: FaultList;
  #seenAt = Date.now();

  constructor(of: HistoryJobsOptions, row: HistoryRow) {
    const plan = row.plan as NonNullable<HistoryRow['plan']>;
    this.#of = of;
    this.#row = row;
    this.#plan = plan;
    this.faults = new FaultList(of.files, faultsKey(row.id));
    const deviceOf = devicesBy(plan, of.registry.inWorkgroup(row.workgroup));
    this.#mapper = new HistoryMapper(plan, deviceOf, (fault) => this.faults.add(fault), {
      holdsForecasts: (table) => of.forecasts.has(row.workgroup, table),
    });
    this.#writer = new HistoryWriter({
      telemetry: of.telemetry,
      workgroup: row.workgroup,
      mapping: plan.mapping,
      range: rangeOf(row.serial),
      skips: plan.existing === 'skip',
    });
  }

  async read(signal: AbortSignal, progress: (fraction: number) => void): Promise<void> {
    const { format, parts } = this.#row;
    const file = new StoredFile(this.#of.files, parts);
    let events: HistoryEvent[] = [];
    for await (const { records, fraction } of piecesOf(file, format, { columns: columnsIn(this.#plan) })) {
      for (const record of records) {
        const event = this.#mapper.event(record);
        if (event) events.push(event);
        if (events.length < BATCH) continue;
        signal.throwIfAborted();
        await this.#writer.write(events);
        events = [];
      }
      signal.throwIfAborted();
      await this.faults.settle();
      progress(fraction);
      await this.#sign();
    }
    await this.#writer.write(events);
    signal.throwIfAborted();
  }

  /** Counts in the store what came in, and tells those who have to know. */
  async end(state: 'done' | 'cancelled' | 'failed', error: string | null): Promise<HistoryCounts> {
    const { store, telemetry, files, tell } = this.#of;
    const { id, workgroup, serial, parts } = this.#row;
    const streams = await telemetry.asSystem('history import').numbered(workgroup, rangeOf(serial));
    const stored = streams.reduce((sum, { events }) => sum + events, 0);
    await noteInLedger(this.#of, this.#row, streams);
    tellLate(this.#of.bus, streams);
    const counts = { ...this.#counts(), stored };
    counts.repeated = state === 'done' ? counts.events - counts.existing - stored : 0;
    const times = streams.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]);
    const [firstAt, lastAt] = times.reduce(
      ([least, most], at) => [Math.min(least, at), Math.max(most, at)],
      [Number.POSITIVE_INFINITY, 0],
    );
    await store.set(id, {
      state,
      error,
      counts,
      faults: this.faults.first,
      firstAt: stored > 0 ? new Date(firstAt) : null,
      lastAt: stored > 0 ? new Date(lastAt) : null,
      ...(state === 'done' ? { parts: [] } : {}),
    });
    if (state === 'done') for (const { key } of parts) await files.remove(key);
    tell('history-imports', workgroup);
    return counts;
  }

  async #sign(): Promise<void> {
    if (Date.now() - this.#seenAt < SIGN_OF_LIFE_MS) return;
    this.#seenAt = Date.now();
    await this.#of.store.set(this.#row.id, { seenAt: new Date(), counts: this.#counts() });
    this.#of.tell('history-imports', this.#row.workgroup);
  }

  #counts(): HistoryCounts {
    const { records, events, faulty, values } = this.#mapper;
    return { ...NO_COUNTS, records, events, faulty, values, existing: this.#writer.existing };
  }
}

/** Takes every event of an import out of the store. */
export const undoing = (of: HistoryJobsOptions): HistoryAction => ({
  kind: 'history-import-undo',
  input,
  canCancel: false,
  run: async ({ input: { id } }) => {
    const row = await of.store.byId(id);
    if (row?.state !== 'undoing') throw new AppError('history_import.busy');
    await of.store.set(id, { seenAt: new Date() });
    const { workgroup, serial, counts } = row;
    const range = rangeOf(serial);
    const administration = of.telemetry.asSystem('history import');
    const streams = await administration.numbered(workgroup, range);
    await administration.forgetNumbered(workgroup, range, streams);
    await of.ledger.noteImported(id, []);
    tellLate(of.bus, streams);
    await of.store.set(id, {
      state: row.parts.length > 0 ? 'ready' : 'undone',
      counts: { ...counts, stored: 0 },
      firstAt: null,
      lastAt: null,
      error: null,
    });
    of.tell('history-imports', workgroup);
    return { result: { removed: streams.reduce((sum, { events }) => sum + events, 0) } };
  },
});

/** Which device a text stands for: as the plan says, else the one with that name or id. */
export function devicesBy(
  { devices }: NonNullable<HistoryRow['plan']>,
  known: readonly { id: string; name: string }[],
): (text: string) => string | null {
  const ids = new Set(known.map(({ id }) => id));
  const byText = new Map([
    ...known.map(({ id }) => [id, id] as const),
    ...known.map(({ id, name }) => [name, id] as const),
    ...Object.entries(devices).filter(([, id]) => ids.has(id)),
  ]);
  return (text) => byText.get(text) ?? null;
}

function noteInLedger({ ledger }: HistoryJobsOptions, row: HistoryRow, streams: readonly NumberedStream[]) {
  const at = Date.now();
  return ledger.noteImported(
    row.id,
    streams.map(({ device, table, source, events, firstAt, lastAt }) => ({
      device,
      importId: row.id,
      name: row.name,
      by: row.by,
      table,
      source,
      events,
      firstEventAt: firstAt,
      lastEventAt: lastAt,
      at,
    })),
  );
}

/** What was derived of these days is derived again. */
function tellLate(bus: Bus, streams: readonly NumberedStream[]): void {
  const oldest = new Map<string, number>();
  for (const { device, firstAt } of streams)
    oldest.set(device, Math.min(oldest.get(device) ?? firstAt, firstAt));
  for (const [device, oldestAt] of oldest) void bus.publish(eventsLate, { device, oldestAt });
}
