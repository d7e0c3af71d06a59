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
import { demandFree, nameOf } from './drop-part.ts';
import type { DropsStore, HoldRow, Part } from './drops.store.ts';

const HOLDS = 200;

export interface DropsOptions {
  store: DropsStore;
  audit: Audit;
  longActions: Pick<LongActions, 'begin'>;
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
      store.drops(workgroup, table.table),
    ]);
    return {
      table: table.table,
      events: table.events,
      bytes: table.bytes,
      months: months.map((month) => ({
        ...month,
        bytes: table.events === 0 ? 0 : Math.round((table.bytes * month.events) / table.events),
      })),
      holds: holds.map(holdOf),
      dropped: dropped
        .filter(({ month }) => month !== '')
        .map(({ month, by, at, doneAt, events, cameLater }) => ({
          ...{ month, by, at: at.getTime(), isDone: doneAt !== null, events, cameLater },
        })),
    };
  }

  /** Throws `data_table.owners_only`, `data_table.system`, `data_table.phrase_wrong`, `data_table.month_empty`, `data_table.held`, `data_table.dropping`. */
  async dropMonth(
    reader: TelemetryReader,
    { table, month, phrase }: { table: string; month: string; phrase: string },
    by: Manager,
  ): Promise<LongAction> {
    demandOwner(by, table);
    const name = nameOf({ table, month });
    if (phrase !== name) throw new AppError('data_table.phrase_wrong', { phrase: name });
    const found = (await reader.months(table)).find((one) => one.month === month);
    if (!found) throw new AppError('data_table.month_empty', { table });
    const part = { workgroup: reader.workgroup, table, month };
    return this.#drop(part, { controller: 'index', events: found.events }, by);
  }

  /** Every event of a table, whose name was repeated. Throws `data_table.held`, `data_table.dropping`. */
  dropTable(workgroup: string, table: string, events: number, by: Manager): Promise<LongAction> {
    return this.#drop({ workgroup, table, month: null }, { controller: 'table', events }, by);
  }

  async holds(workgroup: string): Promise<LegalHold[]> {
    return (await this.#options.store.holds(workgroup)).map(holdOf);
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
      const added = await store.addHold({ ...part, reason, by: by.email, at: new Date() });
      this.#record(part, by, { controller: 'legal-hold', action: 'create', newValue: reason });
      return added;
    });
    return holdOf(row);
  }

  /** Throws `data_table.owners_only`, `legal_hold.not_found`. */
  async release(workgroup: string, id: string, by: Manager): Promise<void> {
    if (by.scope.role !== 'owner') throw new AppError('data_table.owners_only');
    const row = await this.#options.store.removeHold(workgroup, id);
    if (!row) throw new AppError('legal_hold.not_found');
    const oldValue = `${row.reason} (${row.by})`;
    this.#record(row, by, { controller: 'legal-hold', action: 'delete', oldValue });
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
      // Together with its mark, so that none is left without the other.
      return await store.alone(part, async () => {
        demandFree(await store.holds(workgroup, table), part);
        await this.#demandNotDropping(part);
        await store.begin(part, by.email, new Date());
        this.#record(part, by, entry);
        const input = { workgroup, table, ...(month === null ? {} : { month }) };
        return longActions.begin(removing, { input, about: nameOf(part), workgroup, by });
      });
    } catch (error) {
      if (error instanceof AppError) this.#record(part, by, { ...entry, status: 'failed' });
      throw error;
    }
  }

  async #demandNotDropping({ workgroup, table, month }: Part): Promise<void> {
    const running = (await this.#options.store.drops(workgroup, table)).filter((one) => one.doneAt === null);
    if (running.some((one) => month === null || one.month === '' || one.month === month))
      throw new AppError('data_table.dropping');
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

/** Owners alone delete data, and not what the cloud itself writes. */
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
