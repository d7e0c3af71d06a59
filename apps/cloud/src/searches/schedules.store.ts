import type { NewSchedule, ScheduleStop } from '@albedo/contract/searches/searches.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { unlessGone } from '@albedo/postgres/unless-taken';
import { and, asc, eq, lte } from 'drizzle-orm';
import { searchSchedules } from './searches.tables.ts';

export type ScheduleRow = typeof searchSchedules.$inferSelect;

/** Whose schedule for which search. */
export interface OfOwner {
  workgroup: string;
  searchId: string;
  ownerId: string;
}

/** When and to whom searches are mailed, in SQL. */
export class SchedulesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(effect: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(effect);
  }

  async find(of: OfOwner): Promise<ScheduleRow | undefined> {
    return (await this.#postgres.db.select().from(searchSchedules).where(isOf(of)))[0];
  }

  async byId(id: string): Promise<ScheduleRow | undefined> {
    return (await this.#postgres.db.select().from(searchSchedules).where(eq(searchSchedules.id, id)))[0];
  }

  /** Puts it in the place of what was. Undefined where the search is gone. */
  async set(of: OfOwner, schedule: NewSchedule, nextAt: Date | null): Promise<ScheduleRow | undefined> {
    const change = { schedule, nextAt, stopped: null };
    const rows = this.#postgres.db
      .insert(searchSchedules)
      .values({ ...of, ...change })
      .onConflictDoUpdate({ target: [searchSchedules.searchId, searchSchedules.ownerId], set: change })
      .returning()
      .execute();
    return (await unlessGone(rows, []))[0];
  }

  /** False where there is none. */
  async remove(of: OfOwner): Promise<boolean> {
    const rows = await this.#postgres.db.delete(searchSchedules).where(isOf(of)).returning();
    return rows.length > 0;
  }

  /** All of a search; answers how many there were. */
  async removeOf({ workgroup, searchId }: Omit<OfOwner, 'ownerId'>): Promise<number> {
    const { workgroup: wg, searchId: search } = searchSchedules;
    const isOfSearch = and(eq(wg, workgroup), eq(search, searchId));
    return (await this.#postgres.db.delete(searchSchedules).where(isOfSearch).returning()).length;
  }

  /** Those whose time has come, the longest first. */
  due(now: Date, most: number): Promise<ScheduleRow[]> {
    return this.#postgres.db
      .select()
      .from(searchSchedules)
      .where(lte(searchSchedules.nextAt, now))
      .orderBy(asc(searchSchedules.nextAt))
      .limit(most)
      .execute();
  }

  /** False where it was moved on already, or changed. */
  async moveOn({ id, nextAt }: ScheduleRow, to: Date, inside: Transaction): Promise<boolean> {
    if (!nextAt) return false;
    const isSame = and(eq(searchSchedules.id, id), eq(searchSchedules.nextAt, nextAt));
    const rows = await inside.update(searchSchedules).set({ nextAt: to }).where(isSame).returning();
    return rows.length > 0;
  }

  async sent(id: string, sentRecords: number, inside: Transaction): Promise<void> {
    const sent = { sentAt: new Date(), sentRecords };
    await inside.update(searchSchedules).set(sent).where(eq(searchSchedules.id, id));
  }

  async stop(id: string, stopped: ScheduleStop, inside: Transaction): Promise<void> {
    await inside.update(searchSchedules).set({ nextAt: null, stopped }).where(eq(searchSchedules.id, id));
  }
}

const isOf = ({ workgroup, searchId, ownerId }: OfOwner) =>
  and(
    eq(searchSchedules.workgroup, workgroup),
    eq(searchSchedules.searchId, searchId),
    eq(searchSchedules.ownerId, ownerId),
  );
