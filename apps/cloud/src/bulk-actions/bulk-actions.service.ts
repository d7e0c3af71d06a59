import type {
  BulkAction,
  BulkBegun,
  BulkPlan,
  BulkPreview,
  BulkState,
  BulkStop,
  BulkTarget,
  BulkWork,
} from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { PREVIEW_DEVICES } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { z } from 'zod';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import {
  type BulkActionsStore,
  type BulkRow,
  type Counts,
  type TargetRow,
  targetOf,
} from './bulk-actions.store.ts';
import type { BulkKind, BulkKinds } from './bulk-kind.ts';
import { TURN_RETRIES, type Turn, takeTurn } from './turn.ts';
import { Watch, type WatchOptions } from './watch.ts';
import { isWaveOver, wavesOf } from './waves.ts';

const SHOWN = 100;
const HOUR_MS = 3_600_000;
/** Devices that a dry run asks at a time. */
const ASKED = 20;
/** The longest that one device may take, s. */
const LIMIT_S = 45 * 60;

export interface BulkActionsOptions extends WatchOptions {
  store: BulkActionsStore;
  kinds: BulkKinds;
  jobs: Pick<Jobs, 'send' | 'wake'>;
  audit: Audit;
}

/** One action, for somebody who sees these devices. */
export interface BulkAt {
  workgroup: string;
  id: string;
  scope: DeviceScope;
}

/**
 * One thing for many devices: in waves, each of which is watched before the next one begins; devices that are offline
 * are waited for. It stops by itself when the devices that were touched get worse than the rest.
 *
 * `step` moves one action on as far as it goes now. It runs at every change and each minute, one at a time for each
 * action, and can be cut off anywhere. Each device is a job of its own.
 */
export class BulkActions {
  readonly #options: BulkActionsOptions;
  readonly #watch: Watch;
  readonly #came = new Set<string>();
  #lookingUp: Promise<void> | null = null;

  constructor(options: BulkActionsOptions) {
    this.#options = options;
    this.#watch = new Watch(options);
  }

  readonly stepping = defineJob({
    name: 'bulk-step',
    payload: z.object({ action: z.uuid() }),
    limitS: 600,
    retry: { times: 3, afterS: 5, atMostS: 60 },
    oneAtATime: { key: ({ action }) => action, waiting: 'one' },
    sideBySide: 2,
    run: ({ payload }) => this.step(payload.action),
  });

  readonly working = defineJob({
    name: 'bulk-work',
    payload: z.object({ action: z.uuid(), device: z.uuid(), key: z.string() }),
    limitS: LIMIT_S,
    retry: { times: TURN_RETRIES, afterS: 5, atMostS: 60 },
    oneAtATime: { key: ({ key }) => key, waiting: 'all' },
    sideBySide: 10,
    run: async (run) => {
      const { store, factsOf } = this.#options;
      await takeTurn({ store, factsOf, kindOf: (work) => this.#kind(work) }, run);
      await this.#wake(run.payload.action);
    },
    onDead: async ({ payload: { action, device } }, error, inside) => {
      const end = { state: 'failed' as const, message: error.message, endedAt: new Date() };
      await this.#options.store.setTarget(action, device, end, inside);
    },
  });

  readonly looking = defineJob({
    name: 'bulk-look',
    payload: z.object({}),
    limitS: 60,
    retry: { times: 0, afterS: 0, atMostS: 0 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: async () => {
      for (const id of await this.#options.store.running()) await this.#wake(id);
    },
  });

  /** Those about devices of the scope alone. */
  async list(workgroup: string, scope: DeviceScope): Promise<BulkAction[]> {
    const { store } = this.#options;
    const rows = await store.list(workgroup, SHOWN);
    if (scope.isAll) return rows.map(actionOf);
    const devices = await store.devicesOf(rows.map(({ id }) => id));
    return rows.filter(({ id }) => (devices.get(id) ?? ['']).every((one) => scope.has(one))).map(actionOf);
  }

  /** Throws `bulk_action.not_found`. */
  async get(
    workgroup: string,
    id: string,
    scope: DeviceScope,
  ): Promise<BulkAction & { targets: BulkTarget[] }> {
    const row = await this.#row(workgroup, id, scope);
    return { ...actionOf(row), targets: (await this.#options.store.targets(id)).map(targetOf) };
  }

  /** Throws `device.not_found`, and what the kind finds wrong with the work. */
  async begin(
    workgroup: string,
    work: BulkWork,
    order: { devices: string[]; plan: BulkPlan; isDryRun: boolean; scope: DeviceScope },
    by: Manager,
    signal: AbortSignal,
  ): Promise<BulkBegun> {
    const { store, devicesOf, factsOf } = this.#options;
    const own = new Set(devicesOf(workgroup));
    const devices = [...new Set(order.devices)];
    if (devices.some((id) => !own.has(id) || !order.scope.has(id))) throw new AppError('device.not_found');
    const about = await this.#kind(work).about(workgroup, work);
    if (order.isDryRun) {
      return { action: null, preview: await this.#preview(workgroup, work, devices, by, signal) };
    }
    // Those that can answer now go first, so that the first wave says something.
    const sorted = devices.toSorted((a, b) => Number(factsOf(b).online) - Number(factsOf(a).online));
    const waves = wavesOf(sorted, order.plan);
    const row = await store.add(
      {
        workgroup,
        about,
        work,
        plan: order.plan,
        waves: waves.length,
        byUser: by.userId,
        byEmail: by.email,
        byAddress: by.address,
      },
      waves,
    );
    this.#record(row, 'begin', by, `${work.kind}: ${about} (${devices.length})`);
    await this.#wake(row.id);
    return { action: actionOf(await this.#row(workgroup, row.id)), preview: [] };
  }

  /** Throws `bulk_action.not_found` and `bulk_action.over`. */
  async pause({ workgroup, id, scope }: BulkAt, by: Manager): Promise<BulkAction> {
    return this.#change({ workgroup, id, scope }, by, 'pause', { state: 'paused' }, ['running']);
  }

  /** Goes on, and measures from here. Throws as `pause` does. */
  async resume({ workgroup, id, scope }: BulkAt, by: Manager): Promise<BulkAction> {
    const now = this.#watch.baseline(workgroup);
    const change = { state: 'running' as const, stop: null, baselines: { start: now, wave: now } };
    await this.#change({ workgroup, id, scope }, by, 'resume', change, ['paused', 'stopped']);
    await this.#wake(id);
    return actionOf(await this.#row(workgroup, id));
  }

  /** Throws as `pause` does. */
  async cancel({ workgroup, id, scope }: BulkAt, by: Manager): Promise<BulkAction> {
    const change = { state: 'cancelled' as const, endedAt: new Date() };
    await this.#change({ workgroup, id, scope }, by, 'cancel', change, ['running', 'paused', 'stopped']);
    await this.#options.store.cancelOpen(id);
    return actionOf(await this.#row(workgroup, id));
  }

  /** To be called when a device comes: what waits for it goes on. Those that come together are looked up together. */
  deviceCame(device: string): Promise<void> {
    this.#came.add(device);
    this.#lookingUp ??= this.#wakeForThem();
    return this.#lookingUp;
  }

  async #wakeForThem(): Promise<void> {
    try {
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#came.size > 0) {
        const devices = [...this.#came];
        this.#came.clear();
        for (const id of await this.#options.store.waitingFor(devices)) await this.#wake(id);
      }
    } finally {
      this.#lookingUp = null;
    }
  }

  async step(id: string, now = Date.now()): Promise<void> {
    const { store } = this.#options;
    for (;;) {
      const action = await store.find(id);
      if (action?.state !== 'running') return;
      if (action.wave === 0) {
        const start = this.#watch.baseline(action.workgroup, now);
        await store.set(id, { wave: 1, baselines: { start, wave: start } });
        continue;
      }
      await this.#dispatch(action, now);
      const targets = await store.targets(id);
      const stop = await this.#watch.verdict(action, targets, now);
      if (stop) {
        if (await store.set(id, { state: 'stopped', stop })) this.#record(action, 'stop', null, textOf(stop));
        return;
      }
      if (!isWaveOver(action, targets, now)) return;
      if (action.wave < action.waves) {
        const { start } = action.baselines ?? { start: this.#watch.baseline(action.workgroup, now) };
        const wave = this.#watch.baseline(action.workgroup, now);
        await store.set(id, { wave: action.wave + 1, baselines: { start, wave } });
        continue;
      }
      if (targets.some(({ state }) => state === 'queued')) return;
      await store.set(id, { state: 'done', endedAt: new Date(now) });
      return;
    }
  }

  /** Begins on the devices of the waves so far that have not had their turn. */
  async #dispatch(action: BulkRow, now: number): Promise<void> {
    const { store, factsOf, jobs } = this.#options;
    const kind = this.#kind(action.work);
    const ready: Turn[] = [];
    for (const target of await store.targets(action.id)) {
      const { deviceId: device, state, wave } = target;
      if (wave > action.wave || (state !== 'waiting' && state !== 'queued')) continue;
      if (kind.isOnDevice && !factsOf(device).online) {
        await this.#queue(action, target, now);
        continue;
      }
      ready.push({ action: action.id, device, key: kind.keyOf?.(action.work) ?? device });
    }
    if (ready.length === 0) return;
    // Marked and sent together: nothing is marked that no job will ever end.
    await store.transaction(async (inside) => {
      for (const one of ready) {
        if (await store.take(one.action, one.device, inside)) await jobs.send(this.working, one, { inside });
      }
    });
    jobs.wake(this.working);
  }

  async #queue({ id, plan }: BulkRow, { deviceId, state, queuedAt }: TargetRow, now: number): Promise<void> {
    const { store } = this.#options;
    const since = queuedAt?.getTime() ?? now;
    if (plan.queueHours === 0 || now - since > plan.queueHours * HOUR_MS) {
      const error =
        plan.queueHours === 0
          ? new AppError('device.offline')
          : new AppError('bulk_action.away', { hours: plan.queueHours });
      await store.setTarget(id, deviceId, {
        state: 'failed',
        message: error.message,
        endedAt: new Date(now),
      });
    } else if (state === 'waiting') {
      await store.setTarget(id, deviceId, { state: 'queued', queuedAt: new Date(since) });
    }
  }

  async #preview(
    workgroup: string,
    work: BulkWork,
    devices: string[],
    by: Manager,
    signal: AbortSignal,
  ): Promise<BulkPreview[]> {
    const { factsOf } = this.#options;
    const kind = this.#kind(work);
    const rows: BulkPreview[] = devices
      .slice(0, PREVIEW_DEVICES)
      .map((deviceId) => ({ deviceId, before: null, after: null, problem: null }));
    const waiting = [...rows];
    const look = async () => {
      for (let row = waiting.pop(); row; row = waiting.pop()) {
        try {
          const { deviceId: device } = row;
          if (kind.isOnDevice && !factsOf(device).online) throw new AppError('device.offline');
          Object.assign(row, await kind.preview({ workgroup, device, work, by }, signal));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          row.problem = { error: error.error, message: error.message };
        }
      }
    };
    await Promise.all(Array.from({ length: ASKED }, look));
    return rows;
  }

  async #change(
    { workgroup, id, scope }: BulkAt,
    by: Manager,
    action: string,
    change: Partial<BulkRow>,
    states: BulkState[],
  ): Promise<BulkAction> {
    const row = await this.#row(workgroup, id, scope);
    if (!(await this.#options.store.set(id, change, states))) throw new AppError('bulk_action.over');
    this.#record(row, action, by, row.about);
    return actionOf(await this.#row(workgroup, id));
  }

  async #row(
    workgroup: string,
    id: string,
    scope: DeviceScope = ALL_DEVICES,
  ): Promise<BulkRow & { counts: Counts }> {
    const { store } = this.#options;
    const row = await store.get(workgroup, id);
    const isOwn =
      scope.isAll || ((await store.devicesOf([id])).get(id) ?? ['']).every((one) => scope.has(one));
    if (!row || !isOwn) throw new AppError('bulk_action.not_found');
    return row;
  }

  async #wake(action: string): Promise<void> {
    await this.#options.jobs.send(this.stepping, { action });
  }

  #kind(work: BulkWork): BulkKind {
    return this.#options.kinds[work.kind] as unknown as BulkKind;
  }

  #record(
    { workgroup, id }: Pick<BulkRow, 'workgroup' | 'id'>,
    action: string,
    by: Manager | null,
    newValue: string,
  ): void {
    const what = { controller: 'bulk_action', entity: id, action, newValue };
    const who = by ? { by: by.email, address: by.address } : { by: null };
    this.#options.audit.record({ workgroup, at: Date.now(), ...what, ...who });
  }
}

const textOf = ({ gate, wave, touched, rest, limit }: BulkStop): string =>
  `wave ${wave}, ${gate}: ${touched} (rest ${rest}, limit ${limit})`;

function actionOf(row: BulkRow & { counts: Counts }): BulkAction {
  const { id, about, work, plan, state, stop, wave, waves, counts, byEmail, createdAt, endedAt } = row;
  return {
    _id: id,
    about,
    work,
    plan,
    state,
    stop,
    wave,
    waves,
    counts,
    by: byEmail,
    createdAt: createdAt.getTime(),
    endedAt: endedAt?.getTime() ?? null,
  };
}
