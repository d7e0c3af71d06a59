import { SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { unlessGone } from '@albedo/postgres/unless-taken';
import {
  and,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  max,
  or,
  type SQL,
} from 'drizzle-orm';
import { deviceSchedules, deviceSetpoints, scheduleVersions } from './schedules.tables.ts';

export type DeviceScheduleRow = typeof deviceSchedules.$inferSelect;
export type SetpointRow = typeof deviceSetpoints.$inferSelect;
export type VersionRow = typeof scheduleVersions.$inferSelect;

/** A setpoint of a device. */
export interface At {
  workgroup: string;
  device: string;
  path: string;
}

/** Versions that one answer has at most. */
const SHOWN = 200;
/** Schedules of devices that one answer has at most. */
export const LISTED = 1000;

/**
 * Schedules of devices, their setpoints and all that was ever ordered, in SQL. Whatever changes what holds on a setpoint
 * happens inside `alone`.
 */
export class ControlStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One after the other of all who change the same setpoint, in every process; kept together or not at all. */
  alone<T>({ device, path }: Omit<At, 'workgroup'>, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `setpoint ${device} ${path}`, task);
  }

  // Schedules of devices.

  /** Newest first, of these devices; of all where they are left out. */
  list(
    workgroup: string,
    device: string | undefined,
    visible?: readonly string[],
  ): Promise<DeviceScheduleRow[]> {
    return this.#postgres.db
      .select()
      .from(deviceSchedules)
      .where(
        and(
          eq(deviceSchedules.workgroup, workgroup),
          device === undefined ? undefined : eq(deviceSchedules.deviceId, device),
          visible && inArray(deviceSchedules.deviceId, [...visible]),
        ),
      )
      .orderBy(desc(deviceSchedules.changedAt), desc(deviceSchedules.id))
      .limit(LISTED);
  }

  async find(workgroup: string, device: string, id: string): Promise<DeviceScheduleRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(deviceSchedules)
      .where(
        and(
          eq(deviceSchedules.id, id),
          eq(deviceSchedules.workgroup, workgroup),
          eq(deviceSchedules.deviceId, device),
        ),
      );
    return row;
  }

  /** `full` where the device has too many, `gone` where it is no more. */
  add(row: typeof deviceSchedules.$inferInsert): Promise<DeviceScheduleRow | 'full' | 'gone'> {
    return oneByOne(this.#postgres, `device schedules ${row.deviceId}`, async () => {
      const { db } = this.#postgres;
      const isIts = eq(deviceSchedules.deviceId, row.deviceId);
      const [there] = await db.select({ count: count() }).from(deviceSchedules).where(isIts);
      if ((there?.count ?? 0) >= SCHEDULE_LIMITS.ofDevice) return 'full';
      const inserted = await unlessGone(db.insert(deviceSchedules).values(row).returning(), 'gone');
      if (inserted === 'gone') return inserted;
      return inserted[0] ?? 'gone';
    });
  }

  /** Undefined where it is gone. */
  async set(
    id: string,
    set: Partial<typeof deviceSchedules.$inferInsert>,
  ): Promise<DeviceScheduleRow | undefined> {
    const [row] = await this.#postgres.db
      .update(deviceSchedules)
      .set(set)
      .where(eq(deviceSchedules.id, id))
      .returning();
    return row;
  }

  async byId(id: string): Promise<DeviceScheduleRow | undefined> {
    const [row] = await this.#postgres.db.select().from(deviceSchedules).where(eq(deviceSchedules.id, id));
    return row;
  }

  async remove(id: string): Promise<void> {
    await this.#postgres.db.delete(deviceSchedules).where(eq(deviceSchedules.id, id));
  }

  async pendingOf({ device, path }: Omit<At, 'workgroup'>): Promise<DeviceScheduleRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(deviceSchedules)
      .where(
        and(
          eq(deviceSchedules.deviceId, device),
          eq(deviceSchedules.setpoint, path),
          eq(deviceSchedules.state, 'pending'),
        ),
      );
    return row;
  }

  /** What waits for approval for too long. */
  unapproved(now: Date): Promise<DeviceScheduleRow[]> {
    return this.#postgres.db
      .select()
      .from(deviceSchedules)
      .where(
        and(
          eq(deviceSchedules.state, 'pending'),
          eq(deviceSchedules.step, 'approval'),
          lte(deviceSchedules.approvableUntil, now),
        ),
      );
  }

  // Setpoints.

  setpoints(workgroup: string, device: string | undefined): Promise<SetpointRow[]> {
    return this.#postgres.db
      .select()
      .from(deviceSetpoints)
      .where(
        and(
          eq(deviceSetpoints.workgroup, workgroup),
          device === undefined ? undefined : eq(deviceSetpoints.deviceId, device),
        ),
      )
      .orderBy(deviceSetpoints.deviceId, deviceSetpoints.path);
  }

  async setpoint({ workgroup, device, path }: At): Promise<SetpointRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(deviceSetpoints)
      .where(and(eq(deviceSetpoints.workgroup, workgroup), isSetpoint(device, path)));
    return row;
  }

  /** Pending ones by `device path`. */
  async pending(workgroup: string): Promise<Map<string, string>> {
    const rows = await this.#postgres.db
      .select({
        id: deviceSchedules.id,
        device: deviceSchedules.deviceId,
        path: deviceSchedules.setpoint,
      })
      .from(deviceSchedules)
      .where(and(eq(deviceSchedules.workgroup, workgroup), eq(deviceSchedules.state, 'pending')));
    return new Map(rows.map(({ id, device, path }) => [`${device} ${path}`, id]));
  }

  /** What the device says of its setpoint; what we know besides stays. */
  async keepSetpoint(row: typeof deviceSetpoints.$inferInsert): Promise<void> {
    const { kind, type, isEnabled, value, fault, discoveredAt } = row;
    await this.#postgres.db
      .insert(deviceSetpoints)
      .values(row)
      .onConflictDoUpdate({
        target: [deviceSetpoints.deviceId, deviceSetpoints.path],
        set: { kind, type, isEnabled, value, fault, discoveredAt },
      });
  }

  async setSetpoint(
    { device, path }: Omit<At, 'workgroup'>,
    set: Partial<typeof deviceSetpoints.$inferInsert>,
  ): Promise<SetpointRow | undefined> {
    const [row] = await this.#postgres.db
      .update(deviceSetpoints)
      .set(set)
      .where(isSetpoint(device, path))
      .returning();
    return row;
  }

  async dropSetpoint({ device, path }: Omit<At, 'workgroup'>): Promise<void> {
    await this.#postgres.db.delete(deviceSetpoints).where(isSetpoint(device, path));
  }

  /** Setpoints on which something holds. */
  holding(): Promise<SetpointRow[]> {
    return this.#postgres.db.select().from(deviceSetpoints).where(isNotNull(deviceSetpoints.currentId));
  }

  // Versions.

  /** Newest first. */
  versions(workgroup: string, device: string, path: string): Promise<VersionRow[]> {
    return this.#postgres.db
      .select()
      .from(scheduleVersions)
      .where(and(eq(scheduleVersions.workgroup, workgroup), isOfSetpoint(device, path)))
      .orderBy(desc(scheduleVersions.version))
      .limit(SHOWN);
  }

  async version(
    { device, path }: Omit<At, 'workgroup'>,
    version: number | null,
  ): Promise<VersionRow | undefined> {
    if (version === null) return undefined;
    const [row] = await this.#postgres.db
      .select()
      .from(scheduleVersions)
      .where(and(isOfSetpoint(device, path), eq(scheduleVersions.version, version)));
    return row;
  }

  /** Versions of enabled setpoints that held at some time since an instant. */
  async heldSince(workgroup: string, since: Date): Promise<VersionRow[]> {
    const rows = await this.#postgres.db
      .select({ version: scheduleVersions })
      .from(scheduleVersions)
      .innerJoin(
        deviceSetpoints,
        and(
          eq(deviceSetpoints.deviceId, scheduleVersions.deviceId),
          eq(deviceSetpoints.path, scheduleVersions.setpoint),
        ),
      )
      .where(
        and(
          eq(scheduleVersions.workgroup, workgroup),
          eq(deviceSetpoints.isEnabled, true),
          isNotNull(scheduleVersions.takenAt),
          or(isNull(scheduleVersions.endedAt), gte(scheduleVersions.endedAt, since)),
        ),
      );
    return rows.map(({ version }) => version);
  }

  /** Versions of active power that devices had at some time from `from` to `to`. */
  limitedWithin(workgroup: string, devices: readonly string[], from: Date, to: Date) {
    const { deviceId, ordered, endsAt, sentAt, triedAt, takenAt, endedAt } = scheduleVersions;
    return this.#postgres.db
      .select({ deviceId, ordered, endsAt, sentAt, triedAt, takenAt, endedAt })
      .from(scheduleVersions)
      .where(
        and(
          eq(scheduleVersions.workgroup, workgroup),
          inArray(deviceId, [...devices]),
          like(scheduleVersions.setpoint, '%/setpoint\\_activepower'),
          isNotNull(takenAt),
          lt(sentAt, to),
          or(isNull(endedAt), gte(endedAt, from)),
          or(isNull(endsAt), gte(endsAt, from.getTime())),
        ),
      );
  }

  /** The order that is under way. */
  async order({ device, path }: Omit<At, 'workgroup'>): Promise<VersionRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(scheduleVersions)
      .where(and(isOfSetpoint(device, path), eq(scheduleVersions.outcome, 'pending')));
    return row;
  }

  /** Orders under way, of all devices. */
  orders(): Promise<VersionRow[]> {
    return this.#postgres.db.select().from(scheduleVersions).where(eq(scheduleVersions.outcome, 'pending'));
  }

  /** Adds an order under the next version of its setpoint. */
  async addVersion(row: Omit<typeof scheduleVersions.$inferInsert, 'version'>): Promise<VersionRow> {
    const { db } = this.#postgres;
    const { deviceId, setpoint } = row;
    const [kept] = await db
      .select({ version: max(scheduleVersions.version) })
      .from(scheduleVersions)
      .where(isOfSetpoint(deviceId, setpoint));
    const [known] = await db
      .select({ version: deviceSetpoints.lastVersion })
      .from(deviceSetpoints)
      .where(isSetpoint(deviceId, setpoint));
    const version = Math.max(kept?.version ?? 0, known?.version ?? 0) + 1;
    const [added] = await db
      .insert(scheduleVersions)
      .values({ ...row, version })
      .returning();
    if (!added) throw new Error('The database returned no row for a new version.');
    await this.setSetpoint({ device: deviceId, path: setpoint }, { lastVersion: version });
    return added;
  }

  async setVersion(
    { deviceId, setpoint, version }: Pick<VersionRow, 'deviceId' | 'setpoint' | 'version'>,
    set: Partial<typeof scheduleVersions.$inferInsert>,
  ): Promise<VersionRow | undefined> {
    const [row] = await this.#postgres.db
      .update(scheduleVersions)
      .set(set)
      .where(and(isOfSetpoint(deviceId, setpoint), eq(scheduleVersions.version, version)))
      .returning();
    return row;
  }
}

const isSetpoint = (device: string, path: string): SQL | undefined =>
  and(eq(deviceSetpoints.deviceId, device), eq(deviceSetpoints.path, path));
const isOfSetpoint = (device: string, path: string): SQL | undefined =>
  and(eq(scheduleVersions.deviceId, device), eq(scheduleVersions.setpoint, path));
