import type { ProfileChange } from '@albedo/contract/accounts/accounts.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, gt, gte, lte } from 'drizzle-orm';
import { invites } from '../database/members.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { emailChanges, emailReverts, passwordResets } from './accounts.tables.ts';

const PROFILE = {
  _id: users.id,
  name: users.name,
  email: users.email,
  company: users.company,
  phone: users.phone,
  address: users.address,
  defaultWorkgroup: users.defaultWorkgroup,
  passwordHash: users.passwordHash,
};

/** What users say of themselves, and new addresses that wait for their code, in SQL. */
export class ProfilesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async profile(userId: string) {
    return (await this.#postgres.db.select(PROFILE).from(users).where(eq(users.id, userId)))[0];
  }

  /** `set` names at least one thing. */
  async setProfile(userId: string, set: ProfileChange): Promise<void> {
    await this.#postgres.db.update(users).set(set).where(eq(users.id, userId));
  }

  async keepEmail(userId: string, set: { email: string; codeHash: string; expiresAt: Date }): Promise<void> {
    await this.#postgres.db
      .insert(emailChanges)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: emailChanges.userId, set });
  }

  /** The code that waits is good no more. */
  async dropEmail(userId: string): Promise<void> {
    await this.#postgres.db.delete(emailChanges).where(eq(emailChanges.userId, userId));
  }

  async keepRevert(row: typeof emailReverts.$inferInsert): Promise<void> {
    await this.#postgres.db.delete(emailReverts).where(lte(emailReverts.expiresAt, new Date()));
    await this.#postgres.db.insert(emailReverts).values(row);
  }

  /**
   * Gives the account the address of the link back, without a password; all later links of it end. Null for a wrong or
   * old one, `taken` where another account has the address by now.
   */
  revertEmail(tokenHash: string, now: Date): Promise<{ userId: string } | 'taken' | null> {
    const reverted = this.#postgres.db.transaction(async (inside) => {
      const isOpen = and(eq(emailReverts.tokenHash, tokenHash), gt(emailReverts.expiresAt, now));
      const [link] = await inside.select().from(emailReverts).where(isOpen);
      if (!link) return null;
      const { userId, email } = link;
      const [user] = await inside.select({ email: users.email }).from(users).where(eq(users.id, userId));
      await inside.update(users).set({ email, passwordHash: null }).where(eq(users.id, userId));
      await inside.delete(emailChanges).where(eq(emailChanges.userId, userId));
      await inside.delete(passwordResets).where(eq(passwordResets.userId, userId));
      // Those of addresses that the account had since: they lie in mailboxes of whoever changed it.
      await inside
        .delete(emailReverts)
        .where(and(eq(emailReverts.userId, userId), gte(emailReverts.expiresAt, link.expiresAt)));
      if (user)
        await inside.update(invites).set({ invitedBy: email }).where(eq(invites.invitedBy, user.email));
      return { userId };
    });
    return unlessTaken(reverted, 'taken');
  }

  /** Takes over the address that waits for this code; null for a wrong or old one, `taken` where an account has it by now. */
  takeEmail(
    userId: string,
    codeHash: string,
    now: Date,
  ): Promise<{ old: string; email: string } | 'taken' | null> {
    const changed = this.#postgres.db.transaction(async (transaction) => {
      const isRight = and(eq(emailChanges.userId, userId), eq(emailChanges.codeHash, codeHash));
      const [change] = await transaction
        .delete(emailChanges)
        .where(and(isRight, gt(emailChanges.expiresAt, now)))
        .returning({ email: emailChanges.email });
      const [user] = await transaction.select({ old: users.email }).from(users).where(eq(users.id, userId));
      if (!change || !user) return null;
      const { email } = change;
      await transaction.update(users).set({ email }).where(eq(users.id, userId));
      // A link that lies in the old mailbox opens nothing any more.
      await transaction.delete(passwordResets).where(eq(passwordResets.userId, userId));
      // Invitations are known by the address of who sent them.
      await transaction.update(invites).set({ invitedBy: email }).where(eq(invites.invitedBy, user.old));
      return { old: user.old, email };
    });
    return unlessTaken(changed, 'taken');
  }
}
