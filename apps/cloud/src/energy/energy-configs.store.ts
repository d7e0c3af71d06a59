import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, sql } from 'drizzle-orm';
import { energyConfigs } from './energy.tables.ts';

/** A configuration as it is kept. */
export interface KeptConfig {
  version: number;
  value: unknown;
}

/** Configurations of reports, in SQL. */
export class EnergyConfigsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async all(workgroup: string): Promise<Map<string, KeptConfig>> {
    const rows = await this.#postgres.db
      .select()
      .from(energyConfigs)
      .where(eq(energyConfigs.workgroup, workgroup));
    return new Map(rows.map(({ name, version, value }) => [name, { version, value }]));
  }

  /** Null where it has another version by now than the one that is said. */
  async set(
    workgroup: string,
    name: EnergyConfigName,
    value: unknown,
    expected: number | undefined,
  ): Promise<number | null> {
    return this.#postgres.db.transaction(async (tx) => {
      // A row that can be locked, also before the first save.
      await tx.insert(energyConfigs).values({ workgroup, name, version: 0, value: {} }).onConflictDoNothing();
      const is = and(eq(energyConfigs.workgroup, workgroup), eq(energyConfigs.name, name));
      const [row] = await tx
        .select({ version: energyConfigs.version })
        .from(energyConfigs)
        .where(is)
        .for('update');
      if (expected !== undefined && row?.version !== expected) return null;
      const [set] = await tx
        .update(energyConfigs)
        .set({ value, version: sql`${energyConfigs.version} + 1`, updatedAt: new Date() })
        .where(is)
        .returning({ version: energyConfigs.version });
      return set?.version ?? null;
    });
  }

  async remove(workgroup: string, name: EnergyConfigName): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(energyConfigs)
      .where(and(eq(energyConfigs.workgroup, workgroup), eq(energyConfigs.name, name)))
      .returning({ name: energyConfigs.name });
    return rows.length > 0;
  }
}
