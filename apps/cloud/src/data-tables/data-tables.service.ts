import type {
  DataTable,
  DataTableDetails,
  FieldWords,
  RetentionPreview,
  StorageUse,
  StoredField,
} from '@albedo/contract/data-tables/data-tables.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { keptSince } from './data-tables.jobs.ts';
import type { DataTablesStore } from './data-tables.store.ts';
import type { Drops, HeldSpan } from './drops.service.ts';

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

export interface DataTablesOptions {
  store: DataTablesStore;
  audit: Audit;
  drops: Pick<Drops, 'dropTable' | 'demandUnheld' | 'heldMonths'>;
  forecasts: Pick<ForecastTables, 'has' | 'set'>;
  workgroups: Pick<Workgroups, 'get' | 'setSetting'>;
}

/** What stands in the telemetry of a workgroup, how it is called, and how long it stays. */
export class DataTables {
  readonly #options: DataTablesOptions;

  constructor(options: DataTablesOptions) {
    this.#options = options;
  }

  /** The tables that the caller can see, by name. */
  async list(reader: TelemetryReader): Promise<DataTable[]> {
    return (await this.#measured(reader)).tables;
  }

  /** Throws `table.not_found`. */
  async get(reader: TelemetryReader, name: string): Promise<DataTableDetails> {
    const table = (await this.list(reader)).find((one) => one.table === name);
    if (!table) throw new AppError('table.not_found', { table: name });
    const types = await reader.fieldTypes(name);
    const fields = new Map<string, StoredField>();
    for (const { field, type, units } of types) {
      const known = fields.get(field);
      fields.set(field, {
        field,
        types: [...(known?.types ?? []), type],
        units: known?.units ?? (units || null),
      });
    }
    return { table, fields: [...fields.values()].sort((a, b) => a.field.localeCompare(b.field)) };
  }

  async storage(reader: TelemetryReader): Promise<StorageUse> {
    const { tables, devices, months } = await this.#measured(reader);
    const total = (part: (table: DataTable) => number) => tables.reduce((sum, one) => sum + part(one), 0);
    return {
      events: total(({ events }) => events),
      bytes: total(({ bytes }) => bytes),
      tables,
      devices,
      months,
      bytesPerDay: Math.round(total(bytesPerDay)),
      bytesInAYear: Math.round(total(bytesInAYear)),
    };
  }

  words(workgroup: string): Promise<FieldWords[]> {
    return this.#options.store.words(workgroup);
  }

  async setWords(workgroup: string, words: FieldWords, by: Manager): Promise<FieldWords> {
    await this.#options.store.setWords(workgroup, words);
    const { table, field, displayName, units } = words;
    const newValue = [displayName, units].filter(Boolean).join(', ');
    this.#record(workgroup, `${table}: ${field}`, by, { action: 'update', attribute: 'field', newValue });
    return words;
  }

  /** Throws `data_table.owners_only`, `data_table.system`, `table.not_found`. */
  async retain(reader: TelemetryReader, table: string, days: number | null, by: Manager): Promise<void> {
    await this.#demandOwn(reader, table, by);
    const { workgroup } = reader;
    const { store } = this.#options;
    const before = (await store.retentions(workgroup)).get(table) ?? null;
    await store.setRetention(workgroup, table, days);
    const change = { oldValue: daysText(before), newValue: daysText(days) };
    this.#record(workgroup, table, by, { action: 'update', attribute: 'retention', ...change });
  }

  /** Of tables without a retention of their own. Throws `data_table.owners_only`. */
  async retainAll(workgroup: string, days: number | null, by: Manager): Promise<void> {
    if (by.scope.role !== 'owner') throw new AppError('data_table.owners_only');
    const { workgroups } = this.#options;
    const before = WORKGROUP_SETTINGS.retention.safeParse(
      (await workgroups.get(workgroup)).settings.retention,
    );
    await workgroups.setSetting(workgroup, 'retention', { days });
    const change = { oldValue: daysText(before.data?.days ?? null), newValue: daysText(days) };
    this.#record(workgroup, 'all', by, { action: 'update', attribute: 'retention', ...change });
  }

  /** What the next night would delete at `now`, epoch ms. Throws `data_table.system`, `table.not_found`. */
  async previewRetention(
    reader: TelemetryReader,
    { days, table }: { days: number; table?: string | undefined },
    now: number,
  ): Promise<RetentionPreview> {
    if (table !== undefined && CLOUD_TABLES.has(table)) throw new AppError('data_table.system', { table });
    const own = await this.#options.store.retentions(reader.workgroup);
    const others = async () =>
      (await reader.tables()).filter((name) => !CLOUD_TABLES.has(name) && !own.has(name));
    const tables = table === undefined ? await others() : [table];
    const before = keptSince(now, days);
    const isHeld = await this.#options.drops.heldMonths(reader.workgroup);
    const counted = tables.length > 0 ? await reader.countBefore(tables, before) : [];
    const tooOld = counted.filter((row) => !isHeld(row.table, row.month));
    return {
      before,
      events: tooOld.reduce((sum, { events }) => sum + events, 0),
      tables: summed(tooOld, ({ table: name }) => name).map(([name, events]) => ({ table: name, events })),
      months: summed(tooOld, ({ month }) => month).map(([month, events]) => ({ month, events })),
    };
  }

  /** Whether values of a table stand at their own times, also those of the future. Throws `data_table.system`. */
  setForecasts(workgroup: string, table: string, holdsForecasts: boolean, by: Manager): Promise<void> {
    return this.#options.forecasts.set(workgroup, table, holdsForecasts, by);
  }

  /** Throws `data_table.owners_only`, `data_table.system`, `data_table.phrase_wrong`, `table.not_found`, `data_table.held`. */
  async remove(reader: TelemetryReader, table: string, phrase: string, by: Manager): Promise<LongAction> {
    await this.#demandOwn(reader, table, by);
    if (phrase !== table) throw new AppError('data_table.phrase_wrong', { phrase: table });
    const events = (await reader.months(table)).reduce((sum, month) => sum + month.events, 0);
    return this.#options.drops.dropTable(reader.workgroup, table, events, by);
  }

  /** For features that delete telemetry in another way. Throws `data_table.held` for spans of streams, or for anything that is held. */
  demandUnheld(workgroup: string, spans?: readonly HeldSpan[]): Promise<void> {
    return this.#options.drops.demandUnheld(workgroup, spans);
  }

  async #measured(reader: TelemetryReader) {
    const { store, forecasts } = this.#options;
    const [{ tables, devices, months }, kept] = await Promise.all([
      reader.usage(),
      store.retentions(reader.workgroup),
    ]);
    return {
      tables: tables.map((use) => ({
        ...use,
        retentionDays: kept.get(use.table) ?? null,
        isSystem: CLOUD_TABLES.has(use.table),
        holdsForecasts: forecasts.has(reader.workgroup, use.table),
      })),
      devices,
      months,
    };
  }

  /** Owners alone delete data, and not what the cloud itself writes. */
  async #demandOwn(reader: TelemetryReader, table: string, { scope }: Manager): Promise<void> {
    if (scope.role !== 'owner') throw new AppError('data_table.owners_only');
    if (CLOUD_TABLES.has(table)) throw new AppError('data_table.system', { table });
    if (!(await reader.tables()).includes(table)) throw new AppError('table.not_found', { table });
  }

  #record(
    workgroup: string,
    entity: string,
    { email: by, address }: Manager,
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'data-table', entity, by, address };
    this.#options.audit.record({ ...entry, ...what });
  }
}

/** Events by what they have in common, in the order of its name. */
function summed<T extends { events: number }>(
  parts: readonly T[],
  of: (part: T) => string,
): [string, number][] {
  const sums = new Map<string, number>();
  for (const part of parts) sums.set(of(part), (sums.get(of(part)) ?? 0) + part.events);
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const daysText = (days: number | null): string => (days === null ? 'for ever' : `${days} days`);

const bytesPerDay = ({ bytes, events, eventsPerDay }: DataTable): number =>
  events === 0 ? 0 : (bytes / events) * eventsPerDay;

/** What is there now and what comes in a year, but never more than is kept. */
function bytesInAYear(table: DataTable): number {
  const daily = bytesPerDay(table);
  const all = table.bytes + daily * YEAR_DAYS;
  if (table.retentionDays === null) return all;
  const days = Math.max(1, (table.lastAt - table.firstAt) / DAY_MS);
  const mean = Math.max(daily, table.bytes / days);
  return Math.min(all, mean * table.retentionDays);
}
