import type {
  HistoryCounts,
  HistoryImport,
  HistoryPlan,
  HistoryState,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { historyImports } from './history-imports.tables.ts';
import type { StoredPart } from './stored-file.ts';

export type HistoryRow = typeof historyImports.$inferSelect;
export type HistoryChange = Partial<
  Pick<
    HistoryRow,
    | 'state'
    | 'counts'
    | 'faults'
    | 'firstAt'
    | 'lastAt'
    | 'error'
    | 'parts'
    | 'action'
    | 'seenAt'
    | 'plan'
    | 'replaced'
  >
>;

/** A long action without a sign of life for so long is over, ms. */
const DEAD_MS = 15 * 60_000;

export const NO_COUNTS: HistoryCounts = {
  records: 0,
  events: 0,
  stored: 0,
  existing: 0,
  repeated: 0,
  faulty: 0,
  values: 0,
  replaced: 0,
};

/** Imports of history, in SQL. */
export class HistoryImportsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Newest first. */
  list(workgroup: string, count: number): Promise<HistoryRow[]> {
    return this.#postgres.db
      .select()
      .from(historyImports)
      .where(eq(historyImports.workgroup, workgroup))
      .orderBy(desc(historyImports.createdAt), desc(historyImports.serial))
      .limit(count);
  }

  /** Of those whose files lie here or come. */
  countFiles(workgroup: string): Promise<number> {
    const isHere = or(
      eq(historyImports.state, 'uploading'),
      sql`jsonb_array_length(${historyImports.parts}) > 0`,
    );
    return this.#postgres.db.$count(historyImports, and(eq(historyImports.workgroup, workgroup), isHere));
  }

  async find(workgroup: string, id: string): Promise<HistoryRow | undefined> {
    const [row] = await this.#postgres.db.select().from(historyImports).where(isImport(workgroup, id));
    return row;
  }

  /** Those whose events have numbers of these parts. */
  bySerials(workgroup: string, serials: readonly number[]): Promise<HistoryRow[]> {
    return this.#postgres.db
      .select()
      .from(historyImports)
      .where(and(eq(historyImports.workgroup, workgroup), inArray(historyImports.serial, [...serials])));
  }

  /** One that took events with numbers from `first` on out of the store, and is in their place. */
  async replacerOf(workgroup: string, first: number): Promise<HistoryRow | undefined> {
    const numbers = JSON.stringify([{ numbers: [first] }]);
    const [row] = await this.#postgres.db
      .select()
      .from(historyImports)
      .where(
        and(eq(historyImports.workgroup, workgroup), sql`${historyImports.replaced} @> ${numbers}::jsonb`),
      )
      .orderBy(desc(historyImports.serial))
      .limit(1);
    return row;
  }

  /** For its long actions. */
  async byId(id: string): Promise<HistoryRow | undefined> {
    const [row] = await this.#postgres.db.select().from(historyImports).where(eq(historyImports.id, id));
    return row;
  }

  async add(values: Pick<HistoryRow, 'workgroup' | 'name' | 'format' | 'bytes' | 'by'>): Promise<HistoryRow> {
    const [row] = await this.#postgres.db
      .insert(historyImports)
      .values({ ...values, counts: NO_COUNTS })
      .returning();
    if (!row) throw new Error('The database returned no row for a new import.');
    return row;
  }

  /** Null where the part does not go on where the last one ended. */
  async addPart(workgroup: string, id: string, from: number, part: StoredPart): Promise<HistoryRow | null> {
    const { received, bytes, state, parts } = historyImports;
    const fits = sql`${received} + ${part.bytes} <= ${bytes}`;
    const [row] = await this.#postgres.db
      .update(historyImports)
      .set({
        parts: sql`${parts} || ${JSON.stringify([part])}::jsonb`,
        received: sql`${received} + ${part.bytes}`,
        state: sql`case when ${received} + ${part.bytes} = ${bytes} then 'ready' else ${state} end`,
      })
      .where(and(isImport(workgroup, id), eq(received, from), eq(state, 'uploading'), fits))
      .returning();
    return row ?? null;
  }

  /** Changes one that is in one of these states, or whose long action died; null for any other. */
  async move(
    workgroup: string,
    id: string,
    from: readonly HistoryState[],
    change: HistoryChange & { state: HistoryState },
  ): Promise<HistoryRow | null> {
    const dead = and(
      inArray(historyImports.state, ['running', 'undoing']),
      lt(historyImports.seenAt, new Date(Date.now() - DEAD_MS)),
    );
    const allowed =
      change.state === 'undoing'
        ? or(inArray(historyImports.state, [...from]), dead)
        : inArray(historyImports.state, [...from]);
    const [row] = await this.#postgres.db
      .update(historyImports)
      .set(change)
      .where(and(isImport(workgroup, id), allowed))
      .returning();
    return row ?? null;
  }

  async set(id: string, change: HistoryChange): Promise<void> {
    await this.#postgres.db.update(historyImports).set(change).where(eq(historyImports.id, id));
  }

  /** A long action was cancelled before it ran. */
  async notBegun(action: string): Promise<HistoryRow | null> {
    const [row] = await this.#postgres.db
      .update(historyImports)
      .set({ state: 'cancelled' })
      .where(
        and(
          eq(historyImports.action, action),
          isNull(historyImports.seenAt),
          inArray(historyImports.state, ['running', 'undoing']),
        ),
      )
      .returning();
    return row ?? null;
  }

  async remove(workgroup: string, id: string, states: readonly HistoryState[]): Promise<HistoryRow | null> {
    const [row] = await this.#postgres.db
      .delete(historyImports)
      .where(and(isImport(workgroup, id), inArray(historyImports.state, [...states])))
      .returning();
    return row ?? null;
  }

  /** Those with files that nobody has used since an instant. */
  forgotten(before: Date): Promise<HistoryRow[]> {
    return this.#postgres.db
      .select()
      .from(historyImports)
      .where(
        and(
          lt(historyImports.createdAt, before),
          inArray(historyImports.state, ['uploading', 'ready', 'cancelled', 'failed']),
          or(eq(historyImports.state, 'uploading'), sql`jsonb_array_length(${historyImports.parts}) > 0`),
        ),
      );
  }

  withFiles(workgroup: string): Promise<HistoryRow[]> {
    return this.#postgres.db
      .select()
      .from(historyImports)
      .where(
        and(
          eq(historyImports.workgroup, workgroup),
          sql`jsonb_array_length(${historyImports.parts}) + jsonb_array_length(${historyImports.replaced}) > 0`,
        ),
      );
  }
}

const isImport = (workgroup: string, id: string) =>
  and(eq(historyImports.workgroup, workgroup), eq(historyImports.id, id));

/** As people see it. */
export const shown = (row: HistoryRow): HistoryImport => ({
  _id: row.id,
  name: row.name,
  format: row.format,
  bytes: row.bytes,
  received: row.received,
  state: row.state,
  plan: row.plan as HistoryPlan | null,
  counts: row.counts,
  faults: row.faults,
  firstAt: row.firstAt?.getTime() ?? null,
  lastAt: row.lastAt?.getTime() ?? null,
  error: row.error,
  by: row.by,
  createdAt: row.createdAt.getTime(),
  action: row.action,
});
