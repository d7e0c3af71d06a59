import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Control } from './control.service.ts';
import type { ControlStore } from './control.store.ts';
import type { ControlBy } from './control-by.ts';
import { deviceScheduleOf } from './control-shapes.ts';
import type { Schedules } from './schedules.service.ts';

export interface HandOutOptions {
  store: ControlStore;
  schedules: Schedules;
  control: Control;
  registry: Pick<DeviceRegistry, 'known'>;
}

/** Hands shared schedules to devices: a draft for each of them and each of its paths. */
export class HandOut {
  readonly #options: HandOutOptions;

  constructor(options: HandOutOptions) {
    this.#options = options;
  }

  /** A device that the caller does not see is as one that does not exist: all paths are absent. Throws `schedule.not_found`. */
  async to(
    { workgroup, scope }: { workgroup: string; scope: DeviceScope },
    id: string,
    devices: readonly string[],
    by: ControlBy,
  ): Promise<{ drafts: DeviceSchedule[]; absent: { deviceId: string; paths: string[] }[] }> {
    const { schedules, store, control, registry } = this.#options;
    const shared = await schedules.get(workgroup, id);
    const byPath = Map.groupBy(shared.entries, ({ path }) => path);
    const drafts: DeviceSchedule[] = [];
    const absent: { deviceId: string; paths: string[] }[] = [];
    for (const device of new Set(devices)) {
      const isThere = registry.known(device)?.workgroup === workgroup && scope.has(device);
      const setpoints = isThere ? await store.setpoints(workgroup, device) : [];
      const paths = new Set(setpoints.filter(({ type }) => type === 'schedule').map(({ path }) => path));
      const lacking = [...byPath.keys()].filter((path) => !paths.has(path));
      if (lacking.length > 0) absent.push({ deviceId: device, paths: lacking });
      for (const [setpoint, entries] of byPath) {
        if (!paths.has(setpoint)) continue;
        const { name, description } = shared;
        const written = { setpoint, name, description, entries, until: null };
        drafts.push(deviceScheduleOf(await control.draft({ workgroup, device }, written, by, id)));
      }
    }
    return { drafts, absent };
  }
}
