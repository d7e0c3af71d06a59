import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { pushSubscriptions } from './notifications.tables.ts';

export type PushRow = typeof pushSubscriptions.$inferSelect;

/** Browsers of people, in SQL. */
export class PushStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  of(userId: string): Promise<PushRow[]> {
    return this.#postgres.db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(pushSubscriptions.createdAt);
  }

  /** Those of the people who have a browser. */
  async reached(userIds: readonly string[]): Promise<Set<string>> {
    if (userIds.length === 0) return new Set();
    const rows = await this.#postgres.db
      .selectDistinct({ userId: pushSubscriptions.userId })
      .from(pushSubscriptions)
      .where(inArray(pushSubscriptions.userId, [...userIds]));
    return new Set(rows.map(({ userId }) => userId));
  }

  async find(id: string): Promise<PushRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.id, id));
    return row;
  }

  /** A browser belongs to whoever signed in last in it. */
  async keep(row: Pick<PushRow, 'id' | 'userId' | 'fingerprint' | 'label' | 'subscription'>): Promise<void> {
    await this.#postgres.db.transaction(async (inside) => {
      await inside.delete(pushSubscriptions).where(eq(pushSubscriptions.fingerprint, row.fingerprint));
      await inside.insert(pushSubscriptions).values(row);
    });
  }

  async remove(id: string, userId?: string): Promise<void> {
    await this.#postgres.db
      .delete(pushSubscriptions)
      .where(
        and(
          eq(pushSubscriptions.id, id),
          userId === undefined ? sql`true` : eq(pushSubscriptions.userId, userId),
        ),
      );
  }

  async noteOk(id: string, lastOkAt: Date): Promise<void> {
    await this.#postgres.db.update(pushSubscriptions).set({ lastOkAt }).where(eq(pushSubscriptions.id, id));
  }
}
