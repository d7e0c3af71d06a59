import type { HistoryCounts, HistoryFault } from '@albedo/contract/history-imports/history-imports.schema';
import { z } from 'zod';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DataTables } from '../data-tables/data-tables.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import type { LongActionKind } from '../long-actions/long-actions.service.ts';
import { UnreadableFile } from '../mapping/history-records.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { NumberedStream, Telemetry } from '../telemetry/telemetry.service.ts';
import { FaultList } from './fault-list.ts';
import { type OpenedFile, openFile } from './history-file.ts';
import type { HistoryImportsStore, HistoryRow } from './history-imports.store.ts';
import { NO_COUNTS } from './history-imports.store.ts';
import type { ReplacedEvents } from './history-imports.tables.ts';
import { settledPlan } from './history-look.ts';
import { columnsIn, type HistoryEvent, HistoryMapper, type SettledPlan } from './history-mapper.ts';
import { HistoryWriter, isImport, rangeOf, serialOf } from './history-writer.ts';
import { putBack, Stretches, takeOut } from './replaced-events.ts';
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
  audit: Pick<Audit, 'record'>;
  storage: Pick<DataTables, 'demandUnheld'>;
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
  run: async ({ input: { id }, by, signal, progress }) => {
    const row = await of.store.byId(id);
    if (!row?.plan || !['running', 'failed', 'cancelled'].includes(row.state) || row.parts.length === 0)
      throw new AppError('history_import.busy');
    await of.store.set(id, { state: 'running', seenAt: new Date(), error: null });
    of.tell('history-imports', row.workgroup);
    const run = new ImportRun(of, row);
    try {
      await run.open(signal);
      await run.read(signal, progress);
    } catch (error) {
      const isCancelled = signal.aborted && (signal.reason as Error | undefined)?.name === 'Cancelled';
      if (signal.aborted && !isCancelled) throw error;
      const why = error instanceof UnreadableFile ? error.message : null;
      const message = why ?? (error instanceof AppError ? error.message : FAILED);
      const lost = await run.giveBack();
      await run.end(isCancelled ? 'cancelled' : 'failed', lost ?? (isCancelled ? why : message));
      await run.faults.abandon();
      throw why === null ? error : new AppError('history_import.unreadable', { why });
    }
    const counts = await run.end('done', null);
    if (counts.replaced > 0)
      of.audit.record({
        workgroup: row.workgroup,
        at: Date.now(),
        controller: 'history-import',
        entity: `${row.name} (${id})`,
        action: 'replace',
        by: by.email,
        address: by.address,
        oldValue: `${counts.replaced} events`,
      });
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
const NOT_BACK = 'What this import replaced could not be put back yet. Undo the import to try it again.';

interface Opened {
  file: OpenedFile;
  plan: SettledPlan;
  mapper: HistoryMapper;
  writer: HistoryWriter;
}

class ImportRun {
  readonly #of: HistoryJobsOptions;
  readonly #row: HistoryRow;
  readonly faults: FaultList;
  #opened: Opened | null = null;
  /** What is out of the store for this import, also by a run before this one. */
  #replaced: ReplacedEvents[];
  /** Streams of which something was put back. */
  #back: Pick<NumberedStream, 'device' | 'firstAt'>[] = [];
  #seenAt = Date.now();

  constructor(of: HistoryJobsOptions, row: HistoryRow) {
    this.#of = of;
    this.#row = row;
    this.#replaced = row.replaced;
    this.faults = new FaultList(of.files, faultsKey(row.id));
  }

  /** Looks at the values where the plan leaves something to them, and keeps with the import what they say. */
  async open(signal: AbortSignal): Promise<void> {
    const { id, workgroup, serial, format, parts } = this.#row;
    const given = this.#row.plan as NonNullable<HistoryRow['plan']>;
    const file = await openFile(new StoredFile(this.#of.files, parts), format, given.layout ?? null);
    const plan = await settledPlan(file, { format, plan: given }, signal);
    await this.#of.store.set(id, { plan });
    const mapper = this.#mapper(plan, (fault) => this.faults.add(fault));
    const writer = new HistoryWriter({
      telemetry: this.#of.telemetry,
      workgroup,
      mapping: plan.mapping,
      range: rangeOf(serial),
      existing: plan.existing,
    });
    this.#opened = { file, plan, mapper, writer };
  }

  async read(signal: AbortSignal, progress: (fraction: number) => void): Promise<void> {
    const { file, plan, mapper, writer } = this.#opened as Opened;
    if (plan.existing === 'replace') await this.#replace(signal);
    let events: HistoryEvent[] = [];
    for await (const { records, fraction } of file.pieces({ columns: columnsIn(plan) })) {
      for (const record of records) {
        const event = mapper.event(record);
        if (event) events.push(event);
        if (events.length < BATCH) continue;
        signal.throwIfAborted();
        await writer.write(events);
        events = [];
      }
      signal.throwIfAborted();
      await this.faults.settle();
      progress(fraction);
      await this.#sign();
    }
    await writer.write(events);
    signal.throwIfAborted();
  }

  /** Takes out what others brought between the first and the last event of the file, before anything of it is stored. */
  async #replace(signal: AbortSignal): Promise<void> {
    const { file, plan } = this.#opened as Opened;
    const mapper = this.#mapper(plan, () => {});
    const stretches = new Stretches();
    for await (const { records } of file.pieces({ columns: columnsIn(plan) })) {
      for (const record of records) {
        const event = mapper.event(record);
        if (event) stretches.add(event);
      }
      signal.throwIfAborted();
      await this.#sign();
    }
    const { store, telemetry, files, storage } = this.#of;
    await storage.demandUnheld(this.#row.workgroup, stretches.all());
    const keep = async (replaced: ReplacedEvents[]) => {
      await store.set(this.#row.id, { replaced });
      this.#replaced = replaced;
    };
    await takeOut({ telemetry, files, keep }, this.#row, rangeOf(this.#row.serial), stretches.all());
    await recountOthers(this.#of, { ...this.#row, replaced: this.#replaced });
  }

  /** An import that replaces does all or nothing; answers why it could not. */
  async giveBack(): Promise<string | null> {
    if (this.#replaced.length === 0) return null;
    try {
      this.#back = await restore(this.#of, { ...this.#row, replaced: this.#replaced });
    } catch {
      return NOT_BACK;
    }
    this.#replaced = [];
    return null;
  }

  #mapper(plan: SettledPlan, onFault: (fault: HistoryFault) => void): HistoryMapper {
    const { registry, forecasts } = this.#of;
    const { workgroup } = this.#row;
    return new HistoryMapper(plan, devicesBy(plan, registry.inWorkgroup(workgroup)), onFault, {
      holdsForecasts: (table) => forecasts.has(workgroup, table),
    });
  }

  /** Counts in the store what came in, and tells those who have to know. */
  async end(state: 'done' | 'cancelled' | 'failed', error: string | null): Promise<HistoryCounts> {
    const { store, telemetry, files, tell } = this.#of;
    const { id, workgroup, serial, parts } = this.#row;
    const streams = await telemetry.asSystem('history import').numbered(workgroup, rangeOf(serial));
    const stored = streams.reduce((sum, { events }) => sum + events, 0);
    await noteInLedger(this.#of, this.#row, streams);
    tellLate(this.#of.bus, [...streams, ...this.#replaced.flatMap(backAt), ...this.#back]);
    const counts = { ...this.#counts(), stored };
    counts.repeated = state === 'done' ? counts.events - counts.existing - stored : 0;
    await store.set(id, {
      state,
      error,
      counts,
      faults: this.faults.first,
      ...periodOf(streams),
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
    if (!this.#opened) return NO_COUNTS;
    const { records, events, faulty, values } = this.#opened.mapper;
    const { existing } = this.#opened.writer;
    return { ...NO_COUNTS, records, events, faulty, values, existing, replaced: eventsIn(this.#replaced) };
  }
}

/** Takes every event of an import out of the store. */
export const undoing = (of: HistoryJobsOptions): HistoryAction => ({
  kind: 'history-import-undo',
  input,
  canCancel: false,
  run: async ({ input: { id }, signal }) => {
    const row = await of.store.byId(id);
    if (row?.state !== 'undoing' && row?.state !== 'failed') throw new AppError('history_import.busy');
    await of.store.set(id, { state: 'undoing', seenAt: new Date() });
    const { workgroup, serial, counts } = row;
    const streams = await of.telemetry.asSystem('history import').numbered(workgroup, rangeOf(serial));
    const undo = async () => {
      await of.storage.demandUnheld(workgroup, streams);
      return restore(of, row);
    };
    const restored = await undo().catch(async (error: unknown) => {
      if (!signal.aborted) {
        // It can be undone again: nothing that was taken out is lost.
        await of.store.set(id, {
          state: 'failed',
          error: error instanceof AppError ? error.message : NOT_UNDONE,
        });
        of.tell('history-imports', workgroup);
      }
      throw error;
    });
    await of.ledger.noteImported(id, []);
    tellLate(of.bus, restored);
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

const NOT_UNDONE = 'Something went wrong while the import was undone. Undo it again.';

/**
 * Puts back what an import took out, and takes its own events out of the store; answers what changed. Nothing is deleted before
 * all of the former is there again. May be repeated.
 */
async function restore(
  of: HistoryJobsOptions,
  row: HistoryRow,
): Promise<Pick<NumberedStream, 'device' | 'firstAt'>[]> {
  const { id, workgroup, serial, replaced } = row;
  const range = rangeOf(serial);
  const administration = of.telemetry.asSystem('history import');
  const streams = await administration.numbered(workgroup, range);
  await putBack(of, row);
  await administration.forgetNumbered(workgroup, range, streams);
  await recountOthers(of, row);
  await of.store.set(id, { replaced: [] });
  for (const { key } of replaced) await of.files.remove(key);
  return [...streams, ...replaced.flatMap(backAt)];
}

const eventsIn = (replaced: readonly ReplacedEvents[]): number =>
  replaced.reduce((sum, { events }) => sum + events, 0);

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

const backAt = ({ streams, firstAt }: HistoryRow['replaced'][number]) =>
  streams.map(({ device }) => ({ device, firstAt }));

/**
 * Counts what other imports have in the store after theirs was taken out or put back. What was put back of an import that is undone
 * meanwhile, or gone, goes again.
 */
async function recountOthers(of: HistoryJobsOptions, { workgroup, replaced }: HistoryRow): Promise<void> {
  const serials = new Set(replaced.flatMap(({ numbers }) => numbers.map(serialOf)));
  if (serials.size === 0) return;
  const administration = of.telemetry.asSystem('history import');
  const rows = await of.store.bySerials(workgroup, [...serials]);
  const known = new Set(rows.map(({ serial }) => serial));
  for (const serial of serials) {
    if (known.has(serial) || !isImport(serial)) continue;
    const range = rangeOf(serial);
    const streams = await administration.numbered(workgroup, range);
    if (streams.length > 0) await administration.forgetNumbered(workgroup, range, streams);
  }
  for (const row of rows) {
    const range = rangeOf(row.serial);
    const streams = await administration.numbered(workgroup, range);
    if (row.state === 'undone' || row.state === 'ready') {
      await administration.forgetNumbered(workgroup, range, streams);
      continue;
    }
    const stored = streams.reduce((sum, { events }) => sum + events, 0);
    await of.store.set(row.id, { counts: { ...row.counts, stored }, ...periodOf(streams) });
    await noteInLedger(of, row, streams);
  }
}

function periodOf(streams: readonly NumberedStream[]): { firstAt: Date | null; lastAt: Date | null } {
  if (streams.length === 0) return { firstAt: null, lastAt: null };
  const first = streams.reduce((least, { firstAt }) => Math.min(least, firstAt), Number.POSITIVE_INFINITY);
  const last = streams.reduce((most, { lastAt }) => Math.max(most, lastAt), 0);
  return { firstAt: new Date(first), lastAt: new Date(last) };
}

/** What was derived of these days is derived again. */
function tellLate(bus: Bus, streams: readonly Pick<NumberedStream, 'device' | 'firstAt'>[]): void {
  const oldest = new Map<string, number>();
  for (const { device, firstAt } of streams)
    oldest.set(device, Math.min(oldest.get(device) ?? firstAt, firstAt));
  for (const [device, oldestAt] of oldest) void bus.publish(eventsLate, { device, oldestAt });
}
