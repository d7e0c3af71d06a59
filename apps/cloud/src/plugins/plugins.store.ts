import {
  type DevicePlugin,
  type InstalledPlugin,
  installedPlugin,
} from '@albedo/contract/plugins/plugins.schema';
import {
  type MachinePluginsSettings,
  machinePluginsSettings,
} from '@albedo/contract/workgroups/addons.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessGone } from '@albedo/postgres/unless-taken';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { devices } from '../database/devices.tables.ts';
import { workgroupAddons } from '../database/workgroups.tables.ts';
import { devicePlugins } from './plugins.tables.ts';

/** What was kept in a shape that is not known any more counts as nothing, until the device tells again. */
const known = z.array(installedPlugin).catch([]);

/** What devices have, and what workgroups may have, in SQL. */
export class PluginsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async installed(workgroup: string): Promise<DevicePlugin[]> {
    const rows = await this.#postgres.db
      .select({ deviceId: devicePlugins.deviceId, plugins: devicePlugins.plugins, at: devicePlugins.at })
      .from(devicePlugins)
      .innerJoin(devices, eq(devices.id, devicePlugins.deviceId))
      .where(eq(devices.workgroup, workgroup));
    return rows.flatMap(({ deviceId, plugins, at }) =>
      known.parse(plugins).map((one) => ({ ...one, deviceId, at: at.getTime() })),
    );
  }

  /** The device was checked before; one that was deleted meanwhile has nothing to be kept. */
  async keep(deviceId: string, plugins: InstalledPlugin[]): Promise<void> {
    const set = { plugins, at: new Date() };
    const kept = this.#postgres.db
      .insert(devicePlugins)
      .values({ deviceId, ...set })
      .onConflictDoUpdate({ target: devicePlugins.deviceId, set });
    await unlessGone(kept, null);
  }

  /** Null where the workgroup does not have the addon. */
  async allowed(workgroup: string): Promise<MachinePluginsSettings | null> {
    const isMeant = and(eq(workgroupAddons.workgroup, workgroup), eq(workgroupAddons.id, 'machine-plugins'));
    const [row] = await this.#postgres.db.select().from(workgroupAddons).where(isMeant);
    return row ? machinePluginsSettings.parse(row.settings) : null;
  }
}
