import { createHash } from 'node:crypto';
import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import type { ControlOrder } from '@albedo/contract/schedules/schedules.order';
import type { InverterFollows } from '@albedo/contract/schedules/schedules.schema';
import { whenHeld } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { At, ControlStore, VersionRow } from './control.store.ts';
import { type ControlBook, LOOK_MS } from './control-book.ts';
import { type SignerPair, signOrder } from './order-signing.ts';

/** Inverters get so long to show what they make of a setpoint: they ramp, and are read one after the other, ms. */
const WATCH_MS = 60_000;
/** After it an exchange that was cut off is tried again, ms. */
const AGAIN_MS = 5000;
const RETRY = { times: 2, afterS: 5, atMostS: 30 };
/** What a device says only where it did not take the order. */
const REFUSALS = new Set([
  'device.refused',
  'device.invalid',
  'device.unable',
  'device.changed',
  'device.agent_old',
]);

const setpoint = z.object({ workgroup: z.string(), device: z.uuid(), path: z.string() });
const isOf = ({ device, path }: At): string => `${device} ${path}`;

export interface SenderOptions {
  store: ControlStore;
  book: ControlBook;
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  jobs: Pick<Jobs, 'send' | 'wake'>;
  signer: () => Promise<SignerPair>;
  isOnline: (device: string) => boolean;
  /** Tells that a setpoint is not followed, or that somebody else writes. */
  found: (at: At, inverters: readonly InverterFollows[]) => void;
  now: () => number;
  log: Logger;
}

/**
 * Sends orders and sees what becomes of them. Whatever it does can be cut off anywhere: what is under way stands in the
 * records, a version always says the same, and a device answers the same version as it did before.
 */
export class ControlSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  readonly sending = defineJob({
    name: 'control-send',
    payload: setpoint,
    limitS: 60,
    retry: RETRY,
    oneAtATime: { key: isOf, waiting: 'one' },
    sideBySide: 6,
    about: isOf,
    run: ({ payload, signal }) => this.send(payload, signal),
  });

  readonly confirming = defineJob({
    name: 'control-confirm',
    payload: setpoint,
    limitS: 180,
    retry: RETRY,
    oneAtATime: { key: isOf, waiting: 'one' },
    sideBySide: 6,
    about: isOf,
    run: ({ payload, signal }) => this.confirm(payload, signal),
  });

  /** Sends what is ordered for a setpoint and not there yet. */
  async send(at: At, signal?: AbortSignal): Promise<void> {
    const order = await this.#mayGo(at);
    if (!order) return;
    try {
      const answer = await this.ask(at, orderOf(order), signal);
      const wanted = hashOf(order);
      await this.#still(at, order, () =>
        answer.version === order.version && answer.sha256 === wanted
          ? this.#options.book.taken(at, order)
          : this.#options.book.revert(at, order, [], 'The device keeps something else than was sent.'),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      signal?.throwIfAborted();
      await this.#still(at, order, () => this.#notSent(at, order, error));
    }
  }

  /** An order as it travels; throws what asking a device throws. */
  async ask(
    { device, path }: At,
    order: Omit<ControlOrder, 'device' | 'path' | 'issuedAt' | 'expiresAt'>,
    signal?: AbortSignal,
    limitMs?: number,
  ): Promise<{ version: number; sha256: string | null }> {
    const { deviceAsks, signer, now } = this.#options;
    const signed = await signOrder({ device, path, ...order }, await signer(), now());
    const options = { ...(signal ? { signal } : {}), ...(limitMs === undefined ? {} : { limitMs }) };
    return deviceAsks.ask(device, 'schedules.order', { order: signed }, options);
  }

  /** Sees what inverters make of what the device has taken. */
  async confirm(at: At, signal?: AbortSignal): Promise<void> {
    const order = await this.#options.store.order(at);
    if (!order?.takenAt) return;
    if (order.origin === 'release') {
      await this.#still(at, order, () => this.#options.book.applied(at, order, [], null));
      return;
    }
    const seen = await this.#watch(at, order, WATCH_MS, signal);
    signal?.throwIfAborted();
    await this.#still(at, order, () => this.#judge(at, order, seen));
  }

  async #judge(at: At, order: VersionRow, { inverters, why }: Seen): Promise<void> {
    const { book, found } = this.#options;
    const not = inverters.filter(({ result }) => result === 'notFollowed');
    if (inverters.length > 0) found(at, inverters);
    const said = not.map(({ name, why: because }) => `${name}: ${because}`).join('; ');
    // Taking back a stop would loosen what the others obey.
    if (not.length > 0 && !order.isStop && !order.isRevert)
      return book.revert(at, order, inverters, `Not followed. ${said}`);
    const untold = inverters.find(({ result }) => result === 'notTestable');
    const open =
      why ?? (untold || inverters.length === 0 ? `It cannot be told yet: ${untold?.why ?? NOBODY}` : null);
    return book.applied(at, order, inverters, not.length > 0 ? `Not followed. ${said}` : open);
  }

  /** Looks at what holds, at times; what could not be told before is judged now. */
  async look(at: At, signal?: AbortSignal): Promise<void> {
    const { store, book, found, now } = this.#options;
    const [setpointRow, order] = [await store.setpoint(at), await store.order(at)];
    if (!setpointRow || order) return;
    const version = await store.version(at, setpointRow.currentVersion);
    if (!version) return;
    const known = (await store.byId(version.deviceScheduleId))?.inverters ?? [];
    const seen = await this.#watch(at, version, 0, signal);
    await book.alone(at, async () => {
      const again = await store.setpoint(at);
      const row = await store.byId(version.deviceScheduleId);
      // Somebody may have edited the schedule, or asked for its end: what holds is looked at all the same.
      if (again?.currentVersion !== version.version || !row || (await store.order(at))) return;
      const { inverters, why } = seen;
      if (inverters.length > 0) found(at, inverters);
      const not = inverters.filter(({ result }) => result === 'notFollowed');
      const said = not.map(({ name, why: because }) => `${name}: ${because}`).join('; ');
      const isLate = not.some((one) => wasOpen(known, one.name));
      if (isLate && !version.isStop && !version.isRevert && version.origin !== 'found')
        return book.revert(at, version, inverters, `Not followed. ${said}`);
      const untold = inverters.find(({ result }) => result === 'notTestable');
      const open = why ?? (untold ? `It cannot be told yet: ${untold.why}` : null);
      const reason = not.length > 0 ? `Not followed. ${said}` : open;
      await store.setSetpoint(at, {
        lookAt: new Date(now() + (reason === null ? LOOK_MS.later : LOOK_MS.soon)),
      });
      const isShown = row.state === 'applied';
      if (why === null) await book.change(row.id, isShown ? { inverters, reason } : { inverters });
    });
  }

  async #watch(at: At, order: VersionRow, forMs: number, signal?: AbortSignal): Promise<Seen> {
    const { deviceAsks, book, store } = this.#options;
    const tell = async (inverters: InverterFollows[]) => {
      if ((await store.byId(order.deviceScheduleId)) !== undefined)
        await book.change(order.deviceScheduleId, { inverters });
    };
    let told = Promise.resolve();
    const onTell = ({ inverters }: { inverters: InverterFollows[] }) => {
      told = told.then(() => tell(inverters)).catch(() => {});
    };
    try {
      const asked = { path: at.path, version: order.version, forMs };
      const options = { onTell, limitMs: forMs + 30_000, ...(signal ? { signal } : {}) };
      const { inverters } = await deviceAsks.ask(at.device, 'schedules.watch', asked, options);
      return { inverters, why: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { inverters: [], why: `It cannot be told yet: ${error.message}` };
    } finally {
      await told;
    }
  }

  /** The order that may go out now. What is too old and was never sent goes back; what may have arrived is asked for. */
  async #mayGo(at: At): Promise<VersionRow | undefined> {
    const { book, store, isOnline, now } = this.#options;
    const late = await book.alone(at, async () => {
      const order = await store.order(at);
      if (!order || order.takenAt) return undefined;
      const isFirst = order.triedAt === null && !order.isRevert;
      const isLate = !order.isRevert && (order.sendBy?.getTime() ?? 0) <= now();
      if (!isOnline(at.device)) {
        if (isFirst) await book.failed(at, order, new AppError('device.offline').message);
        return undefined;
      }
      if (isLate && isFirst) await book.failed(at, order, 'It could not be sent in time.');
      if (isLate) return isFirst ? undefined : { order, isLate };
      const tried = order.triedAt ? order : await store.setVersion(order, { triedAt: new Date(now()) });
      return tried && { order: tried, isLate };
    });
    if (!late?.isLate) return late?.order;
    await this.#whetherItCame(at, late.order);
    return undefined;
  }

  /** The connection was lost while the device was told: by now it can say whether it has it. */
  async #whetherItCame(at: At, order: VersionRow): Promise<void> {
    const { book, deviceAsks } = this.#options;
    const read = await deviceAsks.ask(at.device, 'schedules.read', {}).catch(() => null);
    if (!read) return;
    const there = read.setpoints.find(({ path }) => path === at.path);
    await this.#still(at, order, () =>
      there?.version === order.version
        ? book.taken(at, order)
        : book.failed(at, order, 'The connection was lost, and the device did not take it.'),
    );
  }

  async #notSent(at: At, order: VersionRow, error: AppError): Promise<void> {
    const { book, jobs, log, now } = this.#options;
    if (REFUSALS.has(error.error)) {
      if (order.isRevert)
        log.error({ ...at, reason: error.message }, 'a device does not take back a setpoint');
      return book.failed(at, order, error.message);
    }
    const pending = await this.#options.store.pendingOf(at);
    const reason = `${error.message} It is tried again.`;
    if (pending && pending.reason !== reason) await book.change(pending.id, { reason });
    whenHeld(() => jobs.send(this.sending, at, { after: new Date(now() + AGAIN_MS) }));
  }

  /** Does it where the order is still under way: somebody may have ordered something else meanwhile. */
  #still(at: At, order: VersionRow, task: () => Promise<unknown>): Promise<unknown> {
    const { book, store } = this.#options;
    return book.alone(at, async () => {
      const now = await store.order(at);
      if (now?.version === order.version) await task();
    });
  }
}

interface Seen {
  inverters: InverterFollows[];
  /** Why nothing is known. */
  why: string | null;
}

/** Nothing could be told of an inverter when it was last looked at. */
const wasOpen = (known: readonly InverterFollows[], name: string): boolean =>
  known.length === 0 || known.some((one) => one.name === name && one.result === 'notTestable');

const NOBODY = 'no inverter is known.';

/** What a version orders; the same whenever it is asked. */
export const orderOf = (order: VersionRow) =>
  ({
    version: order.version,
    action: order.origin === 'found' ? 'schedule' : order.origin,
    entries: order.ordered,
    endsAt: order.endsAt,
    trialUntil: order.trialUntil?.getTime() ?? null,
  }) as const;

/** SHA-256 of the file that an order makes; null where it takes it away. */
export function hashOf(order: Pick<VersionRow, 'origin' | 'ordered' | 'endsAt'>): string | null {
  if (order.origin === 'release') return null;
  const file = scheduleFile({ entries: order.ordered, endsAt: order.endsAt });
  return createHash('sha256').update(file).digest('hex');
}
