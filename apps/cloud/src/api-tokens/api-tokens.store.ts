import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { apiTokens } from './api-tokens.tables.ts';

export type ApiTokenRow = typeof apiTokens.$inferSelect;

/** API tokens, in SQL. */
export class ApiTokensStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<ApiTokenRow[]> {
    return this.#postgres.db
      .select()
      .from(apiTokens)
      .where(eq(apiTokens.workgroup, workgroup))
      .orderBy(desc(apiTokens.createdAt));
  }

  async find(workgroup: string, id: string): Promise<ApiTokenRow | undefined> {
    return (await this.#postgres.db.select().from(apiTokens).where(isToken(workgroup, id)))[0];
  }

  async add(row: typeof apiTokens.$inferInsert): Promise<ApiTokenRow> {
    const [stored] = await this.#postgres.db.insert(apiTokens).values(row).returning();
    if (!stored) throw new Error('the API token was not stored');
    return stored;
  }

  async setCanRenew(workgroup: string, id: string, canRenew: boolean): Promise<ApiTokenRow | undefined> {
    const { db } = this.#postgres;
    return (await db.update(apiTokens).set({ canRenew }).where(isToken(workgroup, id)).returning())[0];
  }

  /** Undefined when it cannot be renewed, or not any more. */
  async renew(workgroup: string, id: string, expiresAt: Date): Promise<ApiTokenRow | undefined> {
    const [row] = await this.#postgres.db
      .update(apiTokens)
      .set({ expiresAt })
      .where(and(isToken(workgroup, id), eq(apiTokens.canRenew, true), isNull(apiTokens.revokedAt)))
      .returning();
    return row;
  }

  async revoke(workgroup: string, id: string, revokedAt: Date): Promise<ApiTokenRow | undefined> {
    const isLive = and(isToken(workgroup, id), isNull(apiTokens.revokedAt));
    return (await this.#postgres.db.update(apiTokens).set({ revokedAt }).where(isLive).returning())[0];
  }

  async touch(id: string, lastUsedAt: Date): Promise<void> {
    await this.#postgres.db.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.id, id));
  }

  /** Revoked ones whose signed tokens may still be about. */
  async revoked(now: Date): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ id: apiTokens.id })
      .from(apiTokens)
      .where(and(isNotNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, now)));
    return rows.map((row) => row.id);
  }
}

const isToken = (workgroup: string, id: string) =>
  and(eq(apiTokens.workgroup, workgroup), eq(apiTokens.id, id));
