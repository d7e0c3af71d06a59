import type {
  BackupPlan,
  BackupReason,
  DeviceBackup,
} from '@albedo/contract/device-backups/device-backups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';
import { deviceBackupPlans, deviceBackups } from './device-backups.tables.ts';

export type BackupRow = typeof deviceBackups.$inferSelect;

/** Length of what a plan says, h; an hour less than it, so that the time of day stays. */
const HOURS: Readonly<Record<Exclude<BackupPlan['every'], 'never'>, number>> = { day: 23, week: 167 };

/** Backups of devices and their plans, in SQL. */
export class DeviceBackupsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async add(row: typeof deviceBackups.$inferInsert): Promise<BackupRow> {
    const [added] = await this.#postgres.db.insert(deviceBackups).values(row).returning();
    if (!added) throw new Error('The database returned no row for a new backup.');
    return added;
  }

  /** Newest first. */
  list(workgroup: string, deviceId: string): Promise<BackupRow[]> {
    return this.#postgres.db
      .select()
      .from(deviceBackups)
      .where(and(eq(deviceBackups.workgroup, workgroup), eq(deviceBackups.deviceId, deviceId)))
      .orderBy(desc(deviceBackups.at));
  }

  async get(workgroup: string, id: string): Promise<BackupRow | undefined> {
    const isMeant = and(eq(deviceBackups.workgroup, workgroup), eq(deviceBackups.id, id));
    const [row] = await this.#postgres.db.select().from(deviceBackups).where(isMeant);
    return row;
  }

  /** Takes away one, and answers where its bytes lie. */
  async remove(workgroup: string, id: string): Promise<string | undefined> {
    const isMeant = and(eq(deviceBackups.workgroup, workgroup), eq(deviceBackups.id, id));
    const [row] = await this.#postgres.db.delete(deviceBackups).where(isMeant).returning();
    return row?.fileKey;
  }

  /** Those beyond the newest so many of the reason. */
  beyond(workgroup: string, deviceId: string, reason: BackupReason, kept: number): Promise<BackupRow[]> {
    return this.#postgres.db
      .select()
      .from(deviceBackups)
      .where(
        and(
          eq(deviceBackups.workgroup, workgroup),
          eq(deviceBackups.deviceId, deviceId),
          eq(deviceBackups.reason, reason),
        ),
      )
      .orderBy(desc(deviceBackups.at))
      .offset(kept);
  }

  async keysOf(workgroup: string): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ key: deviceBackups.fileKey })
      .from(deviceBackups)
      .where(eq(deviceBackups.workgroup, workgroup));
    return rows.map(({ key }) => key);
  }

  /** Devices that have some, as they were called in the newest one. */
  async devices(workgroup: string): Promise<{ id: string; name: string }[]> {
    return this.#postgres.db
      .selectDistinctOn([deviceBackups.deviceId], {
        id: deviceBackups.deviceId,
        name: deviceBackups.deviceName,
      })
      .from(deviceBackups)
      .where(eq(deviceBackups.workgroup, workgroup))
      .orderBy(deviceBackups.deviceId, desc(deviceBackups.at));
  }

  async plan(deviceId: string): Promise<BackupPlan> {
    const [row] = await this.#postgres.db
      .select()
      .from(deviceBackupPlans)
      .where(eq(deviceBackupPlans.deviceId, deviceId));
    return { every: row?.every ?? 'never' };
  }

  async setPlan(deviceId: string, { every }: BackupPlan): Promise<void> {
    await this.#postgres.db
      .insert(deviceBackupPlans)
      .values({ deviceId, every })
      .onConflictDoUpdate({ target: deviceBackupPlans.deviceId, set: { every } });
  }

  /** Devices whose next backup by plan has its time. */
  due(): Promise<{ workgroup: string; deviceId: string }[]> {
    const newest = sql`(select max(at) from device_backups b
      where b.device_id = ${deviceBackupPlans.deviceId} and b.reason = 'planned')`;
    const since = sql`now() - case ${deviceBackupPlans.every} when 'day' then interval '${sql.raw(String(HOURS.day))} hours'
      else interval '${sql.raw(String(HOURS.week))} hours' end`;
    return this.#postgres.db
      .select({ workgroup: devices.workgroup, deviceId: deviceBackupPlans.deviceId })
      .from(deviceBackupPlans)
      .innerJoin(devices, eq(devices.id, deviceBackupPlans.deviceId))
      .where(and(ne(deviceBackupPlans.every, 'never'), sql`coalesce(${newest}, 'epoch') < ${since}`));
  }
}

export const backupOf = ({ workgroup: _workgroup, fileKey: _key, ...row }: BackupRow): DeviceBackup => ({
  ...row,
  at: row.at.getTime(),
  commands: row.commands.length,
});
