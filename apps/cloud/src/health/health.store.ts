import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { inArray, sql } from 'drizzle-orm';
import { devices, savedFacts } from '../database/devices.tables.ts';

const BATCH = 500;

/** Facts of devices as they were last saved, in SQL. */
export class HealthStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  load(): Promise<{ deviceId: string; facts: DeviceFacts }[]> {
    return this.#postgres.db.select().from(savedFacts);
  }

  /** Devices that are gone in the meantime are left out. */
  async save(rows: { deviceId: string; facts: DeviceFacts }[]): Promise<void> {
    const { db } = this.#postgres;
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH);
      const ids = batch.map((row) => row.deviceId);
      const there = await db.select({ id: devices.id }).from(devices).where(inArray(devices.id, ids));
      const known = new Set(there.map((row) => row.id));
      const values = batch.filter((row) => known.has(row.deviceId));
      if (values.length === 0) continue;
      await db
        .insert(savedFacts)
        .values(values)
        .onConflictDoUpdate({ target: savedFacts.deviceId, set: { facts: sql`excluded.facts` } });
    }
  }
}
