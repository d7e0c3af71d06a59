import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Postgres } from '@albedo/postgres/postgres';
import { count, eq, gt, isNotNull, lte } from 'drizzle-orm';
import { members, workgroups } from '../workgroups/workgroups.tables.ts';
import { revokedSessions, users } from './sessions.tables.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  defaultWorkgroup: string | null;
}

export interface Membership {
  workgroup: string;
  role: Role;
  permissions: Permission[];
  devGroup: string | null;
  deviceScopes: string[];
}

const USER = {
  id: users.id,
  email: users.email,
  name: users.name,
  passwordHash: users.passwordHash,
  defaultWorkgroup: users.defaultWorkgroup,
};

/** Users, their memberships and revoked sessions, in SQL. */
export class SessionsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async userByEmail(email: string): Promise<User | undefined> {
    return (await this.#postgres.db.select(USER).from(users).where(eq(users.email, email)))[0];
  }

  async user(id: string): Promise<User | undefined> {
    return (await this.#postgres.db.select(USER).from(users).where(eq(users.id, id)))[0];
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
      })
      .from(members)
      .innerJoin(workgroups, eq(workgroups.name, members.workgroup))
      .where(eq(members.userId, userId))
      .orderBy(members.workgroup);
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

  /** Users whose older sessions are not good: `[user, from]`. */
  async validFrom(): Promise<[string, number][]> {
    const rows = await this.#postgres.db
      .select({ id: users.id, from: users.sessionsValidFrom })
      .from(users)
      .where(isNotNull(users.sessionsValidFrom));
    return rows.map((row) => [row.id, row.from?.getTime() ?? 0]);
  }

  async setValidFrom(userId: string, from: Date): Promise<void> {
    await this.#postgres.db.update(users).set({ sessionsValidFrom: from }).where(eq(users.id, userId));
  }
}
