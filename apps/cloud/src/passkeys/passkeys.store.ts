import type { Postgres } from '@albedo/postgres/postgres';
import { and, asc, count, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeyChallenges, passkeys } from '../database/passkeys.tables.ts';
import { users } from '../database/sessions.tables.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;
export type NewPasskey = Omit<PasskeyRow, 'id' | 'createdAt' | 'lastUsedAt'>;
export type Challenge = typeof passkeyChallenges.$inferSelect;

/** Passkeys and the questions to them, in SQL. Every function takes the user. */
export class PasskeysStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(userId: string): Promise<PasskeyRow[]> {
    return this.#postgres.db
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt));
  }

  async byCredential(userId: string, credentialId: string): Promise<PasskeyRow | undefined> {
    const isTheirs = and(eq(passkeys.userId, userId), eq(passkeys.credentialId, credentialId));
    return (await this.#postgres.db.select().from(passkeys).where(isTheirs))[0];
  }

  /**
   * Keeps a passkey. Where the account has no recovery code yet, the one that is handed over becomes it: `isFirst`.
   * Null when somebody has the passkey already, or the user has as many as one may have.
   */
  add(
    passkey: NewPasskey,
    recoveryHash: string,
    most: number,
  ): Promise<{ row: PasskeyRow; isFirst: boolean } | null> {
    const { userId } = passkey;
    return this.#postgres.db.transaction(async (transaction) => {
      // One after the other for each user, so that the count holds.
      await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
      const [had] = await transaction
        .select({ number: count() })
        .from(passkeys)
        .where(eq(passkeys.userId, userId));
      if ((had?.number ?? 0) >= most) return null;
      const [row] = await transaction.insert(passkeys).values(passkey).onConflictDoNothing().returning();
      if (!row) return null;
      const made = await transaction
        .insert(totpSecrets)
        .values({ userId, recoveryHash })
        .onConflictDoUpdate({
          target: totpSecrets.userId,
          set: { recoveryHash },
          setWhere: sql`${totpSecrets.recoveryHash} is null`,
        })
        .returning({ userId: totpSecrets.userId });
      return { row, isFirst: made.length > 0 };
    });
  }

  async rename(userId: string, id: string, name: string): Promise<{ row: PasskeyRow; old: string } | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      const isTheirs = and(eq(passkeys.userId, userId), eq(passkeys.id, id));
      const [old] = await transaction.select().from(passkeys).where(isTheirs).for('update');
      if (!old) return null;
      await transaction.update(passkeys).set({ name }).where(isTheirs);
      return { row: { ...old, name }, old: old.name };
    });
  }

  /**
   * Forgets a passkey. Null when there is none; `last` when it is the last second factor of the account and
   * `isRequired`, and then it stays. With the last factor the recovery code goes too.
   */
  remove(userId: string, id: string, isRequired: boolean): Promise<PasskeyRow | 'last' | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
      const mine = await transaction.select().from(passkeys).where(eq(passkeys.userId, userId));
      const row = mine.find((one) => one.id === id);
      if (!row) return null;
      const [totp] = await transaction.select().from(totpSecrets).where(eq(totpSecrets.userId, userId));
      const isLast = mine.length === 1 && !totp?.secret;
      if (isLast && isRequired) return 'last';
      await transaction.delete(passkeys).where(eq(passkeys.id, id));
      if (isLast)
        await transaction
          .update(totpSecrets)
          .set({ recoveryHash: null })
          .where(eq(totpSecrets.userId, userId));
      return row;
    });
  }

  /** Notes a use. False when the counter did not grow, as with a copy of the authenticator. */
  async use(userId: string, id: string, counter: number, isSynced: boolean): Promise<boolean> {
    const grows = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
    const rows = await this.#postgres.db
      .update(passkeys)
      .set({ counter, isSynced, lastUsedAt: new Date() })
      .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id), grows))
      .returning({ id: passkeys.id });
    return rows.length > 0;
  }

  async keepChallenge(challenge: Challenge): Promise<void> {
    const { db } = this.#postgres;
    const isOver = lte(passkeyChallenges.expiresAt, new Date());
    const isSame = and(
      eq(passkeyChallenges.userId, challenge.userId),
      eq(passkeyChallenges.jti, challenge.jti),
      eq(passkeyChallenges.purpose, challenge.purpose),
    );
    await db.delete(passkeyChallenges).where(or(isOver, isSame));
    await db.insert(passkeyChallenges).values(challenge);
  }

  /** Uses the question up; false when it is none of this user, purpose and token, or too old. */
  async takeChallenge(challenge: Omit<Challenge, 'expiresAt'>, now: Date): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(passkeyChallenges)
      .where(
        and(
          eq(passkeyChallenges.challenge, challenge.challenge),
          eq(passkeyChallenges.userId, challenge.userId),
          eq(passkeyChallenges.purpose, challenge.purpose),
          eq(passkeyChallenges.jti, challenge.jti),
          gt(passkeyChallenges.expiresAt, now),
        ),
      )
      .returning({ challenge: passkeyChallenges.challenge });
    return rows.length > 0;
  }

  async setRecovery(userId: string, recoveryHash: string): Promise<void> {
    await this.#postgres.db
      .insert(totpSecrets)
      .values({ userId, recoveryHash })
      .onConflictDoUpdate({ target: totpSecrets.userId, set: { recoveryHash } });
  }
}
