import type { AnnouncementDraft } from '@albedo/contract/announcements/announcements.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { members, workgroups } from '../database/workgroups.tables.ts';
import { announcementDismissals, announcements } from './announcements.tables.ts';

export type AnnouncementRow = typeof announcements.$inferSelect;

/** How many of the newest a user gets, and the staff. */
const TOLD = 100;
const LISTED = 1000;

/** Announcements, in SQL. They are the provider's and belong to no workgroup. */
export class AnnouncementsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(): Promise<AnnouncementRow[]> {
    return this.#postgres.db
      .select()
      .from(announcements)
      .orderBy(desc(announcements.startDate), desc(announcements.createdAt))
      .limit(LISTED);
  }

  /** Those for the user that have begun, newest first, and whether the user dismissed them. */
  async begun(userId: string, now: Date): Promise<{ row: AnnouncementRow; isAcknowledged: boolean }[]> {
    const ofUser = and(
      eq(announcementDismissals.announcementId, announcements.id),
      eq(announcementDismissals.userId, userId),
    );
    const rows = await this.#postgres.db
      .select({ row: announcements, dismissedAt: announcementDismissals.at })
      .from(announcements)
      .leftJoin(announcementDismissals, ofUser)
      .where(and(lte(announcements.startDate, now), isFor(userId)))
      .orderBy(desc(announcements.startDate), desc(announcements.createdAt))
      .limit(TOLD);
    return rows.map(({ row, dismissedAt }) => ({ row, isAcknowledged: dismissedAt !== null }));
  }

  async get(id: string): Promise<AnnouncementRow | null> {
    const [row] = await this.#postgres.db.select().from(announcements).where(eq(announcements.id, id));
    return row ?? null;
  }

  /** False when there is no such announcement for the user. */
  async dismiss(id: string, userId: string): Promise<boolean> {
    const { db } = this.#postgres;
    const told = await db
      .select({ id: announcements.id })
      .from(announcements)
      .where(and(eq(announcements.id, id), isFor(userId)));
    if (told.length === 0) return false;
    // Taken away in this very moment, there is nothing left to dismiss.
    await db.execute(sql`
      insert into ${announcementDismissals} (announcement_id, user_id)
      select ${announcements.id}, ${userId}::uuid from ${announcements} where ${announcements.id} = ${id}
      on conflict do nothing`);
    return true;
  }

  async add(draft: AnnouncementDraft, createdBy: string): Promise<AnnouncementRow> {
    const [row] = await this.#postgres.db
      .insert(announcements)
      .values({ ...valuesOf(draft), createdBy })
      .returning();
    if (!row) throw new Error('The announcement was not stored.');
    return row;
  }

  update(id: string, draft: AnnouncementDraft): Promise<AnnouncementRow | null> {
    return this.#set(id, valuesOf(draft));
  }

  setThumbnail(id: string, key: string | null, type: string | null): Promise<AnnouncementRow | null> {
    return this.#set(id, { thumbnailKey: key, thumbnailType: type });
  }

  /** Those of the names that no workgroup has. */
  async unknown(names: readonly string[]): Promise<string[]> {
    const known = await this.#postgres.db
      .select({ name: workgroups.name })
      .from(workgroups)
      .where(inArray(workgroups.name, [...names]));
    return names.filter((name) => !known.some((one) => one.name === name));
  }

  async remove(id: string): Promise<AnnouncementRow | null> {
    const [row] = await this.#postgres.db.delete(announcements).where(eq(announcements.id, id)).returning();
    return row ?? null;
  }

  async #set(
    id: string,
    values: Partial<typeof announcements.$inferInsert>,
  ): Promise<AnnouncementRow | null> {
    const [row] = await this.#postgres.db
      .update(announcements)
      .set(values)
      .where(eq(announcements.id, id))
      .returning();
    return row ?? null;
  }
}

/** Asked again each time: people who join one of its workgroups later see it then. */
const isFor = (userId: string) =>
  or(
    isNull(announcements.workgroups),
    sql`exists (select 1 from ${members} where ${members.userId} = ${userId}
      and jsonb_exists(${announcements.workgroups}, ${members.workgroup}))`,
  );

const valuesOf = ({ title, bodyMarkdown, startDate, endDate, workgroups: told }: AnnouncementDraft) => ({
  title,
  bodyMarkdown,
  workgroups: told,
  startDate: new Date(startDate),
  endDate: new Date(endDate),
});
