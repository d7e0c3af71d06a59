import type { Quarantine } from '@albedo/contract/devices/devices.schema';
import { type SourceLabels, sourceLabelsOf } from '@albedo/contract/labelling/labelling.schema';
import { type Info, infoOf, sourceInfosOf } from '@albedo/contract/metadata/metadata.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { RegistryRow, RegistryStore } from './registry.store.ts';

export interface RegisteredDevice {
  id: string;
  workgroup: string;
  name: string;
  ced: boolean;
  /** Epoch ms. */
  createdAt: number;
  /** Null for one that may connect. */
  quarantine: Quarantine | null;
  /** The general information, by field. */
  info: Readonly<Info>;
  /** The metadata of its sources, by the name of the source. */
  sourceInfo: Readonly<Record<string, Info>>;
  /** How its sources are labelled, by the name of the source. */
  sourceLabels: SourceLabels;
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
  readonly #store: RegistryStore;
  readonly #known = new Map<string, RegisteredDevice>();
  readonly #byName = new Map<string, RegisteredDevice[]>();
  readonly #unknownUntil = new Map<string, number>();

  constructor(store: RegistryStore) {
    this.#store = store;
  }

  async start(): Promise<void> {
    for (const row of await this.#store.all()) this.set(registered(row));
  }

  /** Null for an id that no device has. */
  async find(deviceId: string): Promise<RegisteredDevice | null> {
    const known = this.#known.get(deviceId);
    if (known) return known;
    if (!UUID.test(deviceId) || (this.#unknownUntil.get(deviceId) ?? 0) > Date.now()) return null;

    const row = await this.#store.find(deviceId);
    if (row) this.set(registered(row));
    else this.#rememberUnknown(deviceId);
    return this.#known.get(deviceId) ?? null;
  }

  /** The device if this process knows it; never asks the database. */
  known(deviceId: string): RegisteredDevice | null {
    return this.#known.get(deviceId) ?? null;
  }

  /** Ids of all devices of all workgroups. */
  ids(): string[] {
    return [...this.#known.keys()];
  }

  /** All devices of all workgroups. */
  all(): RegisteredDevice[] {
    return [...this.#known.values()];
  }

  /** Those of all workgroups that may not connect. */
  inQuarantine(): { id: string; quarantine: Quarantine }[] {
    return [...this.#known.values()].flatMap(({ id, quarantine }) =>
      quarantine ? [{ id, quarantine }] : [],
    );
  }

  /** Number of devices. */
  get size(): number {
    return this.#known.size;
  }

  /** The devices of a workgroup, by name. */
  inWorkgroup(workgroup: string): readonly RegisteredDevice[] {
    const kept = this.#byName.get(workgroup);
    if (kept) return kept;
    const sorted = [...this.#known.values()]
      .filter((device) => device.workgroup === workgroup)
      .sort((a, b) => BY_NAME.compare(a.name, b.name));
    this.#byName.set(workgroup, sorted);
    return sorted;
  }

  /** Those of them that the scope has. */
  visible(workgroup: string, scope: DeviceScope): readonly RegisteredDevice[] {
    const all = this.inWorkgroup(workgroup);
    return scope.isAll ? all : all.filter(({ id }) => scope.has(id));
  }

  set(device: RegisteredDevice): void {
    const { id, workgroup, name, ced, createdAt, quarantine, info, sourceInfo, sourceLabels } = device;
    const kept = { id, workgroup, name, ced, createdAt, quarantine, info, sourceInfo, sourceLabels };
    this.#known.set(id, kept);
    this.#byName.delete(workgroup);
    this.#unknownUntil.delete(id);
  }

  forget(deviceId: string): void {
    const device = this.#known.get(deviceId);
    this.#known.delete(deviceId);
    if (device) this.#byName.delete(device.workgroup);
  }

  #rememberUnknown(deviceId: string): void {
    if (this.#unknownUntil.size >= UNKNOWN_LIMIT) this.#unknownUntil.clear();
    this.#unknownUntil.set(deviceId, Date.now() + UNKNOWN_FOR_MS);
  }
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

function registered(row: RegistryRow): RegisteredDevice {
  return {
    ...row,
    createdAt: row.createdAt.getTime(),
    info: infoOf(row.info),
    sourceInfo: sourceInfosOf(row.sourceInfo),
    sourceLabels: sourceLabelsOf(row.sourceLabels),
  };
}
