import type { DeviceTwin } from '@albedo/contract/twins/twins.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { eq, sql } from 'drizzle-orm';
import { deviceTwins } from './twins.tables.ts';

type Row = typeof deviceTwins.$inferSelect;
type Change = Partial<Omit<Row, 'deviceId' | 'differsSince'>>;

const NOTHING: DeviceTwin = { desired: null, reported: null, differsSince: null };

/** Twins of devices, in SQL. The device was checked before. */
export class TwinsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(deviceId: string): Promise<DeviceTwin> {
    const [row] = await this.#postgres.db
      .select()
      .from(deviceTwins)
      .where(eq(deviceTwins.deviceId, deviceId));
    return row ? twinOf(row) : NOTHING;
  }

  /**
   * Changes a side, or both. What the device tells first is what it should have; a difference that was there before keeps
   * its beginning.
   */
  async set(deviceId: string, change: Change): Promise<DeviceTwin> {
    return this.#postgres.db.transaction(async (inside) => {
      await inside.insert(deviceTwins).values({ deviceId }).onConflictDoNothing();
      await inside.update(deviceTwins).set(change).where(eq(deviceTwins.deviceId, deviceId));
      await inside.execute(sql`
        update ${deviceTwins} set desired = reported, desired_hash = reported_hash, desired_at = reported_at
        where device_id = ${deviceId} and desired_hash is null and reported_hash is not null`);
      const [row] = await inside
        .update(deviceTwins)
        .set({
          differsSince: sql`case when desired_hash is null or reported_hash is null or desired_hash = reported_hash
            then null else coalesce(differs_since, now()) end`,
        })
        .where(eq(deviceTwins.deviceId, deviceId))
        .returning();
      if (!row) throw new Error('The database returned no row for a twin.');
      return twinOf(row);
    });
  }
}

function twinOf(row: Row): DeviceTwin {
  const { desired, desiredHash, desiredAt, reported, reportedHash, reportedAt } = row;
  return {
    desired:
      desired === null || desiredHash === null || desiredAt === null
        ? null
        : { text: desired, hash: desiredHash, by: row.desiredBy, at: desiredAt.getTime() },
    reported:
      reported === null || reportedHash === null || reportedAt === null
        ? null
        : { text: reported, hash: reportedHash, at: reportedAt.getTime() },
    differsSince: row.differsSince?.getTime() ?? null,
  };
}
