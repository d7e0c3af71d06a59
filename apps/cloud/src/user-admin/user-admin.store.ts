import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { eq, ilike, inArray, or, sql } from 'drizzle-orm';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

const USERS_SHOWN = 500;
const HAS_PASSKEY = sql<boolean>`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`;

/** Users of all workgroups, in SQL; for the staff. */
export class UserAdminStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `user ${id}`, task);
  }

  async users(search: string) {
    const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    const where = search === '' ? undefined : or(ilike(users.email, like), ilike(users.name, like));
    return this.#users(where);
  }

  async user(id: string) {
    return (await this.#users(eq(users.id, id)))[0];
  }

  async setMfaRequired(id: string, mfaRequired: boolean): Promise<void> {
    await this.#postgres.db.update(users).set({ mfaRequired }).where(eq(users.id, id));
  }

  async #users(where: ReturnType<typeof or>) {
    const { db } = this.#postgres;
    const rows = await db
      .select({ user: users, confirmed: totpSecrets.secret, hasPasskey: HAS_PASSKEY })
      .from(users)
      .leftJoin(totpSecrets, eq(totpSecrets.userId, users.id))
      .where(where)
      .orderBy(users.email)
      .limit(USERS_SHOWN);
    const ids = rows.map(({ user }) => user.id);
    const memberships = await db
      .select({ userId: members.userId, displayName: workgroups.displayName })
      .from(members)
      .innerJoin(workgroups, eq(workgroups.name, members.workgroup))
      .where(inArray(members.userId, ids))
      .orderBy(workgroups.displayName);
    const byUser = Map.groupBy(memberships, ({ userId }) => userId);
    return rows.map(({ user, confirmed, hasPasskey }) => ({
      ...user,
      hasMfa: confirmed !== null || hasPasskey,
      workgroups: (byUser.get(user.id) ?? []).map(({ displayName }) => displayName),
    }));
  }
}
