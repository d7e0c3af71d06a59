import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { userIdentities } from '../database/identity-providers.tables.ts';
import { invites } from '../database/members.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

export type InviteRow = typeof invites.$inferSelect;
export type NewInviteRow = typeof invites.$inferInsert;

/** An invitation as holders of its link see it. */
export interface OpenInvite {
  invite: InviteRow;
  displayName: string;
  /** Null where the address has no account. */
  userId: string | null;
  hasPassword: boolean;
}

/** The account of somebody who accepts and has none; without a password for who signs in elsewhere. */
export interface NewAccount {
  name: string;
  passwordHash: string | null;
}

/** Invitations, in SQL. */
export class InvitesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<InviteRow[]> {
    return this.#postgres.db
      .select()
      .from(invites)
      .where(eq(invites.workgroup, workgroup))
      .orderBy(desc(invites.sentAt));
  }

  async find(workgroup: string, id: string): Promise<InviteRow | undefined> {
    return (await this.#postgres.db.select().from(invites).where(isInvite(workgroup, id)))[0];
  }

  /** Invitations of the workgroup to others than this address. */
  countOthers(workgroup: string, email: string): Promise<number> {
    const isOther = and(eq(invites.workgroup, workgroup), ne(invites.email, email));
    return this.#postgres.db.$count(invites, isOther);
  }

  /** Takes the place of an earlier invitation of the address. */
  async add(row: NewInviteRow): Promise<InviteRow> {
    const { workgroup: _workgroup, email: _email, ...set } = row;
    const [stored] = await this.#postgres.db
      .insert(invites)
      .values(row)
      .onConflictDoUpdate({ target: [invites.workgroup, invites.email], set })
      .returning();
    if (!stored) throw new Error('the invitation was not stored');
    return stored;
  }

  async renew(
    workgroup: string,
    id: string,
    set: Pick<InviteRow, 'tokenHash' | 'sentAt' | 'expiresAt'>,
  ): Promise<InviteRow | undefined> {
    return (await this.#postgres.db.update(invites).set(set).where(isInvite(workgroup, id)).returning())[0];
  }

  async remove(workgroup: string, id: string): Promise<InviteRow | undefined> {
    return (await this.#postgres.db.delete(invites).where(isInvite(workgroup, id)).returning())[0];
  }

  async open(tokenHash: string, now: Date): Promise<OpenInvite | undefined> {
    const [row] = await this.#postgres.db
      .select({
        invite: invites,
        displayName: workgroups.displayName,
        userId: users.id,
        hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      })
      .from(invites)
      .innerJoin(workgroups, eq(workgroups.name, invites.workgroup))
      .leftJoin(users, eq(users.email, invites.email))
      .where(and(eq(invites.tokenHash, tokenHash), gt(invites.expiresAt, now)));
    return row;
  }

  /**
   * Uses the invitation up: makes the account unless there is one, and the membership unless there is one. An account
   * without a password takes the one of `account`. With an identity provider the person has agreed to it with that.
   * Answers the user, or null when the invitation was used meanwhile.
   */
  accept(row: InviteRow, account: NewAccount | null): Promise<string | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      const used = await transaction
        .delete(invites)
        .where(and(eq(invites.id, row.id), eq(invites.tokenHash, row.tokenHash)))
        .returning({ id: invites.id });
      if (used.length === 0) return null;
      if (account) {
        const { email, workgroup: defaultWorkgroup } = row;
        await transaction
          .insert(users)
          .values({ ...account, email, defaultWorkgroup })
          .onConflictDoNothing();
      }
      const [user] = await transaction.select({ id: users.id }).from(users).where(eq(users.email, row.email));
      if (!user) return null;
      if (account?.passwordHash)
        await transaction
          .update(users)
          .set(account)
          .where(and(eq(users.id, user.id), isNull(users.passwordHash)));
      const { workgroup, role, permissions, devGroup } = row;
      await transaction
        .insert(members)
        .values({ workgroup, userId: user.id, role, permissions, devGroup })
        .onConflictDoNothing();
      if (row.idpId !== null)
        await transaction
          .insert(userIdentities)
          .values({ idpId: row.idpId, userId: user.id, linkedAt: new Date() })
          .onConflictDoNothing();
      return user.id;
    });
  }
}

const isInvite = (workgroup: string, id: string) => and(eq(invites.workgroup, workgroup), eq(invites.id, id));
