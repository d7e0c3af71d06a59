import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';
import { workgroupAddons, workgroupSettings, workgroups } from '../database/workgroups.tables.ts';
import { reportSelections } from './energy.tables.ts';

/** What gives a workgroup reports. Source: specification 1, section 4. */
const ADDONS = ['daily-energy', 'solar-reporting', 'iec-perf-ratio', 'availability'];
const SETTINGS = ['perfRatio', 'meterSites'];

/** What reports know of workgroups, devices and people, in SQL. */
export class EnergyStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Workgroups that have reports and are open. */
  async workgroups(): Promise<string[]> {
    const rows = await this.#postgres.db
      .selectDistinct({ name: workgroups.name })
      .from(workgroups)
      .leftJoin(workgroupAddons, eq(workgroupAddons.workgroup, workgroups.name))
      .leftJoin(workgroupSettings, eq(workgroupSettings.workgroup, workgroups.name))
      .where(
        and(
          isNull(workgroups.suspendedAt),
          or(inArray(workgroupAddons.id, ADDONS), inArray(workgroupSettings.key, SETTINGS)),
        ),
      );
    return rows.map(({ name }) => name);
  }

  /** Zones that devices reported themselves. */
  async zones(workgroup: string): Promise<Map<string, string | null>> {
    const rows = await this.#postgres.db
      .select({ id: devices.id, zone: sql<string | null>`${devices.meta} ->> 'timezone'` })
      .from(devices)
      .where(eq(devices.workgroup, workgroup));
    return new Map(rows.map(({ id, zone }) => [id, zone]));
  }

  async selections(workgroup: string, userId: string): Promise<Partial<Record<EnergyReportName, string>>> {
    const rows = await this.#postgres.db
      .select()
      .from(reportSelections)
      .where(and(eq(reportSelections.workgroup, workgroup), eq(reportSelections.userId, userId)));
    return Object.fromEntries(rows.map(({ report, search }) => [report, search]));
  }

  async select(workgroup: string, userId: string, report: EnergyReportName, search: string): Promise<void> {
    await this.#postgres.db
      .insert(reportSelections)
      .values({ workgroup, userId, report, search })
      .onConflictDoUpdate({
        target: [reportSelections.workgroup, reportSelections.userId, reportSelections.report],
        set: { search },
      });
  }
}
