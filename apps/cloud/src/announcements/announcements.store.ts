import type { AnnouncementDraft } from '@albedo/contract/announcements/announcements.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { announcementDismissals, announcements } from './announcements.tables.ts';

export type AnnouncementRow = typeof announcements.$inferSelect;

/** How many of the newest a user is told, and the staff. */
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

  /** Those that have begun, newest first, and whether the user dismissed them. */
  async begun(userId: string, now: Date): Promise<{ row: AnnouncementRow; isAcknowledged: boolean }[]> {
    const ofUser = and(
      eq(announcementDismissals.announcementId, announcements.id),
      eq(announcementDismissals.userId, userId),
    );
    const rows = await this.#postgres.db
      .select({ row: announcements, dismissedAt: announcementDismissals.at })
      .from(announcements)
      .leftJoin(announcementDismissals, ofUser)
      .where(lte(announcements.startDate, now))
      .orderBy(desc(announcements.startDate), desc(announcements.createdAt))
      .limit(TOLD);
    return rows.map(({ row, dismissedAt }) => ({ row, isAcknowledged: dismissedAt !== null }));
  }

  async get(id: string): Promise<AnnouncementRow | null> {
    const [row] = await this.#postgres.db.select().from(announcements).where(eq(announcements.id, id));
    return row ?? null;
  }

  /** False when there is no such announcement. */
  async dismiss(id: string, userId: string): Promise<boolean> {
    if (!(await this.get(id))) return false;
    const { db } = this.#postgres;
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

const valuesOf = ({ title, bodyMarkdown, startDate, endDate }: AnnouncementDraft) => ({
  title,
  bodyMarkdown,
  startDate: new Date(startDate),
  endDate: new Date(endDate),
});
