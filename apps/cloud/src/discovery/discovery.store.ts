import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq } from 'drizzle-orm';
import { deviceScans } from './discovery.tables.ts';

export type ScanRow = Omit<typeof deviceScans.$inferInsert, 'at'>;

/** What devices found, in SQL. The device was checked before. */
export class DiscoveryStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async keep(row: ScanRow): Promise<void> {
    const { input, found, by } = row;
    await this.#postgres.db
      .insert(deviceScans)
      .values(row)
      .onConflictDoUpdate({
        target: [deviceScans.deviceId, deviceScans.kind],
        set: { input, found, by, at: new Date() },
      });
  }

  /** Null before the first one. */
  async newest(deviceId: string, kind: string) {
    const isMeant = and(eq(deviceScans.deviceId, deviceId), eq(deviceScans.kind, kind));
    const [row] = await this.#postgres.db.select().from(deviceScans).where(isMeant);
    return row ? { at: row.at.getTime(), by: row.by, input: row.input, found: row.found } : null;
  }
}
