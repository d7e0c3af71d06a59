import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

export type TotpRow = typeof totpSecrets.$inferSelect;

/** Authenticator apps and who must have one, in SQL. */
export class MfaStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `mfa policy ${workgroup}`, task);
  }

  async totp(userId: string): Promise<TotpRow | undefined> {
    const { db } = this.#postgres;
    return (await db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)))[0];
  }

  /** False when a code of this step or a later one was accepted before. */
  async takeStep(userId: string, step: number): Promise<boolean> {
    const isNewer = or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step));
    const rows = await this.#postgres.db
      .update(totpSecrets)
      .set({ lastStep: step })
      .where(and(eq(totpSecrets.userId, userId), isNewer))
      .returning({ userId: totpSecrets.userId });
    return rows.length > 0;
  }

  async setPending(userId: string, pendingSecret: string, pendingAt: Date): Promise<void> {
    const pending = { pendingSecret, pendingAt };
    await this.#postgres.db
      .insert(totpSecrets)
      .values({ userId, ...pending })
      .onConflictDoUpdate({ target: totpSecrets.userId, set: pending });
  }

  /** The pending secret becomes the one that counts; false when it is another one by now. */
  async confirm(userId: string, pending: string, step: number, recoveryHash: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(totpSecrets)
      .set({ secret: pending, lastStep: step, recoveryHash, pendingSecret: null, pendingAt: null })
      .where(and(eq(totpSecrets.userId, userId), eq(totpSecrets.pendingSecret, pending)))
      .returning({ userId: totpSecrets.userId });
    return rows.length > 0;
  }

  async setRecovery(userId: string, recoveryHash: string): Promise<void> {
    await this.#postgres.db.update(totpSecrets).set({ recoveryHash }).where(eq(totpSecrets.userId, userId));
  }

  /**
   * Uses the recovery code up: the authenticator app and the passkeys are forgotten and a new second factor demanded.
   * False for a wrong code.
   */
  async recover(userId: string, recoveryHash: string): Promise<boolean> {
    return this.#postgres.db.transaction(async (transaction) => {
      const rows = await transaction
        .delete(totpSecrets)
        .where(and(eq(totpSecrets.userId, userId), eq(totpSecrets.recoveryHash, recoveryHash)))
        .returning({ userId: totpSecrets.userId });
      if (rows.length === 0) return false;
      await transaction.delete(passkeys).where(eq(passkeys.userId, userId));
      await transaction.update(users).set({ mfaRequired: true }).where(eq(users.id, userId));
      return true;
    });
  }

  async policy(workgroup: string): Promise<boolean> {
    const [row] = await this.#postgres.db
      .select({ required: workgroups.mfaRequired })
      .from(workgroups)
      .where(eq(workgroups.name, workgroup));
    return row?.required ?? false;
  }

  async setPolicy(workgroup: string, required: boolean): Promise<void> {
    await this.#postgres.db
      .update(workgroups)
      .set({ mfaRequired: required })
      .where(eq(workgroups.name, workgroup));
  }

  /** Members of the workgroup without a second factor. */
  async membersWithout(workgroup: string): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ userId: members.userId })
      .from(members)
      .leftJoin(totpSecrets, eq(totpSecrets.userId, members.userId))
      .leftJoin(passkeys, eq(passkeys.userId, members.userId))
      .where(and(eq(members.workgroup, workgroup), isNull(totpSecrets.secret), isNull(passkeys.id)));
    return rows.map((row) => row.userId);
  }
}
