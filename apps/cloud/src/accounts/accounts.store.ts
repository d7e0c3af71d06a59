import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, gt } from 'drizzle-orm';
import { passwordResets } from './accounts.tables.ts';

/** Asked-for password resets, in SQL. */
export class AccountsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Takes the place of an earlier reset of the user. */
  async keepReset(userId: string, tokenHash: string, expiresAt: Date): Promise<void> {
    await this.#postgres.db
      .insert(passwordResets)
      .values({ userId, tokenHash, expiresAt })
      .onConflictDoUpdate({ target: passwordResets.userId, set: { tokenHash, expiresAt } });
  }

  /** Whose reset it is; null where it is none or expired. */
  async resetOf(tokenHash: string, now: Date): Promise<string | null> {
    const isOpen = and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now));
    const [row] = await this.#postgres.db.select().from(passwordResets).where(isOpen);
    return row?.userId ?? null;
  }

  /** Uses the reset up; answers whose it was, or null where it is none or expired. */
  async takeReset(tokenHash: string, now: Date): Promise<string | null> {
    const [row] = await this.#postgres.db
      .delete(passwordResets)
      .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now)))
      .returning({ userId: passwordResets.userId });
    return row?.userId ?? null;
  }

  async dropReset(userId: string): Promise<void> {
    await this.#postgres.db.delete(passwordResets).where(eq(passwordResets.userId, userId));
  }
}
