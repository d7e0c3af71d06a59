import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { together } from '@albedo/postgres/together';
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import type { Grant } from '../access/granting.ts';
import { userIdentities } from '../database/identity-providers.tables.ts';
import { invites } from '../database/members.tables.ts';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

const MEMBER = {
  _id: users.id,
  userId: users.id,
  name: users.name,
  email: users.email,
  role: members.role,
  permissions: members.permissions,
  devGroup: members.devGroup,
  mfaRequired: members.mfaRequired,
  hasMfa: sql<boolean>`${totpSecrets.secret} is not null or exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`,
  hasSso: sql<boolean>`exists (select 1 from ${userIdentities} join ${workgroups} on ${workgroups.idpId} = ${userIdentities.idpId} where ${userIdentities.userId} = ${users.id} and ${workgroups.name} = ${members.workgroup})`,
  lastSignInAt: sql<number | null>`floor(extract(epoch from ${users.lastSignInAt}) * 1000)`.mapWith(Number),
};

export type MemberSet = Partial<Pick<MemberInfo, 'role' | 'permissions' | 'mfaRequired' | 'devGroup'>>;

/** Members of workgroups, in SQL. */
export class MembersStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<MemberInfo[]> {
    return this.#select().where(eq(members.workgroup, workgroup)).orderBy(users.name, users.email);
  }

  /** Number of members by workgroup. For the staff: it reaches over all workgroups. */
  async countByWorkgroup(): Promise<Map<string, number>> {
    const { workgroup } = members;
    const rows = await this.#postgres.db
      .select({ workgroup, members: count() })
      .from(members)
      .groupBy(workgroup);
    return new Map(rows.map((row) => [row.workgroup, row.members]));
  }

  async find(workgroup: string, userId: string): Promise<MemberInfo | undefined> {
    return (await this.#select().where(isMember(workgroup, userId)))[0];
  }

  /** Scopes on devices, such as `rpc`. */
  async deviceScopes(workgroup: string, userId: string): Promise<string[]> {
    const { db } = this.#postgres;
    const rows = await db
      .select({ scopes: members.deviceScopes })
      .from(members)
      .where(isMember(workgroup, userId));
    return rows[0]?.scopes ?? [];
  }

  async findByEmail(workgroup: string, email: string): Promise<MemberInfo | undefined> {
    return (await this.#select().where(and(eq(members.workgroup, workgroup), eq(users.email, email))))[0];
  }

  /**
   * One change of a workgroup's members at a time, or two owners could demote one another; all that the task writes, through
   * whichever stores, is kept together.
   */
  alone<T>(workgroup: string, task: () => Promise<T>): Promise<T> {
    return together(this.#postgres, async () => {
      await this.#postgres.db
        .select({ name: workgroups.name })
        .from(workgroups)
        .where(eq(workgroups.name, workgroup))
        .for('no key update');
      return task();
    });
  }

  /** Changes the member, or removes it where `set` is null; false where the workgroup would be left without owner. */
  change(workgroup: string, userId: string, set: MemberSet | null): Promise<boolean> {
    return this.alone(workgroup, async () => {
      const transaction = this.#postgres.db;
      const owners = await transaction
        .select({ userId: members.userId })
        .from(members)
        .where(and(eq(members.workgroup, workgroup), eq(members.role, 'owner')));
      const staysOwner = set !== null && (set.role === undefined || set.role === 'owner');
      if (!staysOwner && owners.length === 1 && owners[0]?.userId === userId) return false;
      if (set) await transaction.update(members).set(set).where(isMember(workgroup, userId));
      else {
        await transaction.delete(members).where(isMember(workgroup, userId));
        // People who come back are invited again, with the provider or without.
        const provider = transaction
          .select({ id: workgroups.idpId })
          .from(workgroups)
          .where(eq(workgroups.name, workgroup));
        await transaction
          .delete(userIdentities)
          .where(and(eq(userIdentities.userId, userId), inArray(userIdentities.idpId, provider)));
      }
      return true;
    });
  }

  /** Ends the invitations that somebody sent, but for those that may stay; answers whom they invited. */
  async dropInvitesBy(
    workgroup: string,
    email: string,
    mayStay: (granted: Grant) => boolean,
  ): Promise<{ email: string; devGroup: string | null }[]> {
    const { db } = this.#postgres;
    const isTheirs = and(eq(invites.workgroup, workgroup), eq(invites.invitedBy, email));
    const { id, role, permissions } = invites;
    const sent = await db.select({ id, role, permissions }).from(invites).where(isTheirs);
    const gone = sent.filter((one) => !mayStay(one)).map((one) => one.id);
    if (gone.length === 0) return [];
    return db
      .delete(invites)
      .where(and(isTheirs, inArray(invites.id, gone)))
      .returning({ email: invites.email, devGroup: invites.devGroup });
  }

  #select() {
    return this.#postgres.db
      .select(MEMBER)
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .leftJoin(totpSecrets, eq(totpSecrets.userId, members.userId))
      .$dynamic();
  }
}

const isMember = (workgroup: string, userId: string) =>
  and(eq(members.workgroup, workgroup), eq(members.userId, userId));
