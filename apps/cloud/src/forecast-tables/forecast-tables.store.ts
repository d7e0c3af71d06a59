import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq } from 'drizzle-orm';
import { forecastTables } from './forecast-tables.tables.ts';

/** Tables that hold forecasts, in SQL. */
export class ForecastTablesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Of all workgroups: what comes in is looked up in memory. */
  all(): Promise<{ workgroup: string; table: string }[]> {
    return this.#postgres.db.select().from(forecastTables).execute();
  }

  async list(workgroup: string): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ table: forecastTables.table })
      .from(forecastTables)
      .where(eq(forecastTables.workgroup, workgroup));
    return rows.map(({ table }) => table);
  }

  /** False where that was so already. */
  async set(workgroup: string, table: string, holdsForecasts: boolean): Promise<boolean> {
    const { db } = this.#postgres;
    const isThis = and(eq(forecastTables.workgroup, workgroup), eq(forecastTables.table, table));
    const changed = holdsForecasts
      ? await db.insert(forecastTables).values({ workgroup, table }).onConflictDoNothing().returning()
      : await db.delete(forecastTables).where(isThis).returning();
    return changed.length > 0;
  }
}
