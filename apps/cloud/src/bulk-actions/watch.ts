import type { BulkStop } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import type { BulkRow, TargetRow } from './bulk-actions.store.ts';
import { type BaselineOf, ENERGY_AFTER_MS, FRESH_MS, judge, type Measured } from './judge.ts';

/** Power is compared over so long at most, ms. */
const ENERGY_SPAN_MS = 3_600_000;

/** Mean power of devices before and after an instant, W; a device without any is missing. */
export type Powers = ReadonlyMap<string, { beforeW: number | null; afterW: number | null }>;

export interface WatchOptions {
  /** Ids of the devices of a workgroup. */
  devicesOf: (workgroup: string) => string[];
  factsOf: (device: string) => DeviceFacts;
  powers: (workgroup: string, span: { from: number; mid: number; to: number }) => Promise<Powers>;
}

/** Watches the devices that an action has touched beside the rest of the workgroup. */
export class Watch {
  readonly #of: WatchOptions;

  constructor(options: WatchOptions) {
    this.#of = options;
  }

  /** What the devices of the wave, or all so far, do worse than the rest. */
  async verdict(action: BulkRow, targets: TargetRow[], now: number): Promise<BulkStop | null> {
    const { gates } = action.plan;
    const { baselines, wave } = action;
    if (!gates || !baselines) return null;
    const over = targets.filter(({ state }) => state === 'done' || state === 'failed');
    const ofWave = over.filter((target) => target.wave === wave);
    const all = targets.filter((target) => target.wave === wave).length;
    const failed = (100 * ofWave.filter(({ state }) => state === 'failed').length) / Math.max(1, all);
    if (gates.failedPercent !== null && failed > gates.failedPercent) {
      const touched = Math.round(failed * 100) / 100;
      return { gate: 'failed', wave, touched, rest: 0, limit: gates.failedPercent };
    }
    const busy = new Set(targets.filter(({ state }) => state === 'working').map(({ deviceId }) => deviceId));
    const touchedIds = new Set(over.map(({ deviceId }) => deviceId));
    const rest = this.#of.devicesOf(action.workgroup).filter((id) => !touchedIds.has(id) && !busy.has(id));
    for (const [own, since] of [
      [ofWave, baselines.wave],
      [over, baselines.start],
    ] as const) {
      const powers = await this.#powers(action.workgroup, since.at, now, gates.energyPercent !== null);
      const measure = (id: string) => this.#measured(id, since, powers, now);
      const worse = judge(
        own.map(({ deviceId }) => measure(deviceId)),
        rest.map(measure),
        gates,
      );
      if (worse) return { ...worse, wave };
    }
    return null;
  }

  #measured(device: string, since: BaselineOf, powers: Powers, now: number): Measured {
    const { crashes, cloudLastDataAt } = this.#of.factsOf(device);
    const [before, wasFresh] = since.devices[device] ?? [null, 0];
    return {
      crashes: Math.max(0, (crashes ?? 0) - (before ?? crashes ?? 0)),
      wasFresh: wasFresh === 1,
      isFresh: isFresh(cloudLastDataAt, now),
      ...(powers.get(device) ?? { beforeW: null, afterW: null }),
    };
  }

  async #powers(workgroup: string, mid: number, now: number, isAsked: boolean): Promise<Powers> {
    if (!isAsked || now - mid < ENERGY_AFTER_MS) return new Map();
    const from = mid - ENERGY_SPAN_MS;
    const to = Math.min(now, mid + ENERGY_SPAN_MS);
    return this.#of.powers(workgroup, {
      from: to - mid < ENERGY_SPAN_MS ? mid - (to - mid) : from,
      mid,
      to,
    });
  }

  /** What is known of the devices of a workgroup now, to compare with later. */
  baseline(workgroup: string, now = Date.now()): BaselineOf {
    const { devicesOf, factsOf } = this.#of;
    const devices = devicesOf(workgroup).map((id) => {
      const { crashes, cloudLastDataAt } = factsOf(id);
      return [id, [crashes, isFresh(cloudLastDataAt, now) ? 1 : 0]] as const;
    });
    return { at: now, devices: Object.fromEntries(devices) };
  }
}

const isFresh = (at: number | null, now: number): boolean => at !== null && now - at < FRESH_MS;
