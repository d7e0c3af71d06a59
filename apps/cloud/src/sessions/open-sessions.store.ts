import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, inArray, lte } from 'drizzle-orm';
import { openSessions, users } from '../database/sessions.tables.ts';
import { workgroupSettings } from '../database/workgroups.tables.ts';

export type OpenSession = typeof openSessions.$inferSelect;

/** Sessions that are in use, in SQL. */
export class OpenSessionsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(jti: string): Promise<OpenSession | undefined> {
    return (await this.#postgres.db.select().from(openSessions).where(eq(openSessions.jti, jti)))[0];
  }

  /** Keeps a session that is new here, unless its user is gone. */
  async add(row: Omit<OpenSession, 'confirmedAt'>): Promise<void> {
    await this.#postgres.db.delete(openSessions).where(lte(openSessions.expiresAt, new Date()));
    const [user] = await this.#postgres.db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, row.userId));
    if (user) await this.#postgres.db.insert(openSessions).values(row).onConflictDoNothing();
  }

  async setSeen(jti: string, seenAt: Date, address: string): Promise<void> {
    await this.#postgres.db.update(openSessions).set({ seenAt, address }).where(eq(openSessions.jti, jti));
  }

  async setConfirmed(jti: string, confirmedAt: number): Promise<void> {
    await this.#postgres.db.update(openSessions).set({ confirmedAt }).where(eq(openSessions.jti, jti));
  }

  /** The sessions whose holders confirmed that it is them after they had signed in. */
  async confirmed(): Promise<{ jti: string; confirmedAt: number; expiresAt: number }[]> {
    const rows = await this.#postgres.db
      .select({
        jti: openSessions.jti,
        confirmedAt: openSessions.confirmedAt,
        expiresAt: openSessions.expiresAt,
      })
      .from(openSessions)
      .where(gt(openSessions.expiresAt, new Date()));
    return rows.flatMap(({ jti, confirmedAt, expiresAt }) =>
      confirmedAt === null ? [] : [{ jti, confirmedAt, expiresAt: expiresAt.getTime() }],
    );
  }

  /** Those of the user that are not over, the latest used first. */
  async ofUser(userId: string): Promise<OpenSession[]> {
    return this.#postgres.db
      .select()
      .from(openSessions)
      .where(and(eq(openSessions.userId, userId), gt(openSessions.expiresAt, new Date())))
      .orderBy(desc(openSessions.seenAt));
  }

  async remove(jtis: readonly string[]): Promise<void> {
    if (jtis.length > 0)
      await this.#postgres.db.delete(openSessions).where(inArray(openSessions.jti, [...jtis]));
  }

  /** Minutes without a sign of life after which sessions end, by workgroup; of one alone when it is named. */
  async limits(workgroup?: string): Promise<Map<string, number>> {
    const isLimit = eq(workgroupSettings.key, 'inactivityMinutes');
    const rows = await this.#postgres.db
      .select()
      .from(workgroupSettings)
      .where(workgroup === undefined ? isLimit : and(isLimit, eq(workgroupSettings.workgroup, workgroup)));
    return new Map(rows.map((row) => [row.workgroup, Number(row.value)]));
  }
}
