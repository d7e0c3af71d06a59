import type { ClickHouse } from '@albedo/clickhouse/client';
import type { BatchField } from '@albedo/contract/link/link.messages';
import {
  type FieldSlot,
  type Kind,
  kindOf,
  OVERFLOW,
  SLOTS,
  type TelemetryBlock,
} from './telemetry.blocks.ts';

/** Fields that one table of a workgroup may have; whatever invents more names is not a table. */
export const TABLE_FIELDS_LIMIT = 10_000;
/** A query for something unknown looks at the stored catalog again, at most this often. */
const RELOAD_AFTER_MS = 2000;

/** Blocks that can never be stored; the others of the batch can, without them. */
export class RefusedBlocks extends Error {
  /** ClickHouse's INCORRECT_DATA, as if the engine itself had refused them. */
  readonly code = '117';
  readonly blocks: readonly TelemetryBlock[];

  constructor(blocks: readonly TelemetryBlock[], reason: string) {
    super(reason);
    this.blocks = blocks;
  }
}

/** Runs a task while no other process runs one. */
export type Exclusively = <T>(task: () => Promise<T>) => Promise<T>;

export interface TableFields {
  /** Time at which the table got its first field, epoch ms. */
  readonly created: number;
  readonly n: Map<string, FieldSlot>;
  readonly s: Map<string, FieldSlot>;
}

type StoredField = [string, string, string, Kind, number, FieldSlot['type'], string, string];

/**
 * Which column holds a field, for every (workgroup, table). The catalog is part of the data: without it the numbered
 * columns cannot be read.
 *
 * A new field is durable before anybody uses its slot. A slot is never given to another field. Equal tables of
 * several workgroups share their slots where they can. `exclusively` guards the assignment; with several writing
 * processes it has to be a lock that they share.
 */
export class FieldCatalog {
  readonly #clickhouse: ClickHouse;
  readonly #exclusively: Exclusively | undefined;
  readonly #tables = new Map<string, Map<string, TableFields>>();
  /** By table name: the fields of its newest table in any workgroup. */
  readonly #models = new Map<string, TableFields>();
  #assigning: Promise<unknown> = Promise.resolve();
  #loadedAt = 0;

  constructor(clickhouse: ClickHouse, exclusively?: Exclusively) {
    this.#clickhouse = clickhouse;
    this.#exclusively = exclusively;
  }

  /** Takes everything stored into memory. */
  async load(): Promise<void> {
    const at = Date.now();
    await this.#read('');
    this.#loadedAt = at;
  }

  async #read(where: string, params: Record<string, string[]> = {}): Promise<void> {
    const rows = await this.#clickhouse.queryRows<StoredField>(
      `SELECT workgroup, tbl, field, kind, slot, type, units, toUnixTimestamp64Milli(created)
       FROM telemetry.fields FINAL WHERE retired = 0 ${where}`,
      { params, settings: { max_result_rows: 0 } },
    );
    for (const [workgroup, table, field, kind, slot, type, units, created] of rows) {
      this.#put(workgroup, table, { field, kind, slot, type, units }, Number(created));
    }
  }

  tables(workgroup: string): string[] {
    return [...(this.#tables.get(workgroup)?.keys() ?? [])].sort((a, b) => a.localeCompare(b));
  }

  get workgroups(): IterableIterator<string> {
    return this.#tables.keys();
  }

  forgetWorkgroup(workgroup: string): void {
    this.#tables.delete(workgroup);
  }

  /** Null where the workgroup has no such table. */
  table(workgroup: string, table: string): TableFields | null {
    return this.#tables.get(workgroup)?.get(table) ?? null;
  }

  /** As `table`, but looks into the store when the table or the field is unknown: another process may have made it. */
  async find(workgroup: string, table: string, field?: string): Promise<TableFields | null> {
    const known = this.table(workgroup, table);
    const isKnown = known && (field === undefined || known.n.has(field) || known.s.has(field));
    if (isKnown) return known;
    await this.refresh();
    return this.table(workgroup, table);
  }

  /** Learns what other processes have added, at most every few seconds. */
  async refresh(): Promise<void> {
    if (Date.now() - this.#loadedAt >= RELOAD_AFTER_MS) await this.load();
  }

  /** True when every field of the block has its slot, type and units already. */
  covers(block: TelemetryBlock): boolean {
    const fields = this.table(block.workgroup, block.stream.table);
    return fields !== null && block.stream.fields.every((field) => change(fields, field) === null);
  }

  /** Gives every field of the blocks a slot and makes that durable. Throws `RefusedBlocks`. */
  async ensure(blocks: readonly TelemetryBlock[]): Promise<void> {
    if (blocks.every((block) => this.covers(block))) return;
    const assign = () => this.#assign(blocks);
    const turn = this.#assigning.catch(() => {}).then(() => this.#exclusively?.(assign) ?? assign());
    this.#assigning = turn;
    await turn;
  }

  async #assign(blocks: readonly TelemetryBlock[]): Promise<void> {
    if (this.#exclusively) await this.#readTablesOf(blocks);
    const open = blocks.filter((block) => !this.covers(block));
    if (open.length === 0) return;
    const drafts = new Map<string, Draft>();
    const refused: TelemetryBlock[] = [];
    for (const block of open) {
      const { workgroup, stream } = block;
      const key = `${workgroup}\n${stream.table}`;
      const draft =
        drafts.get(key) ??
        new Draft(
          workgroup,
          stream.table,
          this.table(workgroup, stream.table),
          this.#models.get(stream.table),
        );
      drafts.set(key, draft);
      if (!draft.add(stream.fields)) refused.push(block);
    }
    if (refused.length > 0) {
      throw new RefusedBlocks(
        refused,
        `The table ${refused[0]?.stream.table} would get more than ${TABLE_FIELDS_LIMIT} fields.`,
      );
    }
    await this.#store([...drafts.values()]);
  }

  /** What other processes have assigned. */
  #readTablesOf(blocks: readonly TelemetryBlock[]): Promise<void> {
    return this.#read('AND workgroup IN {workgroups:Array(String)} AND tbl IN {tables:Array(String)}', {
      workgroups: [...new Set(blocks.map(({ workgroup }) => workgroup))],
      tables: [...new Set(blocks.map(({ stream }) => stream.table))],
    });
  }

  async #store(drafts: readonly Draft[]): Promise<void> {
    const now = Date.now();
    const lines: string[] = [];
    for (const { workgroup, table, changed, created } of drafts) {
      for (const { field, kind, slot, type, units } of changed) {
        lines.push(
          `${JSON.stringify({ workgroup, tbl: table, field, kind, slot, type, units, created: created ?? now, updated: now })}\n`,
        );
      }
    }
    await this.#clickhouse.insert(
      'INSERT INTO telemetry.fields FORMAT JSONEachRow',
      Buffer.from(lines.join('')),
    );
    for (const { workgroup, table, changed, created } of drafts) {
      for (const slot of changed) this.#put(workgroup, table, slot, created ?? now);
    }
  }

  #put(workgroup: string, table: string, slot: FieldSlot, created: number): void {
    const tables = this.#tables.get(workgroup) ?? new Map<string, TableFields>();
    this.#tables.set(workgroup, tables);
    const fields = tables.get(table) ?? { created, n: new Map(), s: new Map() };
    tables.set(table, fields);
    fields[slot.kind].set(slot.field, slot);
    const model = this.#models.get(table);
    if (!model || model.created <= fields.created) this.#models.set(table, fields);
  }
}

/** Stands for a table whose events have no fields, so that the table is known. */
const NAMELESS: BatchField = { name: '', type: 'decimal' };

/** The fields of one table while new ones are added. */
class Draft {
  readonly workgroup: string;
  readonly table: string;
  readonly changed: FieldSlot[] = [];
  readonly created: number | undefined;
  readonly #fields: TableFields;
  readonly #model: TableFields | undefined;
  readonly #taken: Readonly<Record<Kind, Set<number>>>;

  constructor(workgroup: string, table: string, now: TableFields | null, model: TableFields | undefined) {
    this.workgroup = workgroup;
    this.table = table;
    this.created = now?.created;
    this.#model = model;
    this.#fields = { created: 0, n: new Map(now?.n), s: new Map(now?.s) };
    this.#taken = { n: slotsOf(this.#fields.n), s: slotsOf(this.#fields.s) };
  }

  /** False when the table would have too many fields; nothing is added then. */
  add(given: readonly BatchField[]): boolean {
    const isNew = this.#fields.n.size + this.#fields.s.size === 0;
    const fields = given.length === 0 && isNew ? [NAMELESS] : given;
    const fresh = fields.filter((field) => !this.#fields[kindOf(field.type)].has(field.name));
    if (this.#fields.n.size + this.#fields.s.size + fresh.length > TABLE_FIELDS_LIMIT) return false;
    for (const field of fields) {
      const changed = change(this.#fields, field);
      if (!changed) continue;
      const known = this.#fields[changed.kind].get(changed.field);
      const slot = { ...changed, slot: known?.slot ?? this.#freeSlot(changed.kind, changed.field) };
      this.#fields[slot.kind].set(slot.field, slot);
      this.changed.push(slot);
    }
    return true;
  }

  #freeSlot(kind: Kind, field: string): number {
    const taken = this.#taken[kind];
    const reserved = this.#model ? slotsOf(this.#model[kind]) : new Set<number>();
    const own = this.#model?.[kind].get(field)?.slot ?? OVERFLOW;
    if (field === NAMELESS.name) return OVERFLOW;
    const free = Array.from({ length: SLOTS[kind] }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    const slot = free.includes(own) ? own : (free.find((one) => !reserved.has(one)) ?? free[0] ?? OVERFLOW);
    if (slot !== OVERFLOW) taken.add(slot);
    return slot;
  }
}

const slotsOf = (fields: ReadonlyMap<string, FieldSlot>): Set<number> =>
  new Set([...fields.values()].map(({ slot }) => slot).filter((slot) => slot !== OVERFLOW));

/** What the catalog has to learn from a field; null when it knows it. The slot is left to be chosen. */
function change(fields: TableFields, { name, type, units }: BatchField): FieldSlot | null {
  const kind = kindOf(type);
  const known = fields[kind].get(name);
  if (!known) return { field: name, kind, slot: OVERFLOW, type, units: units ?? '' };
  const wider = known.type === type || known.type === 'decimal' ? known.type : 'decimal';
  // Devices that disagree about the units of a field would rewrite it for ever: the first word stands.
  const kept = known.units || units || '';
  return wider === known.type && kept === known.units ? null : { ...known, type: wider, units: kept };
}
