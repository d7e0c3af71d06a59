import type { Postgres } from '@albedo/postgres/postgres';
import { unlessGone } from '@albedo/postgres/unless-taken';
import { and, asc, eq, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';
import { cloudDeviceSecrets, cloudDevices } from './cloud-devices.tables.ts';

export type CloudDeviceRow = typeof cloudDevices.$inferSelect;
export type SecretKind = 'file' | 'variable';
type SecretRow = typeof cloudDeviceSecrets.$inferSelect;

/** Cloud devices, in SQL. The device was checked before, except where a workgroup is asked for. */
export class CloudDevicesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(deviceId: string): Promise<CloudDeviceRow | undefined> {
    const [row] = await this.#postgres.db.select().from(cloudDevices).where(isOf(deviceId));
    return row;
  }

  async ofWorkgroup(workgroup: string): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ id: cloudDevices.deviceId })
      .from(cloudDevices)
      .innerJoin(devices, eq(devices.id, cloudDevices.deviceId))
      .where(eq(devices.workgroup, workgroup));
    return rows.map(({ id }) => id);
  }

  async count(workgroup: string): Promise<number> {
    const [row] = await this.#postgres.db
      .select({ count: sql<number>`count(*)::int` })
      .from(cloudDevices)
      .innerJoin(devices, eq(devices.id, cloudDevices.deviceId))
      .where(eq(devices.workgroup, workgroup));
    return row?.count ?? 0;
  }

  async add(row: Pick<CloudDeviceRow, 'deviceId' | 'cloud' | 'isWanted'>): Promise<void> {
    await this.#postgres.db.insert(cloudDevices).values(row);
  }

  async set(deviceId: string, change: Partial<CloudDeviceRow>): Promise<void> {
    await this.#postgres.db.update(cloudDevices).set(change).where(isOf(deviceId));
  }

  /** Ids of all of them; whoever has a folder without a row was deleted. */
  async ids(): Promise<string[]> {
    const rows = await this.#postgres.db.select({ id: cloudDevices.deviceId }).from(cloudDevices);
    return rows.map(({ id }) => id);
  }

  /**
   * Takes those that nobody keeps, as far as `clouds` run here, and keeps its own for `ttlMs` more. Answers all that it
   * keeps now, with their workgroups. Times are the database's, so no two clocks are compared.
   */
  async keep(keeper: string, ttlMs: number): Promise<(CloudDeviceRow & { workgroup: string })[]> {
    await this.#postgres.db
      .update(cloudDevices)
      .set({ keeper, keptUntil: sql`clock_timestamp() + ${ttlMs} * interval '1 ms'` })
      .where(
        sql`${cloudDevices.keeper} = ${keeper} or ${cloudDevices.keptUntil} is null
          or ${cloudDevices.keptUntil} < clock_timestamp()`,
      );
    const rows = await this.#postgres.db
      .select({ row: cloudDevices, workgroup: devices.workgroup })
      .from(cloudDevices)
      .innerJoin(devices, eq(devices.id, cloudDevices.deviceId))
      .where(eq(cloudDevices.keeper, keeper));
    return rows.map(({ row, workgroup }) => ({ ...row, workgroup }));
  }

  /** So that another process need not wait until they are free. */
  async release(keeper: string): Promise<void> {
    await this.#postgres.db
      .update(cloudDevices)
      .set({ keeper: null, keptUntil: null })
      .where(eq(cloudDevices.keeper, keeper));
  }

  secrets(deviceId: string): Promise<SecretRow[]> {
    return this.#postgres.db
      .select()
      .from(cloudDeviceSecrets)
      .where(eq(cloudDeviceSecrets.deviceId, deviceId))
      .orderBy(asc(cloudDeviceSecrets.name));
  }

  /** False where the device was deleted meanwhile. */
  setSecret(row: Omit<SecretRow, 'changedAt'>): Promise<boolean> {
    const { sealed, bytes } = row;
    return unlessGone(
      this.#postgres.db
        .insert(cloudDeviceSecrets)
        .values(row)
        .onConflictDoUpdate({
          target: [cloudDeviceSecrets.deviceId, cloudDeviceSecrets.kind, cloudDeviceSecrets.name],
          set: { sealed, bytes, changedAt: new Date() },
        })
        .then(() => true),
      false,
    );
  }

  async removeSecret(deviceId: string, kind: SecretKind, name: string): Promise<boolean> {
    const gone = await this.#postgres.db
      .delete(cloudDeviceSecrets)
      .where(
        and(
          eq(cloudDeviceSecrets.deviceId, deviceId),
          eq(cloudDeviceSecrets.kind, kind),
          eq(cloudDeviceSecrets.name, name),
        ),
      )
      .returning({ name: cloudDeviceSecrets.name });
    return gone.length > 0;
  }
}

const isOf = (deviceId: string) => eq(cloudDevices.deviceId, deviceId);
