import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { ssoAssertions, ssoRequests } from '../database/identity-providers.tables.ts';

export type SsoRequest = typeof ssoRequests.$inferSelect;

/** Sign-ins that are under way, in SQL, so that any process can take the answer. */
export class SsoRequestsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async add(row: typeof ssoRequests.$inferInsert): Promise<void> {
    const { db } = this.#postgres;
    await db.delete(ssoRequests).where(lt(ssoRequests.expiresAt, row.createdAt));
    await db.delete(ssoAssertions).where(lt(ssoAssertions.expiresAt, row.createdAt));
    await db.insert(ssoRequests).values(row);
  }

  async isKnown(id: string): Promise<boolean> {
    const { db } = this.#postgres;
    return (
      (await db.select({ id: ssoRequests.id }).from(ssoRequests).where(eq(ssoRequests.id, id))).length > 0
    );
  }

  /** The request, for its one answer; undefined when it is unknown, over, or was answered before. */
  async takeForAnswer(id: string, now: Date): Promise<SsoRequest | undefined> {
    const isOpen = and(
      eq(ssoRequests.id, id),
      isNull(ssoRequests.answeredAt),
      gt(ssoRequests.expiresAt, now),
    );
    const { db } = this.#postgres;
    return (await db.update(ssoRequests).set({ answeredAt: now }).where(isOpen).returning())[0];
  }

  /** Whom the answer named; good until `expiresAt`. */
  async grant(id: string, userId: string, expiresAt: Date): Promise<void> {
    await this.#postgres.db.update(ssoRequests).set({ userId, expiresAt }).where(eq(ssoRequests.id, id));
  }

  /** Ends the sign-in in the browser that began it; undefined in any other one, and the second time. */
  async finish(id: string, browserHash: string, now: Date): Promise<SsoRequest | undefined> {
    const isGranted = and(
      eq(ssoRequests.id, id),
      eq(ssoRequests.browserHash, browserHash),
      isNotNull(ssoRequests.userId),
      gt(ssoRequests.expiresAt, now),
    );
    return (await this.#postgres.db.delete(ssoRequests).where(isGranted).returning())[0];
  }

  /** False for an assertion that was accepted before. */
  async isNewAssertion(idpId: string, id: string, expiresAt: Date): Promise<boolean> {
    const { db } = this.#postgres;
    const rows = await db
      .insert(ssoAssertions)
      .values({ idpId, id, expiresAt })
      .onConflictDoNothing()
      .returning({ id: ssoAssertions.id });
    return rows.length > 0;
  }
}
