import { isDeepStrictEqual } from 'node:util';
import type { LookupTable, NewLookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Actor } from '../access/actor.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { TellList } from '../sockets/lists.ts';
import type { LookupTablesStore } from './lookup-tables.store.ts';

export interface LookupTablesOptions {
  store: LookupTablesStore;
  audit: Audit;
  tell: TellList;
}

/** Tables that say in words what stored codes mean. */
export class LookupTables {
  readonly #options: LookupTablesOptions;

  constructor(options: LookupTablesOptions) {
    this.#options = options;
  }

  list(workgroup: string): Promise<LookupTable[]> {
    return this.#options.store.list(workgroup);
  }

  /** Throws `lookup_table.too_many`, `lookup_table.code_taken`. */
  async create(workgroup: string, wanted: NewLookupTable, by: Actor): Promise<LookupTable> {
    const { store } = this.#options;
    const { lookupTables: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('lookup_table.too_many', { count });
    const table = await store.add(workgroup, wanted);
    if (!table) throw new AppError('lookup_table.code_taken', { code: wanted.code });
    this.#changed(workgroup, table, by, { action: 'create', newValue: textOf(table) });
    return table;
  }

  /** Throws `lookup_table.not_found`, `lookup_table.code_taken`. */
  async update(workgroup: string, id: string, wanted: NewLookupTable, by: Actor): Promise<LookupTable> {
    const before = await this.#table(workgroup, id);
    const after = await this.#options.store.set(workgroup, id, wanted);
    if (after === undefined) throw new AppError('lookup_table.not_found');
    if (after === null) throw new AppError('lookup_table.code_taken', { code: wanted.code });
    const change = { oldValue: textOf(before), newValue: textOf(after) };
    this.#changed(workgroup, after, by, { action: 'update', ...change });
    return after;
  }

  find(workgroup: string, id: string): Promise<LookupTable | undefined> {
    return this.#options.store.find(workgroup, id);
  }

  /**
   * Replaces all values of a table; `fields` are the codes of its texts, and `from` names the source of the values. Does
   * nothing if the table has these values already. Throws `lookup_table.not_found`.
   */
  async refill(
    workgroup: string,
    id: string,
    { fields: codes, values }: { fields: readonly string[]; values: LookupTable['values'] },
    from: string,
  ): Promise<void> {
    const before = await this.#table(workgroup, id);
    const names = new Map(before.fields.map((field) => [field.code, field.name]));
    const fields = codes.map((code) => ({ code, name: names.get(code) ?? code, type: 'String' as const }));
    if (isDeepStrictEqual({ fields, values }, { fields: before.fields, values: before.values })) return;
    const after = await this.#options.store.refill(workgroup, id, { fields, values });
    if (!after) throw new AppError('lookup_table.not_found');
    const newValue = JSON.stringify({ ...(JSON.parse(textOf(after)) as object), from });
    this.#changed(workgroup, after, null, { action: 'update', oldValue: textOf(before), newValue });
  }

  /** Throws `lookup_table.not_found`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const table = await this.#table(workgroup, id);
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('lookup_table.not_found');
    this.#changed(workgroup, table, by, { action: 'delete', oldValue: textOf(table) });
  }

  async #table(workgroup: string, id: string): Promise<LookupTable> {
    const table = await this.#options.store.find(workgroup, id);
    if (!table) throw new AppError('lookup_table.not_found');
    return table;
  }

  #changed(
    workgroup: string,
    { _id, name }: LookupTable,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'lookup-table', entity: `${name} (${_id})` };
    const who = by ? { by: by.email, address: by.address } : { by: null };
    this.#options.audit.record({ ...entry, attribute: 'record', ...who, ...what });
    this.#options.tell('lookup-tables', workgroup);
  }
}

/** Without its values, which may be thousands. */
const textOf = ({ code, name, fields, values }: LookupTable): string =>
  JSON.stringify({ code, name, fields: fields.map((field) => field.code), values: values.length });
