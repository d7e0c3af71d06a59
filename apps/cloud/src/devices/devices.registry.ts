import type { Postgres } from '@albedo/postgres/postgres';
import { eq } from 'drizzle-orm';
import { devices } from './devices.tables.ts';

export interface RegisteredDevice {
  id: string;
  workgroup: string;
  name: string;
  ced: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A device that is unknown is asked for again after so long, ms; it may have been made by another process. */
const UNKNOWN_FOR_MS = 2000;
const UNKNOWN_LIMIT = 10_000;

/**
 * Which devices exist and whose they are: all of them in memory, the database on a miss.
 *
 * Whoever makes, renames or removes a device tells it with `set` and `forget`.
 */
export class DeviceRegistry {
  readonly #postgres: Postgres;
  readonly #known = new Map<string, RegisteredDevice>();
  readonly #unknownUntil = new Map<string, number>();

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async start(): Promise<void> {
    for (const row of await this.#postgres.db.select(COLUMNS).from(devices)) this.#known.set(row.id, row);
  }

  /** Null for an id that no device has. */
  async find(deviceId: string): Promise<RegisteredDevice | null> {
    const known = this.#known.get(deviceId);
    if (known) return known;
    if (!UUID.test(deviceId) || (this.#unknownUntil.get(deviceId) ?? 0) > Date.now()) return null;

    const [row] = await this.#postgres.db.select(COLUMNS).from(devices).where(eq(devices.id, deviceId));
    if (row) this.set(row);
    else this.#rememberUnknown(deviceId);
    return row ?? null;
  }

  /** All devices of a workgroup that this process knows. */
  inWorkgroup(workgroup: string): RegisteredDevice[] {
    return [...this.#known.values()].filter((device) => device.workgroup === workgroup);
  }

  set(device: RegisteredDevice): void {
    const { id, workgroup, name, ced } = device;
    this.#known.set(id, { id, workgroup, name, ced });
    this.#unknownUntil.delete(id);
  }

  forget(deviceId: string): void {
    this.#known.delete(deviceId);
  }

  #rememberUnknown(deviceId: string): void {
    if (this.#unknownUntil.size >= UNKNOWN_LIMIT) this.#unknownUntil.clear();
    this.#unknownUntil.set(deviceId, Date.now() + UNKNOWN_FOR_MS);
  }
}

const COLUMNS = { id: devices.id, workgroup: devices.workgroup, name: devices.name, ced: devices.ced };
