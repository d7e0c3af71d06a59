import type { RevokedBecause } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { apiTokens, apiTokenWarnings } from '../database/api-tokens.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members } from '../database/workgroups.tables.ts';

export type ApiTokenRow = typeof apiTokens.$inferSelect;

/** What the maker of a token may do in its workgroup now; null when they are no longer a member. */
export type Maker = Pick<
  typeof members.$inferSelect,
  'role' | 'permissions' | 'devGroup' | 'deviceScopes'
> | null;

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

  /** Tokens of the workgroup that are good. */
  countLive(workgroup: string, now: Date): Promise<number> {
    return this.#postgres.db.$count(apiTokens, and(eq(apiTokens.workgroup, workgroup), isLive(now)));
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

  /** Undefined when it is revoked already. */
  async revoke(
    workgroup: string,
    id: string,
    revokedAt: Date,
    revokedBecause: RevokedBecause | null = null,
  ): Promise<ApiTokenRow | undefined> {
    const isLive = and(isToken(workgroup, id), isNull(apiTokens.revokedAt));
    const set = { revokedAt, revokedBecause };
    return (await this.#postgres.db.update(apiTokens).set(set).where(isLive).returning())[0];
  }

  /** Live tokens of all workgroups, or of one maker, each with its maker as they are now. */
  async withMakers(
    now: Date,
    of?: { workgroup: string; makerId: string },
  ): Promise<{ token: ApiTokenRow; maker: Maker }[]> {
    // Those that were made before makers were kept by id have the address alone.
    const isMaker = or(
      eq(users.id, apiTokens.createdById),
      and(isNull(apiTokens.createdById), eq(users.email, apiTokens.createdBy)),
    );
    const { role, permissions, devGroup, deviceScopes } = members;
    return this.#postgres.db
      .select({ token: apiTokens, maker: { role, permissions, devGroup, deviceScopes } })
      .from(apiTokens)
      .leftJoin(users, isMaker)
      .leftJoin(members, and(eq(members.workgroup, apiTokens.workgroup), eq(members.userId, users.id)))
      .where(
        and(isLive(now), ...(of ? [eq(apiTokens.workgroup, of.workgroup), eq(users.id, of.makerId)] : [])),
      );
  }

  /** Live tokens of all workgroups that end until then. */
  endingBefore(now: Date, until: Date): Promise<ApiTokenRow[]> {
    return this.#postgres.db
      .select()
      .from(apiTokens)
      .where(and(isLive(now), lte(apiTokens.expiresAt, until)));
  }

  /** Takes over the warnings that nobody took; answers those, in days. */
  async claimWarnings({ id, expiresAt }: ApiTokenRow, days: readonly number[]): Promise<number[]> {
    if (days.length === 0) return [];
    const rows = await this.#postgres.db
      .insert(apiTokenWarnings)
      .values(days.map((one) => ({ tokenId: id, expiresAt, days: one })))
      .onConflictDoNothing()
      .returning({ days: apiTokenWarnings.days });
    return rows.map((row) => row.days);
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

const isLive = (now: Date) => and(isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, now));

const isToken = (workgroup: string, id: string) =>
  and(eq(apiTokens.workgroup, workgroup), eq(apiTokens.id, id));
