import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { DAY_MS, dayAfter, dayAt, startOf } from './energy-calendar.ts';
import type { AskCurtailed, CurtailedTimes } from './energy-curtailed.ts';
import type { EnergyDayRow, EnergyDaysStore, TouchedDay, WorkRow } from './energy-days.store.ts';
import type { PlannedDevice } from './energy-plan.ts';
import { FAR_DAYS, partOfWork, type Run, readFar, readRun, runsOf } from './energy-reading.ts';
import { type EnergyAround, hashOf, rowsOf } from './energy-rows.ts';

/** What was stored so long before the last look may not have been readable then, ms. */
const MARGIN_MS = 30_000;
const QUARTER_MS = 900_000;
/** Days of devices that are taken in hand together. */
const BATCH = 2000;
const RETRY_MS = 60_000;
/** Who computes for longer than this leaves the engine to others half of the time, ms. */
const UNDISTURBED_MS = 5000;
const PAUSE_MOST_MS = 2000;

export interface EnergyRunsOptions {
  store: EnergyDaysStore;
  telemetry: Telemetry;
  /** Workgroups that have reports. */
  workgroups: () => Promise<string[]>;
  around: (workgroup: string, signal?: AbortSignal) => Promise<EnergyAround>;
  curtailed: AskCurtailed;
  work: (workgroup: string) => Promise<void>;
  changed: (workgroup: string) => Promise<void>;
  log: Logger;
}

/** Finds days that are to be computed, and computes them: the newest first, some at a time. */
export class EnergyRuns {
  readonly #options: EnergyRunsOptions;

  constructor(options: EnergyRunsOptions) {
    this.#options = options;
  }

  async watch(signal?: AbortSignal): Promise<void> {
    const { store, workgroups, work, log } = this.#options;
    for (const workgroup of await workgroups()) {
      signal?.throwIfAborted();
      try {
        await this.look(workgroup, signal);
        if ((await store.countDue(workgroup)) > 0) await work(workgroup);
      } catch (error) {
        if (signal?.aborted) throw error;
        log.warn({ err: error, workgroup }, 'energy of a workgroup was not looked through');
      }
    }
  }

  /** Notes the days of devices in which something was stored since the last look, and all days of what changed. */
  async look(workgroup: string, signal?: AbortSignal): Promise<void> {
    const { store, telemetry, around } = this.#options;
    const now = Date.now();
    const [{ configs, plan }, watch] = await Promise.all([around(workgroup, signal), store.watch(workgroup)]);
    const rules = Object.fromEntries([...plan].map(([id, device]) => [id, hashOf(configs, device)]));
    const isNew = (id: string) => watch?.rules[id] !== rules[id];
    const engine = telemetry.asSystem('energy');
    const all = [...plan.keys()];
    const changed = all.filter(isNew);
    const since = (watch?.storedAt ?? 0) - MARGIN_MS;
    const [some, whole] = await Promise.all([
      watch ? engine.touchedDevices(workgroup, { since, stepMs: QUARTER_MS }, signal) : [],
      changed.length > 0 ? engine.touchedDevices(workgroup, { since: 0, stepMs: DAY_MS }, signal) : [],
    ]);
    const days = new Map<string, TouchedDay>();
    const touch = (device: string, from: number, to: number, isAlone: boolean) => {
      const zone = plan.get(device)?.zone;
      if (zone === undefined) return;
      for (const at of [from, to - 1]) {
        // A clock that is ahead by more than a day has no days here.
        if (at > now + DAY_MS) continue;
        const day = dayAt(at, zone);
        const isLate = isAlone && day < dayAt(now, zone);
        days.set(`${device}\n${day}`, { device, day, isLate });
      }
    };
    for (const { device, at } of whole) if (isNew(device)) touch(device, at, at + DAY_MS, false);
    const readers = readersOf(plan);
    for (const { device, at } of some)
      for (const id of [device, ...(readers.get(device) ?? [])])
        if (!isNew(id)) touch(id, at, at + QUARTER_MS, true);
    for (const { device, day, computedAt } of await store.unfinished(workgroup, now)) {
      const zone = plan.get(device)?.zone;
      const end = zone === undefined ? Number.POSITIVE_INFINITY : startOf(dayAfter(day), zone);
      if (computedAt < end && end <= now) days.set(`${device}\n${day}`, { device, day, isLate: true });
    }
    const touched = withDaysBetween([...days.values()]);
    await store.watched(workgroup, { storedAt: now, rules, touched });
  }

  /** Computes what is due of a workgroup, until nothing is. */
  async computeDue(
    workgroup: string,
    signal?: AbortSignal,
    progress?: (left: number) => void,
  ): Promise<void> {
    const { store, around, changed, log } = this.#options;
    const began = performance.now();
    for (;;) {
      signal?.throwIfAborted();
      const due = await store.due(workgroup, Date.now(), BATCH);
      if (due.length === 0) break;
      const now = await around(workgroup, signal);
      const unknown = due.filter(({ device }) => !now.plan.has(device));
      // What is no longer planned keeps the days that it has.
      if (unknown.length > 0) await store.done(workgroup, unknown);
      for (const run of runsOf(due, now.plan)) {
        const from = performance.now();
        try {
          await this.#compute(workgroup, run, now, signal);
        } catch (error) {
          if (signal?.aborted) throw error;
          log.warn({ err: error, workgroup, days: run.days.length }, 'energy of days failed');
          await store.postpone(
            workgroup,
            run.work,
            Date.now() + RETRY_MS * 2 ** (run.work[0]?.attempts ?? 0),
          );
        }
        const ended = performance.now();
        if (ended - began > UNDISTURBED_MS)
          await pause(Math.min(ended - from, PAUSE_MOST_MS), undefined, signal ? { signal } : {});
      }
      await changed(workgroup);
      progress?.(await store.countDue(workgroup));
    }
  }

  async #compute(workgroup: string, run: Run, around: EnergyAround, signal?: AbortSignal): Promise<void> {
    const { store, telemetry, log } = this.#options;
    const reader = telemetry.asSystem('energy', workgroup);
    const computedAt = Date.now();
    const read = await readRun(reader, run, log, signal);
    await readFar(reader, run, read, log, signal);
    const curtailed = await this.#curtailed(workgroup, run);
    const [there, gone] = partOfWork(run, read);
    const rowsOn = ({ device, day }: WorkRow) => {
      const planned = run.devices.get(device);
      return planned ? rowsOf({ workgroup, day, planned, run, read, around, curtailed, computedAt }) : [];
    };
    const isTold = (one: WorkRow) => rowsOn(one).some(({ energyKWh }) => energyKWh !== null);
    const kept = await store.keep(
      workgroup,
      gone.map((one) => ({ ...one, isTold: isTold(one) })),
      computedAt,
    );
    const isKept = new Set(kept.map(({ device, day }) => `${device}\n${day}`));
    const work = [...there, ...gone.filter(({ device, day }) => !isKept.has(`${device}\n${day}`))];
    await store.put(
      workgroup,
      work,
      work.flatMap(rowsOn),
      (device) => run.devices.get(device)?.sources.length ?? 0,
    );
  }

  /** What a day would be by a plan that is not kept. */
  async preview(
    workgroup: string,
    around: EnergyAround,
    dayOf: (device: PlannedDevice) => string,
    signal?: AbortSignal,
  ): Promise<EnergyDayRow[]> {
    const reader = this.#options.telemetry.asSystem('energy', workgroup);
    const due = [...around.plan.values()].map((planned) => ({
      ...{ workgroup, device: planned.device.id, day: dayOf(planned) },
      ...{ touches: 1, attempts: 0, dueAt: 0 },
    }));
    const rows: EnergyDayRow[] = [];
    const computedAt = Date.now();
    for (const run of runsOf(due, around.plan)) {
      const read = await readRun(reader, run, null, signal);
      await readFar(reader, run, read, null, signal);
      const curtailed = await this.#curtailed(workgroup, run);
      for (const { device, day } of run.work) {
        const planned = run.devices.get(device);
        if (planned)
          rows.push(...rowsOf({ workgroup, day, planned, run, read, around, curtailed, computedAt }));
      }
    }
    return rows;
  }

  /** When the devices of a run were limited on its days. */
  #curtailed(workgroup: string, { devices: planned, edges }: Run): Promise<CurtailedTimes> {
    const devices = new Map(
      [...planned].map(([id, { sources }]) => {
        const ratings = sources.flatMap(({ ratings: { ratedKW } }) => ratedKW ?? []);
        const isKnown = ratings.length === sources.length;
        return [id, isKnown ? ratings.reduce((sum, kW) => sum + kW * 1000, 0) : null] as const;
      }),
    );
    return this.#options.curtailed(workgroup, {
      ...{ from: edges[0] as number, to: edges.at(-1) as number },
      devices,
    });
  }
}

/** With days without readings between others: what a counter gained over them is shared. */
function withDaysBetween(touched: readonly TouchedDay[]): TouchedDay[] {
  const between: TouchedDay[] = [];
  for (const [device, own] of Map.groupBy(touched, (one) => one.device)) {
    const all = own.map(({ day }) => day).sort();
    for (const [i, next] of all.slice(1).entries()) {
      const day = all[i] as string;
      if (next > dayAfter(day, FAR_DAYS)) continue;
      for (let gap = dayAfter(day); gap < next; gap = dayAfter(gap))
        between.push({ device, day: gap, isLate: false });
    }
  }
  return [...touched, ...between];
}

/** Of each device that measures for others, which ones they are. */
function readersOf(plan: ReadonlyMap<string, PlannedDevice>): Map<string, Set<string>> {
  const readers = new Map<string, Set<string>>();
  for (const [id, { sensors }] of plan)
    for (const { device } of sensors)
      if (device !== undefined && device !== id)
        readers.set(device, (readers.get(device) ?? new Set()).add(id));
  return readers;
}
