import type { Postgres } from '@albedo/postgres/postgres';
import { eq, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';

/** What the registry keeps of a device. */
export type RegistryRow = Awaited<ReturnType<RegistryStore['all']>>[number];

/** Devices of all workgroups, in SQL: from them the registry knows whose a device is. */
export class RegistryStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  all() {
    return this.#postgres.db.select(COLUMNS).from(devices);
  }

  async find(deviceId: string): Promise<RegistryRow | undefined> {
    return (await this.#postgres.db.select(COLUMNS).from(devices).where(eq(devices.id, deviceId)))[0];
  }
}

const COLUMNS = {
  id: devices.id,
  workgroup: devices.workgroup,
  name: devices.name,
  ced: devices.ced,
  createdAt: devices.createdAt,
  quarantine: devices.quarantine,
  info: sql<unknown>`${devices.settings} -> 'info'`,
  sourceInfo: sql<unknown>`${devices.settings} -> 'sourceInfo'`,
  sourceLabels: sql<unknown>`${devices.settings} -> 'sourceLabels'`,
};
