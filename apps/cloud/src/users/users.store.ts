import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { SecondFactor } from '@albedo/contract/sessions/sessions.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, count, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm';
import { userIdentities } from '../database/identity-providers.tables.ts';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { revokedSessions, users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  /** When a password that the server made stops opening anything. */
  passwordUntil?: Date | null;
  defaultWorkgroup: string | null;
}

export interface Membership {
  workgroup: string;
  role: Role;
  permissions: Permission[];
  devGroup: string | null;
  deviceScopes: string[];
  /** The identity provider that opens the workgroup for this member; null for the password. */
  idpId: string | null;
}

/**
 * True where a session of that kind opens the workgroup: that of the provider (its id) the people who use it, that of the
 * password (null) the others, and owners, whom a provider that fails must not lock out.
 */
export const isOpenedBy = (idpId: string | null, membership: Membership): boolean =>
  membership.idpId === idpId || (idpId === null && membership.role === 'owner');

const USER = {
  id: users.id,
  email: users.email,
  name: users.name,
  passwordHash: users.passwordHash,
  passwordUntil: users.passwordUntil,
  defaultWorkgroup: users.defaultWorkgroup,
};

/** The domain of an e-mail address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Users, their memberships and revoked sessions, in SQL. */
export class UsersStore {
  readonly #postgres: Postgres;
  readonly #mfaDomains: readonly string[];
  readonly #mfaOfAll: boolean;

  /** Whoever has an address of one of the domains must have a second factor, or with `mfaOfAll` everybody. */
  constructor(
    postgres: Postgres,
    { mfaDomains = [], mfaOfAll = false }: { mfaDomains?: readonly string[]; mfaOfAll?: boolean } = {},
  ) {
    this.#postgres = postgres;
    this.#mfaDomains = mfaDomains;
    this.#mfaOfAll = mfaOfAll;
  }

  async setLastSignIn(userId: string, lastSignInAt: Date): Promise<void> {
    await this.#postgres.db.update(users).set({ lastSignInAt }).where(eq(users.id, userId));
  }

  async userByEmail(email: string): Promise<User | undefined> {
    return (await this.#postgres.db.select(USER).from(users).where(eq(users.email, email)))[0];
  }

  async user(id: string): Promise<User | undefined> {
    return (await this.#postgres.db.select(USER).from(users).where(eq(users.id, id)))[0];
  }

  /** Addresses of users of these e-mail domains, at most so many. */
  async addressesIn(domains: readonly string[], most: number): Promise<string[]> {
    if (domains.length === 0) return [];
    const rows = await this.#postgres.db
      .select({ email: users.email })
      .from(users)
      .where(inArray(sql`split_part(${users.email}, '@', 2)`, [...domains]))
      .limit(most);
    return rows.map(({ email }) => email);
  }

  async hasUsers(): Promise<boolean> {
    const [row] = await this.#postgres.db.select({ users: count() }).from(users);
    return (row?.users ?? 0) > 0;
  }

  /** Null when the address is taken. */
  async addUser(user: Omit<User, 'id'>): Promise<User | null> {
    const [row] = await this.#postgres.db.insert(users).values(user).onConflictDoNothing().returning(USER);
    return row ?? null;
  }

  memberships(userId: string): Promise<Membership[]> {
    return this.#postgres.db
      .select({
        workgroup: members.workgroup,
        role: members.role,
        permissions: members.permissions,
        devGroup: members.devGroup,
        deviceScopes: members.deviceScopes,
        idpId: userIdentities.idpId,
      })
      .from(members)
      .innerJoin(workgroups, eq(workgroups.name, members.workgroup))
      .leftJoin(
        userIdentities,
        and(eq(userIdentities.userId, members.userId), eq(userIdentities.idpId, workgroups.idpId)),
      )
      .where(eq(members.userId, userId))
      .orderBy(members.workgroup);
  }

  /** What a sign-in of the user asks for after the first factor: one of these, or to set one up where it is required. */
  async secondFactor(userId: string): Promise<{ factors: SecondFactor[]; isRequired: boolean }> {
    const { db } = this.#postgres;
    const [confirmed, keys, [user], demanding] = await Promise.all([
      db
        .select({ userId: totpSecrets.userId })
        .from(totpSecrets)
        .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.secret))),
      db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1),
      db
        .select({ email: users.email, isRequired: users.mfaRequired })
        .from(users)
        .where(eq(users.id, userId)),
      db
        .select({ workgroup: members.workgroup })
        .from(members)
        .innerJoin(workgroups, eq(workgroups.name, members.workgroup))
        .where(
          and(
            eq(members.userId, userId),
            or(eq(members.mfaRequired, true), eq(workgroups.mfaRequired, true)),
          ),
        )
        .limit(1),
    ]);
    const isOfDomain = user !== undefined && this.#mfaDomains.includes(domainOf(user.email));
    const isRequired = this.#mfaOfAll || user?.isRequired === true || isOfDomain || demanding.length > 0;
    const factors: SecondFactor[] = [
      ...(confirmed.length > 0 ? (['totp'] as const) : []),
      ...(keys.length > 0 ? (['passkey'] as const) : []),
    ];
    return { factors, isRequired };
  }

  /** Revoked tokens that are not expired yet: `[jti, expiry]`. */
  async revoked(now: Date): Promise<[string, number][]> {
    await this.#postgres.db.delete(revokedSessions).where(lte(revokedSessions.expiresAt, now));
    const rows = await this.#postgres.db
      .select()
      .from(revokedSessions)
      .where(gt(revokedSessions.expiresAt, now));
    return rows.map((row) => [row.jti, row.expiresAt.getTime()]);
  }

  async revoke(jti: string, expiresAt: Date): Promise<void> {
    await this.#postgres.db.insert(revokedSessions).values({ jti, expiresAt }).onConflictDoNothing();
  }

  /** Users whose older sessions are not good, but for the spared one. */
  async validFrom(): Promise<{ userId: string; from: number; spared: string | null }[]> {
    const rows = await this.#postgres.db
      .select({ userId: users.id, from: users.sessionsValidFrom, spared: users.sessionsSpared })
      .from(users)
      .where(isNotNull(users.sessionsValidFrom));
    return rows.map((row) => ({ ...row, from: row.from?.getTime() ?? 0 }));
  }

  async setValidFrom(userId: string, from: Date, spared: string | null): Promise<void> {
    await this.#postgres.db
      .update(users)
      .set({ sessionsValidFrom: from, sessionsSpared: spared })
      .where(eq(users.id, userId));
  }

  /** Nobody begins in the workgroup any more. */
  async forgetDefault(workgroup: string): Promise<void> {
    const isDefault = eq(users.defaultWorkgroup, workgroup);
    await this.#postgres.db.update(users).set({ defaultWorkgroup: null }).where(isDefault);
  }

  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await this.#postgres.db
      .update(users)
      .set({ passwordHash, passwordUntil: null })
      .where(eq(users.id, userId));
  }
}
