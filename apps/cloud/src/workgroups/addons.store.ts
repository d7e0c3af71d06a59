import type { AddonId } from '@albedo/contract/access/addons';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq } from 'drizzle-orm';
import { workgroupAddons } from '../database/workgroups.tables.ts';

export type AddonRow = typeof workgroupAddons.$inferSelect;

/** What the provider enabled, in SQL. */
export class AddonsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<AddonRow[]> {
    return this.#postgres.db.select().from(workgroupAddons).where(eq(workgroupAddons.workgroup, workgroup));
  }

  /** False when the workgroup has it already. */
  async add(row: AddonRow): Promise<boolean> {
    const rows = await this.#postgres.db
      .insert(workgroupAddons)
      .values(row)
      .onConflictDoNothing()
      .returning();
    return rows.length > 0;
  }

  async update(workgroup: string, id: AddonId, settings: Record<string, unknown>): Promise<void> {
    await this.#postgres.db.update(workgroupAddons).set({ settings }).where(isAddon(workgroup, id));
  }

  async remove(workgroup: string, id: AddonId): Promise<void> {
    await this.#postgres.db.delete(workgroupAddons).where(isAddon(workgroup, id));
  }
}

const isAddon = (workgroup: string, id: AddonId) =>
  and(eq(workgroupAddons.workgroup, workgroup), eq(workgroupAddons.id, id));
