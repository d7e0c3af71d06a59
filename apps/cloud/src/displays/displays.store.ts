import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { displayLinks } from './displays.tables.ts';

export type DisplayRow = typeof displayLinks.$inferSelect;

/** Display links, in SQL. */
export class DisplaysStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<DisplayRow[]> {
    return this.#postgres.db
      .select()
      .from(displayLinks)
      .where(eq(displayLinks.workgroup, workgroup))
      .orderBy(desc(displayLinks.madeAt))
      .limit(1000);
  }

  /** The one link that has no workgroup in its request: the token names it. */
  async byToken(tokenHash: string): Promise<DisplayRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(displayLinks)
      .where(eq(displayLinks.tokenHash, tokenHash));
    return row;
  }

  countLive(workgroup: string, now: Date): Promise<number> {
    const isLive = and(isNull(displayLinks.revokedAt), gt(displayLinks.expiresAt, now));
    return this.#postgres.db.$count(displayLinks, and(eq(displayLinks.workgroup, workgroup), isLive));
  }

  async add(row: typeof displayLinks.$inferInsert): Promise<DisplayRow> {
    const [stored] = await this.#postgres.db.insert(displayLinks).values(row).returning();
    if (!stored) throw new Error('The database returned no row for a new display link.');
    return stored;
  }

  /** Undefined where it is gone or revoked already. */
  async revoke(workgroup: string, id: string, revokedAt: Date): Promise<DisplayRow | undefined> {
    const [row] = await this.#postgres.db
      .update(displayLinks)
      .set({ revokedAt })
      .where(
        and(eq(displayLinks.workgroup, workgroup), eq(displayLinks.id, id), isNull(displayLinks.revokedAt)),
      )
      .returning();
    return row;
  }

  async touch(workgroup: string, id: string, seenAt: Date, seenFrom: string): Promise<void> {
    await this.#postgres.db
      .update(displayLinks)
      .set({ seenAt, seenFrom })
      .where(and(eq(displayLinks.workgroup, workgroup), eq(displayLinks.id, id)));
  }
}
