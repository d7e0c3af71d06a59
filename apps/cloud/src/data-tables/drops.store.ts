import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne, together } from '@albedo/postgres/together';
import { and, asc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { cleanings, drops, legalHolds } from './data-tables.tables.ts';

export type HoldRow = typeof legalHolds.$inferSelect;
export type DropRow = typeof drops.$inferSelect;
export type CleaningRow = typeof cleanings.$inferSelect;
/** What is dropped or held: one month of a table (its first day in UTC), or all of it. */
export interface Part {
  workgroup: string;
  table: string;
  month: string | null;
}

/** Legal holds and dropped data, in SQL. */
export class DropsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Holds and drops of a table go one after the other, so that neither misses the other. */
  alone<T>({ workgroup, table }: Pick<Part, 'workgroup' | 'table'>, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `drop ${workgroup} ${table}`, task);
  }

  together<T>(task: () => Promise<T>): Promise<T> {
    return together(this.#postgres, task);
  }

  holds(workgroup: string, table?: string): Promise<HoldRow[]> {
    return this.#postgres.db
      .select()
      .from(legalHolds)
      .where(
        and(
          eq(legalHolds.workgroup, workgroup),
          table === undefined ? undefined : eq(legalHolds.table, table),
        ),
      )
      .orderBy(asc(legalHolds.table), sql`${legalHolds.month} nulls first`, asc(legalHolds.at));
  }

  async addHold(row: Omit<HoldRow, 'id'>): Promise<HoldRow> {
    const [added] = await this.#postgres.db.insert(legalHolds).values(row).returning();
    if (!added) throw new Error('The database returned no row for a legal hold.');
    return added;
  }

  async removeHold(workgroup: string, id: string): Promise<HoldRow | undefined> {
    const [row] = await this.#postgres.db
      .delete(legalHolds)
      .where(and(eq(legalHolds.workgroup, workgroup), eq(legalHolds.id, id)))
      .returning();
    return row;
  }

  drops(workgroup: string, table: string): Promise<DropRow[]> {
    return this.#postgres.db
      .select()
      .from(drops)
      .where(and(eq(drops.workgroup, workgroup), eq(drops.table, table)))
      .orderBy(asc(drops.month));
  }

  /** Of all workgroups: drops that run or failed. */
  unfinished(): Promise<DropRow[]> {
    return this.#postgres.db
      .select()
      .from(drops)
      .where(or(isNull(drops.doneAt), isNotNull(drops.action)));
  }

  /** Dropped months of all workgroups. */
  droppedMonths(): Promise<DropRow[]> {
    return this.#postgres.db
      .select()
      .from(drops)
      .where(and(ne(drops.month, ''), isNotNull(drops.doneAt)));
  }

  /** Marks it as running. An earlier drop of it stays recorded, with its counts. */
  async begin({ workgroup, table, month }: Part, action: string, by: string, at: Date): Promise<void> {
    await this.#postgres.db
      .insert(drops)
      .values({ workgroup, table, month: month ?? '', by, at, action })
      .onConflictDoUpdate({ target: [drops.workgroup, drops.table, drops.month], set: { action } });
  }

  /** A whole table is not recorded as dropped, since later events are stored. */
  async end(part: Part, action: string, by: string, events: number, doneAt: Date): Promise<void> {
    const isOwn = and(is(part), eq(drops.action, action));
    if (part.month === null) await this.#postgres.db.delete(drops).where(isOwn);
    else
      await this.#postgres.db
        .update(drops)
        .set({ doneAt, by, at: doneAt, action: null, events: sql`${drops.events} + ${events}` })
        .where(isOwn);
  }

  /** Forgets a drop that failed; an earlier one stays recorded. */
  async forget(part: Part): Promise<void> {
    await this.#postgres.db.delete(drops).where(and(is(part), isNull(drops.doneAt)));
    await this.#postgres.db.update(drops).set({ action: null }).where(is(part));
  }

  cleanings(workgroup: string, table: string): Promise<CleaningRow[]> {
    return this.#postgres.db
      .select()
      .from(cleanings)
      .where(and(eq(cleanings.workgroup, workgroup), eq(cleanings.table, table)));
  }

  /** Cleanings of all workgroups that earlier nights left unfinished. */
  allCleanings(): Promise<CleaningRow[]> {
    return this.#postgres.db.select().from(cleanings).orderBy(asc(cleanings.at));
  }

  async beginCleaning(row: CleaningRow): Promise<void> {
    await this.#postgres.db
      .insert(cleanings)
      .values(row)
      .onConflictDoUpdate({
        target: [cleanings.workgroup, cleanings.table, cleanings.month],
        set: { before: sql`greatest(${cleanings.before}, excluded.before)` },
      });
  }

  async endCleaning({ workgroup, table, month }: CleaningRow): Promise<void> {
    const isMonth = and(eq(cleanings.table, table), eq(cleanings.month, month));
    await this.#postgres.db.delete(cleanings).where(and(eq(cleanings.workgroup, workgroup), isMonth));
  }

  async noteLater(part: Part, events: number): Promise<void> {
    await this.#postgres.db
      .update(drops)
      .set({ cameLater: sql`${drops.cameLater} + ${events}` })
      .where(is(part));
  }
}

const is = ({ workgroup, table, month }: Part) =>
  and(eq(drops.workgroup, workgroup), eq(drops.table, table), eq(drops.month, month ?? ''));
