import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import { exclusionMask } from '@albedo/energy/hygiene';
import { degradedPart } from '@albedo/energy/pvwatts';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import type { DaySlots, DaySlotsQuery, Telemetry, WholeWorkgroup } from '../telemetry/telemetry.service.ts';
import type { CounterReading } from './counted.ts';
import { type DayRules, type DayTime, dayFigures, meansOf, SLOT_MS } from './energy-day.ts';
import type { EnergyDayRow, EnergyDaysStore, TouchedDay, WorkRow } from './energy-days.store.ts';
import type { PlannedDevice, PlannedSource, ScaledField, SensorRole } from './energy-plan.ts';
import { type SensorMeans, type SkyPlace, sensed, skyOfDay } from './energy-sky.ts';

/** Rises when days are computed by other rules, so that all of them are computed again. */
const RULES = 1;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What was stored so long before the last look may not have been readable then, ms. */
const MARGIN_MS = 30_000;
const QUARTER_MS = 900_000;
/** Readings of the days before and after that the counters of a day look at. */
const NEIGHBOURS = 12;
/** What a counter gained while nothing was read for so long is shared over these days. */
const FAR_DAYS = 7;
/** By this hour counters of days have begun anew. */
const AWAKE_HOUR = 8;
/** Days of devices that are taken in hand together. */
const BATCH = 2000;
/** Days of sources that one question to the engine reads. */
const SOURCE_DAYS = 800;
const RUN_DAYS = 31;
const RETRY_MS = 60_000;
/** Who computes for longer than this leaves the engine to others half of the time, ms. */
const UNDISTURBED_MS = 5000;
const PAUSE_MOST_MS = 2000;

/** What days of a workgroup are computed by. */
export interface EnergyAround {
  configs: EnergyConfigs;
  plan: ReadonlyMap<string, PlannedDevice>;
}

export interface EnergyRunsOptions {
  store: EnergyDaysStore;
  telemetry: Telemetry;
  /** Workgroups that have reports. */
  workgroups: () => Promise<string[]>;
  around: (workgroup: string, signal?: AbortSignal) => Promise<EnergyAround>;
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
    for (const { device, at } of some) if (!isNew(device)) touch(device, at, at + QUARTER_MS, true);
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
    const [there, gone] = partOfWork(run, read);
    const rowsOn = ({ device, day }: WorkRow) => {
      const planned = run.devices.get(device);
      return planned ? rowsOf({ workgroup, day, planned, run, read, around, computedAt }) : [];
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
      for (const { device, day } of run.work) {
        const planned = run.devices.get(device);
        if (planned) rows.push(...rowsOf({ workgroup, day, planned, run, read, around, computedAt }));
      }
    }
    return rows;
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

/** `YYYY-MM-DD` of an instant in a zone. */
export function dayAt(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** The midnight with which a day of a zone begins. */
export function startOf(day: string, zone: string): number {
  const [year = 1970, month = 1, of = 1] = day.split('-').map(Number);
  return instantOf({ year, month, day: of }, zone);
}

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** What the days of a device are computed by: another text makes them other days. */
function hashOf(
  configs: EnergyConfigs,
  { device, zone, site, elevationM, sources, sensors }: PlannedDevice,
): string {
  const { gammaPerK, irradianceFloorWm2 } = configs['iec-perf-ratio-config'];
  const { irradiance, transposition, temperatureModel, systemFactor, albedo, degradationPerYear } =
    configs['performance-ratio-config'];
  const { exclusions, ...availability } = configs['availability-config'];
  const own = exclusions.filter(({ deviceId }) => deviceId === null || deviceId === device.id);
  const of = [
    RULES,
    zone,
    site,
    elevationM,
    sources,
    sensors,
    gammaPerK,
    irradianceFloorWm2,
    irradiance,
    transposition,
  ];
  const text = JSON.stringify([
    ...of,
    ...[temperatureModel, systemFactor, albedo, degradationPerYear],
    ...[
      availability.variant === 'plant',
      availability.irradianceThresholdWm2,
      availability.powerThreshold,
      availability.isWeightedByIrradiance,
      own,
    ],
    commissionedOf(device.info),
  ]);
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

/** Days of devices in one zone that follow one another, and are read together. */
interface Run {
  zone: string;
  /** Rising. */
  days: string[];
  /** Begin and end of each day, with the days before and after them. */
  edges: number[];
  devices: Map<string, PlannedDevice>;
  work: WorkRow[];
}

function runsOf(due: readonly WorkRow[], plan: ReadonlyMap<string, PlannedDevice>): Run[] {
  const runs: Run[] = [];
  const known = due.filter(({ device }) => plan.has(device));
  for (const [zone, ofZone] of Map.groupBy(known, ({ device }) => plan.get(device)?.zone ?? 'UTC')) {
    const all = [...new Set(ofZone.map(({ day }) => day))].sort();
    for (const [first, last] of spansOf(all)) {
      const days: string[] = [];
      for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
      const within = ofZone.filter(({ day }) => day >= first && day <= last);
      const edges = [dayAfter(first, -1), ...days, dayAfter(last), dayAfter(last, 2)].map((day) =>
        startOf(day, zone),
      );
      let chunk: Run | null = null;
      let size = 0;
      for (const [id, work] of Map.groupBy(within, ({ device }) => device)) {
        const planned = plan.get(id) as PlannedDevice;
        const own = (planned.sources.length + 1) * days.length;
        if (!chunk || size + own > SOURCE_DAYS) {
          chunk = { zone, days, edges, devices: new Map(), work: [] };
          runs.push(chunk);
          size = 0;
        }
        chunk.devices.set(id, planned);
        chunk.work.push(...work);
        size += own;
      }
    }
  }
  return runs.toSorted((a, b) => ((a.days.at(-1) ?? '') < (b.days.at(-1) ?? '') ? 1 : -1));
}

/** First and last of days that lie side by side, or nearly so; the newest first. */
function spansOf(days: readonly string[]): [string, string][] {
  const spans: [string, string][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last && day <= dayAfter(last[1], 2) && day < dayAfter(last[0], RUN_DAYS)) last[1] = day;
    else spans.push([day, day]);
  }
  return spans;
}

/** What was read, by device, table, source and field, and the place of the stretch. */
type Read = Map<string, Stretches>;

/** Of one field, by the place of the stretch, with the nearest readings before the first and after the last one. */
export class Stretches extends Map<number, DaySlots> {
  earlier: CounterReading | null = null;
  later: CounterReading | null = null;
}
const keyOf = (device: string, table: string, source: string, { field, dateField }: ScaledField): string =>
  `${device}\n${table}\n${field}\n${dateField ?? ''}\n${source}`;

async function readRun(
  reader: WholeWorkgroup,
  { devices, edges }: Run,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<Read> {
  const read: Read = new Map();
  const wanted = [...devices].flatMap(([device, { sources, sensors }]) => [
    ...sources.flatMap(({ table, source, counters, power, dc }) =>
      [...counters, ...(power ? [power] : []), ...(dc ? [dc] : [])].map((field) => ({
        device,
        table,
        source,
        ...field,
      })),
    ),
    ...sensors.map((sensor) => ({ device, ...sensor })),
  ]);
  for (const ofTable of Map.groupBy(
    wanted,
    ({ table, dateField }) => `${table}\n${dateField ?? ''}`,
  ).values()) {
    const { table = '', dateField } = ofTable[0] ?? {};
    const streams = [
      ...new Map(ofTable.map(({ device, source }) => [`${device}\n${source}`, { device, source }])).values(),
    ];
    const fields = [...new Set(ofTable.map(({ field }) => field))];
    const asked = { table, fields, streams, edges, stepMs: SLOT_MS, dateField };
    const slots = await readSlots(reader, asked, log, signal);
    const keyIn = ({ device, source, field }: Pick<DaySlots, 'device' | 'source' | 'field'>) =>
      keyOf(device, table, source, { field, factor: 1, offset: 0, dateField });
    for (const one of slots) {
      const key = keyIn(one);
      const known = read.get(key) ?? new Stretches();
      read.set(key, known);
      known.set(one.at, one);
    }
  }
  return read;
}

/** A date field that is none keeps nothing from the others where that is logged; without a log it throws. */
async function readSlots(
  reader: WholeWorkgroup,
  query: DaySlotsQuery,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<DaySlots[]> {
  try {
    return await reader.daySlots(query, signal);
  } catch (error) {
    if (
      log === null ||
      query.dateField === undefined ||
      !(error instanceof AppError) ||
      error.error !== 'request.invalid'
    )
      throw error;
    const { table, dateField } = query;
    log.warn({ table, dateField }, 'a date field of daily energy is no date');
    return [];
  }
}

/** Of counters without a reading on the day before or after a run, the nearest one of a week. */
async function readFar(
  reader: WholeWorkgroup,
  { devices, edges }: Run,
  read: Read,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<void> {
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const counters = [...devices].flatMap(([device, { sources }]) =>
    sources.flatMap(({ table, source, counters: own }) =>
      own.map((field) => ({ device, table, source, ...field })),
    ),
  );
  for (const side of ['earlier', 'later'] as const) {
    const place = side === 'earlier' ? 0 : edges.length - 2;
    const lacking = counters.filter(
      (one) => read.get(keyOf(one.device, one.table, one.source, one))?.has(place) !== true,
    );
    const far =
      side === 'earlier'
        ? [first - FAR_DAYS * DAY_MS, first]
        : [last, Math.min(Date.now(), last + FAR_DAYS * DAY_MS)];
    if ((far[0] as number) >= (far[1] as number)) continue;
    for (const ofTable of Map.groupBy(
      lacking,
      ({ table, dateField }) => `${table}\n${dateField ?? ''}`,
    ).values()) {
      const { table = '', dateField } = ofTable[0] ?? {};
      const streams = [
        ...new Map(
          ofTable.map(({ device, source }) => [`${device}\n${source}`, { device, source }]),
        ).values(),
      ];
      const fields = [...new Set(ofTable.map(({ field }) => field))];
      // Of what lies before, the newest reading is asked for alone.
      const stepMs = side === 'earlier' ? FAR_DAYS * DAY_MS : SLOT_MS;
      const asked = { table, fields, streams, edges: far, stepMs, dateField };
      const slots = await readSlots(reader, asked, log, signal);
      for (const one of slots) {
        const key = keyOf(one.device, table, one.source, {
          field: one.field,
          factor: 1,
          offset: 0,
          dateField,
        });
        const nearest = one.slots.at(side === 'earlier' ? -1 : 0);
        if (!nearest) continue;
        const known = read.get(key) ?? new Stretches();
        read.set(key, known);
        known[side] = { at: (far[0] as number) + nearest[3], value: nearest[2] };
      }
    }
  }
}

/** Work on days of which something was read, and on those of which nothing is there, be it that it expired. */
function partOfWork({ work, days, devices }: Run, read: Read): [there: WorkRow[], gone: WorkRow[]] {
  const isThere = ({ device, day }: WorkRow) => {
    const at = days.indexOf(day) + 1;
    return (devices.get(device)?.sources ?? []).some(({ table, source, counters, power, dc }) =>
      [...counters, power, dc].some(
        (field) => field && read.get(keyOf(device, table, source, field))?.has(at) === true,
      ),
    );
  };
  return [work.filter(isThere), work.filter((one) => !isThere(one))];
}

/** Sums of a day of which no light is known. */
const NOTHING = {
  ...{ expectedKWh: null, irradiationKWhM2: null, referenceKWh: null, usedReferenceKWh: null, usedKWh: null },
  ...{ usedDcKWh: null, usedDcAcKWh: null, usedDcReferenceKWh: null, warmKWh: null, warmReferenceKWh: null },
  ...{ warmthKWhC: null, usedHours: null, missedHours: null, availableHours: null, unavailableHours: null },
  ...{ contractAvailableHours: null, contractUnavailableHours: null, lostKWh: null },
};

interface RowsOf {
  workgroup: string;
  day: string;
  planned: PlannedDevice;
  run: Run;
  read: Read;
  around: EnergyAround;
  computedAt: number;
}

/** The rows of the sources of a device on a day; those of which nothing is known are left out. */
function rowsOf({ workgroup, day, planned, run, read, around, computedAt }: RowsOf): EnergyDayRow[] {
  const at = run.days.indexOf(day) + 1;
  const [from, to] = [run.edges[at] as number, run.edges[at + 1] as number];
  const [year = 1970, month = 1, of = 1] = day.split('-').map(Number);
  const awakeAt = instantOf({ year, month, day: of, hour: AWAKE_HOUR }, run.zone);
  const time: DayTime = { from, to, now: computedAt, awakeAt };
  const count = Math.ceil((to - from) / SLOT_MS);
  const device = planned.device.id;
  const sensors = sensorsOf(planned, read, at, count);
  const skies = new Map<string, ReturnType<typeof skyOfDay>>();
  const config = around.configs['performance-ratio-config'];
  const skyOf = ({ planes }: PlannedSource) => {
    const key = JSON.stringify(planes);
    const known = skies.get(key);
    if (known !== undefined) return known;
    const place: SkyPlace = { ...planned.site, elevationM: planned.elevationM, planes };
    const sky = skyOfDay(from, count, sensors, place, config);
    skies.set(key, sky);
    return sky;
  };
  return planned.sources.flatMap((source) => {
    const of = (field: ScaledField | null) =>
      field ? read.get(keyOf(device, source.table, source.source, field)) : undefined;
    const means = (field: ScaledField | null) => {
      const slots = of(field)?.get(at);
      return field && slots ? meansOf(slots.slots, count, field) : null;
    };
    const counters = source.counters.map((field) => ({
      method: field.method,
      readings: readingsOf(of(field), run.edges, at, field),
    }));
    const own = [...source.counters, source.power].flatMap((field) => of(field)?.get(at) ?? []);
    const found = skyOf(source);
    const streams = {
      ...{ counters, powerKW: means(source.power), dcKW: means(source.dc) },
      count: Math.max(0, ...own.map((one) => one.count)),
      firstAt: own.length > 0 ? Math.min(...own.map((one) => one.firstAt)) : null,
      lastAt: own.length > 0 ? Math.max(...own.map((one) => one.lastAt)) : null,
    };
    const figures = dayFigures(
      time,
      streams,
      found?.sky ?? null,
      rulesOf(around.configs, planned, source, { from, count }),
    );
    // A source that is not there yet, or no more, and of which nobody knows what it should have given.
    if (own.length === 0 && !found && figures.energyKWh === null) return [];
    const facing = source.planes.length === 1 ? (source.planes[0]?.azimuthDeg ?? null) : null;
    const row = {
      ...{ workgroup, device, table: source.table, source: source.source, day, ...NOTHING, ...figures },
      ...{ light: found?.light ?? null, azimuth: facing, rules: RULES, computedAt },
    };
    if (found?.light === 'clearSky') row.marks.push('clearSky');
    if (found?.light === 'horizontal') row.marks.push('horizontalSensor');
    return [row];
  });
}

/**
 * What a counter showed on a day and beside it: some readings of the days before and after, and where one of them has none
 * the nearest one of a week. The same for a day alone and in a run.
 */
export function readingsOf(
  stretches: Stretches | undefined,
  edges: readonly number[],
  at: number,
  { factor }: Pick<ScaledField, 'factor'>,
): CounterReading[] {
  const of = (place: number) =>
    (stretches?.get(place)?.slots ?? []).map(([, , last, lastMs]) => ({
      at: (edges[place] as number) + lastMs,
      value: last * Math.abs(factor),
    }));
  const beside = (step: -1 | 1): CounterReading[] => {
    const next = of(at + step);
    if (next.length > 0) return step < 0 ? next.slice(-NEIGHBOURS) : next.slice(0, NEIGHBOURS);
    for (let place = at + 2 * step; Math.abs(place - at) <= FAR_DAYS; place += step) {
      const nearest = of(place).at(step < 0 ? -1 : 0);
      if (nearest) return [nearest];
    }
    const far = step < 0 ? stretches?.earlier : stretches?.later;
    const limit = FAR_DAYS * DAY_MS + DAY_MS;
    if (!far || Math.abs(far.at - (edges[at] as number)) > limit) return [];
    return [{ at: far.at, value: far.value * Math.abs(factor) }];
  };
  return [...beside(-1), ...of(at), ...beside(1)];
}

/** Several sensors of one kind count as their mean. */
function sensorsOf({ device, sensors }: PlannedDevice, read: Read, at: number, count: number): SensorMeans {
  const found = new Map<SensorRole, Float64Array>();
  for (const [role, all] of Map.groupBy(sensors, (one) => one.role)) {
    const lists = all.flatMap((sensor) => {
      const slots = read.get(keyOf(device.id, sensor.table, sensor.source, sensor))?.get(at);
      return slots ? [sensed(role, meansOf(slots.slots, count, sensor))] : [];
    });
    if (lists.length === 0) continue;
    const mean = new Float64Array(count).map((_, i) => {
      const values = lists.flatMap((list) =>
        Number.isNaN(list[i] ?? Number.NaN) ? [] : [list[i] as number],
      );
      return values.length === 0 ? Number.NaN : values.reduce((sum, one) => sum + one, 0) / values.length;
    });
    found.set(role, mean);
  }
  return found;
}

const YEAR_MS = 365.25 * DAY_MS;

function commissionedOf(info: Readonly<Record<string, string>>): number | null {
  const [, text] = Object.entries(info).find(([name]) => name.trim().toLowerCase() === 'commissioned') ?? [];
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function rulesOf(
  configs: EnergyConfigs,
  { device }: PlannedDevice,
  { source, ratings }: PlannedSource,
  { from, count }: { from: number; count: number },
): DayRules {
  const times = Float64Array.from({ length: count }, (_, i) => from + i * SLOT_MS);
  const { gammaPerK, irradianceFloorWm2 } = configs['iec-perf-ratio-config'];
  const { systemFactor, degradationPerYear } = configs['performance-ratio-config'];
  const availability = configs['availability-config'];
  const excluded = availability.exclusions.filter(
    (one) =>
      (one.deviceId === null || one.deviceId === device.id) && (one.source === null || one.source === source),
  );
  const commissioned = commissionedOf(device.info);
  const years = commissioned === null ? 0 : (from - commissioned) / YEAR_MS;
  return {
    ...ratings,
    gammaPerK,
    systemFactor: systemFactor * degradedPart(degradationPerYear, years),
    floorWm2: irradianceFloorWm2,
    availability: {
      thresholdWm2: availability.irradianceThresholdWm2,
      power: availability.powerThreshold,
      isWeighted: availability.isWeightedByIrradiance,
      isMissingAvailable: availability.variant === 'plant',
    },
    excluded: exclusionMask(times, SLOT_MS / HOUR_MS, excluded),
  };
}
