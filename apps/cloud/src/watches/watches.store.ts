import type { NewWatch } from '@albedo/contract/watches/watches.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, desc, eq } from 'drizzle-orm';
import { watches } from './watches.tables.ts';

export type WatchRow = typeof watches.$inferSelect;

/** What people follow, in SQL. */
export class WatchesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Newest first. */
  of(workgroup: string, userId: string): Promise<WatchRow[]> {
    return this.#postgres.db
      .select()
      .from(watches)
      .where(isOf(workgroup, userId))
      .orderBy(desc(watches.createdAt), watches.id);
  }

  all(workgroup: string): Promise<WatchRow[]> {
    return this.#postgres.db.select().from(watches).where(eq(watches.workgroup, workgroup));
  }

  async isThereAny(workgroup: string, inside: Transaction): Promise<boolean> {
    const rows = await inside
      .select({ id: watches.id })
      .from(watches)
      .where(eq(watches.workgroup, workgroup))
      .limit(1);
    return rows.length > 0;
  }

  async keep(workgroup: string, userId: string, { kind, target, channels }: NewWatch): Promise<WatchRow> {
    const [row] = await this.#postgres.db
      .insert(watches)
      .values({ workgroup, userId, kind, target, channels })
      .onConflictDoUpdate({
        target: [watches.workgroup, watches.userId, watches.kind, watches.target],
        set: { channels },
      })
      .returning();
    if (!row) throw new Error('The database returned no row for a watch.');
    return row;
  }

  async remove(workgroup: string, userId: string, id: string): Promise<WatchRow | undefined> {
    const [row] = await this.#postgres.db
      .delete(watches)
      .where(and(isOf(workgroup, userId), eq(watches.id, id)))
      .returning();
    return row;
  }

  /** Whoever left the workgroup follows nothing of it. */
  async forget(workgroup: string, userId: string): Promise<void> {
    await this.#postgres.db.delete(watches).where(isOf(workgroup, userId));
  }
}

const isOf = (workgroup: string, userId: string) =>
  and(eq(watches.workgroup, workgroup), eq(watches.userId, userId));
