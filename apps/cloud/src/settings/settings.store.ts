import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, sql } from 'drizzle-orm';
import { users } from '../database/sessions.tables.ts';
import { userSettings } from './settings.tables.ts';

/** Settings of users, in SQL. Every function takes the user. */
export class SettingsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(userId: string): Promise<{ key: string; value: unknown }[]> {
    return this.#postgres.db
      .select({ key: userSettings.key, value: userSettings.value })
      .from(userSettings)
      .where(eq(userSettings.userId, userId));
  }

  async set(userId: string, key: string, value: unknown): Promise<void> {
    const set = { value, updatedAt: new Date() };
    await this.#postgres.db
      .insert(userSettings)
      .values({ userId, key, ...set })
      .onConflictDoUpdate({ target: [userSettings.userId, userSettings.key], set });
  }

  /** Whose address it is; null where nobody has it. */
  async userOf(email: string): Promise<string | null> {
    const [user] = await this.#postgres.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    return user?.id ?? null;
  }

  async remove(userId: string, key: string): Promise<void> {
    const isThis = and(eq(userSettings.userId, userId), eq(userSettings.key, key));
    await this.#postgres.db.delete(userSettings).where(isThis);
  }

  /** Takes the workgroup out of those that people hide. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    const isHidden = sql`${userSettings.key} = 'hiddenOrgs' and ${userSettings.value} ? ${workgroup}`;
    const shown = sql`${userSettings.value} - ${workgroup}::text`;
    await this.#postgres.db.update(userSettings).set({ value: shown }).where(isHidden);
  }
}
