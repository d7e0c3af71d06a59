import { SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import type { ScheduleEntry } from '@albedo/contract/schedules/schedules.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { controlPolicies, deviceSchedules, schedules } from './schedules.tables.ts';

export type ScheduleRow = typeof schedules.$inferSelect;
export type PolicyRow = typeof controlPolicies.$inferSelect;

interface Written {
  name: string;
  description: string;
  entries: ScheduleEntry[];
}

/** Shared schedules, and who has to agree, in SQL. */
export class SchedulesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<ScheduleRow[]> {
    const { name, id } = schedules;
    return this.#postgres.db
      .select()
      .from(schedules)
      .where(eq(schedules.workgroup, workgroup))
      .orderBy(asc(sql`lower(${name})`), asc(id));
  }

  async find(workgroup: string, id: string): Promise<ScheduleRow | undefined> {
    const [row] = await this.#postgres.db.select().from(schedules).where(isNamed(workgroup, id));
    return row;
  }

  /** Devices with a schedule that was made of a shared one, by that one. */
  async devices(workgroup: string): Promise<Map<string, string[]>> {
    const { scheduleId, deviceId } = deviceSchedules;
    const rows = await this.#postgres.db
      .selectDistinct({ scheduleId, deviceId })
      .from(deviceSchedules)
      .where(and(eq(deviceSchedules.workgroup, workgroup), sql`${scheduleId} is not null`))
      .orderBy(deviceId);
    const bySchedule = new Map<string, string[]>();
    for (const row of rows)
      if (row.scheduleId)
        bySchedule.set(row.scheduleId, [...(bySchedule.get(row.scheduleId) ?? []), row.deviceId]);
    return bySchedule;
  }

  /** Null where there are too many. */
  add(workgroup: string, written: Written, author: string): Promise<ScheduleRow | null> {
    return oneByOne(this.#postgres, `schedules ${workgroup}`, async () => {
      const { db } = this.#postgres;
      const isTheirs = eq(schedules.workgroup, workgroup);
      const [there] = await db.select({ count: count() }).from(schedules).where(isTheirs);
      if ((there?.count ?? 0) >= SCHEDULE_LIMITS.schedules) return null;
      const [row] = await db
        .insert(schedules)
        .values({ workgroup, ...written, author })
        .returning();
      return row ?? null;
    });
  }

  async change(workgroup: string, id: string, written: Written): Promise<ScheduleRow | undefined> {
    const [row] = await this.#postgres.db
      .update(schedules)
      .set({ ...written, changedAt: new Date() })
      .where(isNamed(workgroup, id))
      .returning();
    return row;
  }

  async remove(workgroup: string, id: string): Promise<ScheduleRow | undefined> {
    const [row] = await this.#postgres.db.delete(schedules).where(isNamed(workgroup, id)).returning();
    return row;
  }

  async policy(workgroup: string): Promise<PolicyRow | undefined> {
    const isTheirs = eq(controlPolicies.workgroup, workgroup);
    const [row] = await this.#postgres.db.select().from(controlPolicies).where(isTheirs);
    return row;
  }

  async setPolicy(workgroup: string, twoPeople: PolicyRow['twoPeople'], changedBy: string): Promise<void> {
    const row = { twoPeople, changedBy, changedAt: new Date() };
    await this.#postgres.db
      .insert(controlPolicies)
      .values({ workgroup, ...row })
      .onConflictDoUpdate({ target: controlPolicies.workgroup, set: row });
  }
}

const isNamed = (workgroup: string, id: string) =>
  and(eq(schedules.workgroup, workgroup), eq(schedules.id, id));
