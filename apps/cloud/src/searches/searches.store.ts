import type { ChangedSearch, NewSearch, SearchOverview } from '@albedo/contract/searches/searches.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { searches, searchSchedules } from './searches.tables.ts';

export type SearchRow = typeof searches.$inferSelect;

/** Saved searches, in SQL. */
export class SearchesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Those of the person and those that are shared, by name. */
  list(workgroup: string, userId: string): Promise<SearchRow[]> {
    const seen = or(eq(searches.isShared, true), eq(searches.ownerId, userId));
    return this.#postgres.db
      .select()
      .from(searches)
      .where(and(eq(searches.workgroup, workgroup), seen))
      .orderBy(byName, searches.id)
      .execute();
  }

  async find(workgroup: string, id: string): Promise<SearchRow | undefined> {
    return (await this.#postgres.db.select().from(searches).where(isSearch(workgroup, id)))[0];
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(searches, eq(searches.workgroup, workgroup));
  }

  async add(workgroup: string, ownerId: string, { name, ...content }: NewSearch): Promise<SearchRow> {
    const [row] = await this.#postgres.db
      .insert(searches)
      .values({ workgroup, ownerId, name, content })
      .returning();
    if (!row) throw new Error('The database returned no row for a new search.');
    return row;
  }

  /** The next version; undefined where it is gone, or no longer has the version that was changed. */
  set(
    workgroup: string,
    id: string,
    { name, version, ...content }: ChangedSearch,
  ): Promise<SearchRow | undefined> {
    const isSame = version === undefined ? undefined : eq(searches.version, version);
    return this.#update(workgroup, id, { name, content, version: sql`${searches.version} + 1` }, isSame);
  }

  /** Undefined where it is gone. */
  setShared(workgroup: string, id: string, isShared: boolean): Promise<SearchRow | undefined> {
    return this.#update(workgroup, id, { isShared });
  }

  /** With its schedules. Undefined where it is gone. */
  async remove(workgroup: string, id: string): Promise<SearchRow | undefined> {
    return (await this.#postgres.db.delete(searches).where(isSearch(workgroup, id)).returning())[0];
  }

  /** All of them, by name. */
  async overview(workgroup: string): Promise<SearchOverview[]> {
    const { db } = this.#postgres;
    const [rows, schedules] = await Promise.all([
      db
        .select({ row: searches, owner: users.email })
        .from(searches)
        .leftJoin(users, eq(users.id, searches.ownerId))
        .where(eq(searches.workgroup, workgroup))
        .orderBy(byName, searches.id),
      db
        .select({ row: searchSchedules, owner: users.email })
        .from(searchSchedules)
        .innerJoin(users, eq(users.id, searchSchedules.ownerId))
        .where(eq(searchSchedules.workgroup, workgroup))
        .orderBy(users.email),
    ]);
    const bySearch = Map.groupBy(schedules, ({ row }) => row.searchId);
    return rows.map(({ row: { id, name, content, isShared, updatedAt }, owner }) => ({
      _id: id,
      name,
      table: content.table,
      owner,
      isShared,
      updatedAt: updatedAt.getTime(),
      schedules: (bySearch.get(id) ?? []).map(({ row, owner: by }) => ({
        owner: by,
        enabled: row.nextAt !== null,
        recipients: row.schedule.recipients,
      })),
    }));
  }

  async #update(
    workgroup: string,
    id: string,
    change: PgUpdateSetSource<typeof searches>,
    condition?: SQL,
  ): Promise<SearchRow | undefined> {
    const rows = await this.#postgres.db
      .update(searches)
      .set({ ...change, updatedAt: new Date() })
      .where(and(isSearch(workgroup, id), condition))
      .returning();
    return rows[0];
  }
}

const byName = sql`lower(${searches.name})`;
const isSearch = (workgroup: string, id: string) =>
  and(eq(searches.workgroup, workgroup), eq(searches.id, id));
