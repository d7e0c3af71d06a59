import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { drops, legalHolds } from './data-tables.tables.ts';

export type HoldRow = typeof legalHolds.$inferSelect;
export type DropRow = typeof drops.$inferSelect;
/** What is dropped or held: a month (its first day in UTC), or all of a table. */
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

  /** Holds and drops of a table follow each other, so that none slips past the other. */
  alone<T>({ workgroup, table }: Pick<Part, 'workgroup' | 'table'>, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `drop ${workgroup} ${table}`, task);
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

  /** Of all workgroups, for what runs at night. */
  allHolds(): Promise<HoldRow[]> {
    return this.#postgres.db.select().from(legalHolds);
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

  /** Months that were dropped, of all workgroups. */
  droppedMonths(): Promise<DropRow[]> {
    return this.#postgres.db
      .select()
      .from(drops)
      .where(and(ne(drops.month, ''), isNotNull(drops.doneAt)));
  }

  async begin({ workgroup, table, month }: Part, by: string, at: Date): Promise<void> {
    const again = { by, at, doneAt: null };
    await this.#postgres.db
      .insert(drops)
      .values({ workgroup, table, month: month ?? '', by, at })
      .onConflictDoUpdate({ target: [drops.workgroup, drops.table, drops.month], set: again });
  }

  /** A whole table is not kept as dropped: what comes later is stored. */
  async end(part: Part, events: number, doneAt: Date): Promise<void> {
    if (part.month === null) await this.forget(part);
    else
      await this.#postgres.db
        .update(drops)
        .set({ doneAt, events: sql`${drops.events} + ${events}` })
        .where(is(part));
  }

  async forget(part: Part): Promise<void> {
    await this.#postgres.db.delete(drops).where(is(part));
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
