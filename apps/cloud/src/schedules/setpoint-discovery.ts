import type { AskResult } from '@albedo/contract/link/link.asks';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import { setpointBounds } from '@albedo/contract/schedules/schedules.schema';
import { z } from 'zod';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { At, ControlStore, SetpointRow } from './control.store.ts';
import type { ControlBook } from './control-book.ts';
import type { ControlBy } from './control-by.ts';

const input = z.object({ workgroup: z.string(), device: z.uuid() });
type Input = z.output<typeof input>;
type Told = AskResult<'schedules.read'>['setpoints'][number];

export interface DiscoveryOptions {
  store: ControlStore;
  book: ControlBook;
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  longActions: Pick<LongActions, 'begin'>;
  nameOf: (device: string) => string;
  isOnline: (device: string) => boolean;
  record: (on: Input, by: ControlBy) => void;
  now: () => number;
}

/** Asks devices which setpoints they have, and what lies there. */
export class SetpointDiscovery {
  readonly #options: DiscoveryOptions;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  readonly kind: LongActionKind<Input> = {
    kind: 'discover-setpoints',
    input,
    canCancel: true,
    run: async ({ input: on, signal }) => ({ result: { found: await this.discover(on, signal) } }),
  };

  /** Throws `device.offline`. */
  async begin(on: Input, by: ControlBy): Promise<LongAction> {
    const { longActions, isOnline, nameOf, record } = this.#options;
    if (!isOnline(on.device)) throw new AppError('device.offline');
    record(on, by);
    const about = nameOf(on.device);
    return longActions.begin(this.kind, { input: on, about, workgroup: on.workgroup, by });
  }

  /** Answers how many there are. Throws `schedule.no_plugin`, and what asking a device throws. */
  async discover(on: Input, signal?: AbortSignal): Promise<number> {
    const { store, deviceAsks } = this.#options;
    const { setpoints } = await deviceAsks
      .ask(on.device, 'schedules.read', {}, signal ? { signal } : {})
      .catch((error: Error) => {
        const isWithout = error instanceof AppError && error.facts.step === 'plugin';
        throw isWithout ? new AppError('schedule.no_plugin') : error;
      });
    for (const told of setpoints) await this.#keep({ ...on, path: told.path }, told);
    const paths = new Set(setpoints.map(({ path }) => path));
    for (const { path } of await store.setpoints(on.workgroup, on.device))
      if (!paths.has(path)) await this.#drop({ ...on, path });
    return setpoints.length;
  }

  #keep(at: At, told: Told): Promise<void> {
    const { store, book, now } = this.#options;
    const { path, kind, type, isEnabled, value, fault } = told;
    return book.alone(at, async () => {
      const discoveredAt = new Date(now());
      const said = { kind, type, isEnabled, value, fault, discoveredAt, bounds: setpointBounds.parse({}) };
      await store.keepSetpoint({ workgroup: at.workgroup, deviceId: at.device, path, ...said });
      const setpoint = await store.setpoint(at);
      if (!setpoint) return;
      // A cloud that was restored from a backup has forgotten orders, and the device refuses what is older than those.
      const newest = Math.max(told.version ?? 0, told.newest ?? 0);
      if (newest > setpoint.lastVersion) await store.setSetpoint(at, { lastVersion: newest });
      if (!(await store.order(at))) await this.#compare(at, setpoint, told);
      await book.tellSetpoint(at);
    });
  }

  /** What lies on the device is the current schedule, whoever put it there. */
  async #compare(at: At, setpoint: SetpointRow, { entries, version, fault }: Told): Promise<void> {
    const { store, book } = this.#options;
    const held = await book.holding(at, setpoint);
    if (!entries?.length) {
      // A file that cannot be read is still there.
      if (fault !== null) return;
      if (held.version) await book.over(at, { ...held, base: undefined }, 'over', GONE);
      return;
    }
    const isCurrent =
      held.version !== undefined && (version === held.version.version || isSame(entries, held.version));
    if (isCurrent) return;
    const ours = version === null ? undefined : await store.version(at, version);
    // An order of ours that lies there is what we know of it; it is not found anew.
    if (ours && (await book.lies(at, held, ours))) return;
    await book.found(at, held, entries);
  }

  /** The device has it no more. */
  #drop(at: At): Promise<void> {
    const { store, book } = this.#options;
    return book.alone(at, async () => {
      const setpoint = await store.setpoint(at);
      if (!setpoint || (await store.order(at))) return;
      await book.over(at, { ...(await book.holding(at, setpoint)), base: undefined }, 'over', GONE);
      await store.dropSetpoint(at);
    });
  }
}

const GONE = 'The device has it no more.';

const isSame = (
  entries: readonly { datetime: string; value: string }[],
  { ordered, endsAt }: { ordered: readonly { datetime: string; value: string }[]; endsAt: number | null },
): boolean => scheduleFile({ entries, endsAt: null }) === scheduleFile({ entries: ordered, endsAt });
