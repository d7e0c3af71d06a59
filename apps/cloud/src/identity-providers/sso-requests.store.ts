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

  /** Whom the answer named, and when they signed in there; good until `expiresAt`. */
  async grant(
    id: string,
    granted: { userId: string; authenticatedAt: Date | null; expiresAt: Date },
  ): Promise<void> {
    await this.#postgres.db.update(ssoRequests).set(granted).where(eq(ssoRequests.id, id));
  }

  /** Ends the sign-in in the browser that began it; undefined in any other one, and the second time. */
  async finish(id: string, browserHash: string, now: Date): Promise<SsoRequest | undefined> {
    const isSignIn = and(isGranted(id, now), ofBrowser(browserHash), isNull(ssoRequests.confirms));
    return (await this.#postgres.db.delete(ssoRequests).where(isSignIn).returning())[0];
  }

  /** Notes that the browser that began a confirmation is back; false in any other one, and for a sign-in. */
  async noteReturn(id: string, browserHash: string, now: Date): Promise<boolean> {
    const isConfirmation = and(isGranted(id, now), ofBrowser(browserHash), isNotNull(ssoRequests.confirms));
    const { db } = this.#postgres;
    return (
      (await db.update(ssoRequests).set({ returnedAt: now }).where(isConfirmation).returning()).length > 0
    );
  }

  /** The confirmation of a session that came back, once; undefined where there is none. */
  async takeConfirmation(id: string, jti: string, now: Date): Promise<SsoRequest | undefined> {
    const isBack = and(isGranted(id, now), eq(ssoRequests.confirms, jti), isNotNull(ssoRequests.returnedAt));
    return (await this.#postgres.db.delete(ssoRequests).where(isBack).returning())[0];
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

const isGranted = (id: string, now: Date) =>
  and(eq(ssoRequests.id, id), isNotNull(ssoRequests.userId), gt(ssoRequests.expiresAt, now));

const ofBrowser = (browserHash: string) => eq(ssoRequests.browserHash, browserHash);
