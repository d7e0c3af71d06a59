import type {
  DataTable,
  LegalHold,
  NewLegalHold,
  TableStorage,
} from '@albedo/contract/data-tables/data-tables.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import type { Removal } from './data-tables.jobs.ts';
import { cleans, demandFree, dropsOf, heldBy, meets, nameOf, spanOf } from './drop-part.ts';
import type { DropsStore, HoldRow, Part } from './drops.store.ts';

const HOLDS = 200;

export interface DropsOptions {
  store: DropsStore;
  audit: Audit;
  longActions: Pick<LongActions, 'begin' | 'isOpen'>;
  now?: () => number;
  removing: Removal;
}

/** Dropping months and tables for good, and legal holds, which forbid it. */
export class Drops {
  readonly #options: DropsOptions;

  constructor(options: DropsOptions) {
    this.#options = options;
  }

  /** Throws `table.not_found`. */
  async storageOf(reader: TelemetryReader, table: DataTable): Promise<TableStorage> {
    const { store } = this.#options;
    const { workgroup } = reader;
    const [months, holds, dropped] = await Promise.all([
      reader.months(table.table),
      store.holds(workgroup, table.table),
      dropsOf(store, this.#isOpen, { workgroup, table: table.table }),
    ]);
    const running = new Set(dropped.running);
    // A drop that failed does not count, unless an earlier one succeeded.
    const shown = [
      ...dropped.done,
      ...dropped.running,
      ...dropped.ended.filter(({ doneAt }) => doneAt !== null),
    ];
    return {
      table: table.table,
      events: table.events,
      bytes: table.bytes,
      months: months.map((month) => ({
        ...month,
        bytes: table.events === 0 ? 0 : Math.round((table.bytes * month.events) / table.events),
      })),
      holds: holds.map(holdOf),
      dropped: shown
        .filter(({ month }) => month !== '')
        .toSorted((a, b) => (a.month < b.month ? -1 : 1))
        .map((row) => {
          const { month, by, at, events, cameLater } = row;
          return { month, by, at: at.getTime(), isDone: !running.has(row), events, cameLater };
        }),
    };
  }

  /** Throws `data_table.owners_only`, `data_table.system`, `data_table.phrase_wrong`, `data_table.month_running`, `data_table.month_empty`, `data_table.held`, `data_table.dropping`. */
  async dropMonth(
    reader: TelemetryReader,
    { table, month, phrase }: { table: string; month: string; phrase: string },
    by: Manager,
  ): Promise<LongAction> {
    demandOwner(by, table);
    const name = nameOf({ table, month });
    if (phrase !== name) throw new AppError('data_table.phrase_wrong', { phrase: name });
    // Otherwise events of the current month would be deleted every night until it is over.
    if (spanOf(month).to > this.#now())
      throw new AppError('data_table.month_running', { month: month.slice(0, 7) });
    const stored = (await reader.months(table)).find((row) => row.month === month);
    if (!stored) throw new AppError('data_table.month_empty', { table });
    const part = { workgroup: reader.workgroup, table, month };
    return this.#drop(part, { controller: 'index', events: stored.events }, by);
  }

  /** Deletes every event of a table; the caller has checked the phrase. Throws `data_table.held`, `data_table.dropping`. */
  dropTable(workgroup: string, table: string, events: number, by: Manager): Promise<LongAction> {
    return this.#drop({ workgroup, table, month: null }, { controller: 'table', events }, by);
  }

  async holds(workgroup: string): Promise<LegalHold[]> {
    return (await this.#options.store.holds(workgroup)).map(holdOf);
  }

  /** Throws `data_table.held` if a hold overlaps the spans (epoch ms, both ends included); without spans, if there is any hold. */
  async demandUnheld(workgroup: string, spans?: readonly HeldSpan[]): Promise<void> {
    const holds = await this.#options.store.holds(workgroup);
    const hold = holds.find(
      (held) =>
        spans === undefined || spans.some((span) => span.table === held.table && isWithin(held, span)),
    );
    if (hold) throw heldBy(hold);
  }

  /** Tells for each month of a table whether a legal hold keeps it. */
  async heldMonths(workgroup: string): Promise<(table: string, month: string) => boolean> {
    const holds = await this.#options.store.holds(workgroup);
    return (table, month) =>
      holds.some((hold) => hold.table === table && (hold.month === null || hold.month === month));
  }

  /** Throws `data_table.owners_only`, `data_table.system`, `legal_hold.too_many`, `data_table.dropping`. */
  async hold(workgroup: string, wanted: NewLegalHold, by: Manager): Promise<LegalHold> {
    const { store } = this.#options;
    const { table, month, reason } = wanted;
    demandOwner(by, table);
    const part = { workgroup, table, month };
    const row = await store.alone(part, async () => {
      if ((await store.holds(workgroup)).length >= HOLDS)
        throw new AppError('legal_hold.too_many', { count: HOLDS });
      await this.#demandNotDropping(part);
      if ((await store.cleanings(workgroup, table)).some((cleaning) => cleans(cleaning, part)))
        throw new AppError('data_table.dropping');
      const added = await store.addHold({ ...part, reason, by: by.email, at: new Date() });
      this.#record(part, by, { controller: 'legal-hold', action: 'create', newValue: reason });
      return added;
    });
    return holdOf(row);
  }

  /** Throws `data_table.owners_only`, `legal_hold.not_found`. */
  async release(workgroup: string, id: string, by: Manager): Promise<void> {
    if (by.scope.role !== 'owner') throw new AppError('data_table.owners_only');
    // In one transaction with the audit entry, so that no hold is released without one.
    await this.#options.store.together(async () => {
      const row = await this.#options.store.removeHold(workgroup, id);
      if (!row) throw new AppError('legal_hold.not_found');
      const oldValue = `${row.reason} (${row.by})`;
      this.#record(row, by, { controller: 'legal-hold', action: 'delete', oldValue });
    });
  }

  async #drop(
    part: Part,
    { controller, events }: { controller: 'index' | 'table'; events: number },
    by: Manager,
  ): Promise<LongAction> {
    const { store, longActions, removing } = this.#options;
    const { workgroup, table, month } = part;
    const entry = { controller, action: 'delete', attribute: 'object', oldValue: `${events} events` };
    try {
      // In one transaction with its mark, so that neither exists without the other.
      return await store.alone(part, async () => {
        demandFree(await store.holds(workgroup, table), part);
        await this.#demandNotDropping(part);
        this.#record(part, by, entry);
        const input = { workgroup, table, ...(month === null ? {} : { month, events }) };
        const action = await longActions.begin(removing, { input, about: nameOf(part), workgroup, by });
        await store.begin(part, action.id, by.email, new Date());
        return action;
      });
    } catch (error) {
      if (error instanceof AppError) this.#record(part, by, { ...entry, status: 'failed' });
      throw error;
    }
  }

  async #demandNotDropping(part: Part): Promise<void> {
    const { running } = await dropsOf(this.#options.store, this.#isOpen, part);
    if (running.some((drop) => meets(drop, part))) throw new AppError('data_table.dropping');
  }

  readonly #isOpen = (action: string) => this.#options.longActions.isOpen(action);

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #record(
    part: Pick<Part, 'workgroup' | 'table' | 'month'>,
    { email: by, address }: Manager,
    what: Pick<AuditEntry, 'controller' | 'action'> & Partial<AuditEntry>,
  ): void {
    const entry = { workgroup: part.workgroup, at: Date.now(), entity: nameOf(part), by, address };
    this.#options.audit.record({ ...entry, ...what });
  }
}

/** Events of a table, from first to last. */
export interface HeldSpan {
  table: string;
  firstAt: number;
  lastAt: number;
}

function isWithin({ month }: HoldRow, { firstAt, lastAt }: HeldSpan): boolean {
  if (month === null) return true;
  const { from, to } = spanOf(month);
  return firstAt < to && lastAt >= from;
}

/** Only owners delete data, and nobody deletes what the cloud itself writes. */
function demandOwner({ scope }: Manager, table: string): void {
  if (scope.role !== 'owner') throw new AppError('data_table.owners_only');
  if (CLOUD_TABLES.has(table)) throw new AppError('data_table.system', { table });
}

const holdOf = ({ id, table, month, reason, by, at }: HoldRow): LegalHold => ({
  _id: id,
  table,
  month,
  reason,
  by,
  at: at.getTime(),
});
