import type { Quarantine } from '@albedo/contract/devices/devices.schema';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { quarantineChanged } from '../registry/registry.topics.ts';
import type { By, RecordDevice } from './devices.record.ts';
import type { DeviceRow, DevicesStore } from './devices.store.ts';

export interface DeviceQuarantineOptions {
  store: Pick<DevicesStore, 'setQuarantine'>;
  bus: Bus;
  /** The device as it is kept. Throws `device.not_found`. */
  row: (workgroup: string, id: string) => Promise<DeviceRow>;
  record: RecordDevice;
  /** Has the processes know the device as it is now, and tells whoever sees it. */
  changed: (row: DeviceRow) => void;
}

interface On {
  workgroup: string;
  id: string;
}

/** Keeps devices out without deleting them, and lets them in again. Their certificates stay what they are. */
export class DeviceQuarantine {
  readonly #options: DeviceQuarantineOptions;

  constructor(options: DeviceQuarantineOptions) {
    this.#options = options;
  }

  /**
   * Ends the connection of the device; it may not come back until it is released. For one that is kept out already only the
   * reason changes.
   */
  async hold(on: On, reason: string, by: By): Promise<void> {
    const before = await this.#options.row(on.workgroup, on.id);
    const since = before.quarantine?.since ?? Date.now();
    await this.#set(on, { since, by: by?.email ?? null, reason });
    this.#options.record(before, 'quarantine', by, {
      attribute: 'reason',
      oldValue: before.quarantine?.reason ?? null,
      newValue: reason,
    });
  }

  /** Lets it connect again. */
  async release(on: On, by: By): Promise<void> {
    const before = await this.#options.row(on.workgroup, on.id);
    if (!before.quarantine) return;
    await this.#set(on, null);
    this.#options.record(before, 'release', by, { attribute: 'reason', oldValue: before.quarantine.reason });
  }

  async #set({ workgroup, id }: On, quarantine: Quarantine | null): Promise<void> {
    const { store, bus, changed } = this.#options;
    const row = await store.setQuarantine(workgroup, id, quarantine);
    // It was deleted meanwhile.
    if (!row) throw new AppError('device.not_found', { id });
    changed(row);
    await bus.publish(quarantineChanged, { id });
  }
}
