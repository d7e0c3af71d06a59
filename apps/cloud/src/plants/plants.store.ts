import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';

/** What the records know of plants. The function takes the workgroup. */
export class PlantsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Zones that these devices reported themselves, by device. */
  async zones(workgroup: string, ids: string[]): Promise<Map<string, string | null>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#postgres.db
      .select({ id: devices.id, zone: sql<string | null>`${devices.meta} ->> 'timezone'` })
      .from(devices)
      .where(and(eq(devices.workgroup, workgroup), inArray(devices.id, ids)));
    return new Map(rows.map(({ id, zone }) => [id, zone]));
  }
}
