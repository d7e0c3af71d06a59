import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { At, ControlStore, SetpointRow, VersionRow } from './control.store.ts';
import type { ControlBook, Holding } from './control-book.ts';
import type { ControlSender } from './control-sender.ts';
import { orderOf } from './control-sender.ts';

/** The lease of an override is renewed once so little of it is left, ms. */
const RENEW_BEFORE_MS = 10 * 60_000;
/** Devices that are asked at once. */
const AT_ONCE = 8;
/** A device has so long to say that it renewed a lease, or what lies there: others wait for it, ms. */
const ASK_MS = 10_000;

export interface ClockOptions {
  store: ControlStore;
  book: ControlBook;
  sender: ControlSender;
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  jobs: Pick<Jobs, 'send'>;
  isOnline: (device: string) => boolean;
  now: () => number;
  log: Logger;
}

/** What the time alone brings: ends, leases, trials that nobody confirmed, approvals that nobody gave. */
export class ControlClock {
  readonly #options: ClockOptions;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  readonly ticking = defineJob({
    name: 'control-clock',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 0, afterS: 0, atMostS: 0 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => this.tick(signal),
  });

  async tick(signal?: AbortSignal): Promise<void> {
    const { store, isOnline, now } = this.#options;
    // Leases first: nothing that takes long may let one lapse.
    await this.#each(await store.holding(), (at) => this.#endWhatIsOver(at), signal);
    await this.#each(await store.holding(), (at) => this.#renew(at, signal), signal);
    await this.#endTrials(signal);
    await this.#voidApprovals();
    await this.#takeUp();
    const due = (await store.holding()).filter(
      ({ deviceId, lookAt }) => isOnline(deviceId) && lookAt && lookAt.getTime() <= now(),
    );
    await this.#each(due, (at) => this.#options.sender.look(at, signal), signal);
  }

  async #endTrials(signal?: AbortSignal): Promise<void> {
    await this.#each(await this.#options.store.holding(), (at) => this.#endTrial(at, signal), signal);
  }

  /** Does it for each setpoint; what goes wrong at one keeps nothing from the others. */
  async #each(
    rows: readonly SetpointRow[],
    task: (at: At) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let first = 0; first < rows.length; first += AT_ONCE) {
      signal?.throwIfAborted();
      await Promise.all(
        rows
          .slice(first, first + AT_ONCE)
          .map(({ workgroup, deviceId: device, path }) => ({ workgroup, device, path }))
          .map((at) => this.#tried(at, () => task(at))),
      );
    }
  }

  async #tried(at: At, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (err) {
      this.#options.log.warn({ err, ...at }, 'a setpoint could not be looked after');
    }
  }

  /** A device is there again: what is under way for it goes on, and what holds is looked at. */
  async back(workgroup: string, device: string): Promise<void> {
    const { store } = this.#options;
    for (const row of await store.setpoints(workgroup, device)) {
      const at = { workgroup, device, path: row.path };
      const order = await store.order(at);
      if (order) await this.#wake(at, order);
    }
  }

  async #voidApprovals(): Promise<void> {
    const { store, book, now } = this.#options;
    for (const { workgroup, deviceId: device, setpoint: path, id } of await store.unapproved(
      new Date(now()),
    )) {
      const at = { workgroup, device, path };
      const voidIt = async () => {
        const row = await store.byId(id);
        const isDue = row?.step === 'approval' && (row.approvableUntil?.getTime() ?? 0) <= now();
        if (row && isDue) await book.takeBack(row, 'Nobody approved it within a day.');
        await book.tellSetpoint(at);
      };
      await this.#tried(at, () => book.alone(at, voidIt));
    }
  }

  /** What was under way when a process died. */
  async #takeUp(): Promise<void> {
    for (const order of await this.#options.store.orders()) {
      const at = { workgroup: order.workgroup, device: order.deviceId, path: order.setpoint };
      await this.#tried(at, () => this.#wake(at, order));
    }
  }

  async #wake(at: At, { takenAt }: VersionRow): Promise<void> {
    const { jobs, sender } = this.#options;
    await jobs.send(takenAt ? sender.confirming : sender.sending, at);
  }

  async #endWhatIsOver(at: At): Promise<void> {
    const { store, book, now } = this.#options;
    await book.alone(at, async () => {
      const setpoint = await store.setpoint(at);
      if (!setpoint?.currentId || (await store.order(at))) return;
      const held = await book.holding(at, setpoint);
      const { version } = held;
      if (!version) return;
      const isOver = version.until !== null && version.until.getTime() <= now();
      const isLapsed = setpoint.leaseUntil !== null && setpoint.leaseUntil.getTime() <= now();
      if (isOver) await book.over(at, held, 'over', 'Its end came.');
      else if (isLapsed) await book.over(at, held, 'over', 'The device did not hear from us for 15 minutes.');
    });
  }

  /** Prolongs an override on the device: the same version, with what lies under it now. */
  async #renew(at: At, signal?: AbortSignal): Promise<void> {
    const { store, book, sender, isOnline, now } = this.#options;
    // An order under way is what holds next.
    if (!isOnline(at.device) || (await store.order(at))) return;
    const due = await this.#held(at);
    const { setpoint, version, base } = due ?? {};
    if (!setpoint?.leaseUntil || version?.origin !== 'override' || !version.until) return;
    const isEnough =
      setpoint.leaseUntil.getTime() - now() > RENEW_BEFORE_MS || setpoint.leaseUntil >= version.until;
    if (isEnough) return;
    const { entries, endsAt, leaseUntil } = book.lease(version, base);
    const order = { ...orderOf(version), action: 'renew' as const, entries: plain(entries), endsAt };
    await sender.ask(at, order, signal, ASK_MS);
    await book.alone(at, async () => {
      const again = await store.setpoint(at);
      if (again?.currentVersion !== version.version) return;
      await store.setSetpoint(at, { leaseUntil: new Date(leaseUntil) });
      await store.setVersion(version, { ordered: plain(entries), endsAt });
    });
  }

  async #held(at: At): Promise<Holding | undefined> {
    const { store, book } = this.#options;
    const setpoint = await store.setpoint(at);
    return setpoint && book.holding(at, setpoint);
  }

  /** The device takes back by itself what nobody confirmed; it says which of the two lies there. */
  async #endTrial(at: At, signal?: AbortSignal): Promise<void> {
    const { store, book, deviceAsks, isOnline, now } = this.#options;
    const held = await this.#held(at);
    const version = held?.version;
    const isDue = version?.trialUntil && version.trialUntil.getTime() <= now();
    if (!isDue || !version || !isOnline(at.device)) return;
    const read = await deviceAsks.ask(
      at.device,
      'schedules.read',
      {},
      {
        limitMs: ASK_MS,
        ...(signal ? { signal } : {}),
      },
    );
    const there = read.setpoints.find(({ path }) => path === at.path);
    const wasKept = fileOf(there?.entries ?? null) === fileOf(endedEntries(version));
    await book.alone(at, async () => {
      const setpoint = await store.setpoint(at);
      if (setpoint?.currentVersion !== version.version || (await store.order(at))) return;
      const again = await store.version(at, version.version);
      if (!again?.trialUntil) return;
      if (wasKept) await book.kept(at, again);
      else
        await book.over(
          at,
          await book.holding(at, setpoint),
          'reverted',
          'Nobody confirmed the trial in time.',
        );
    });
  }
}

const plain = (entries: readonly { datetime: string; value: string }[]) =>
  entries.map(({ datetime, value }) => ({ datetime, value }));

const fileOf = (entries: readonly { datetime: string; value: string }[] | null): string | null =>
  entries && scheduleFile({ entries, endsAt: null });

/** The lines of the file of a version, its end among them. */
const endedEntries = ({ ordered, endsAt }: VersionRow) =>
  endsAt === null
    ? ordered
    : [
        ...ordered.filter(({ datetime }) => Date.parse(datetime) < endsAt),
        { datetime: new Date(endsAt).toISOString(), value: '' },
      ];
