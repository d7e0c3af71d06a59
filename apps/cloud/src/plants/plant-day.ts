import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import { isInverter, mainMeterOf } from '@albedo/contract/plants/plant-reading';
import type { EnergySource } from '@albedo/contract/plants/plants.schema';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import type { RoledLatest } from '../field-roles/field-roles.service.ts';
import type { BucketPoints, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { type CountedRoles, type CountedToday, LIFELONG, OF_DAYS, readCounters } from './plant-counters.ts';
import { type Grid, integralOf, meansOf, sumOf } from './plant-series.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Values are looked for so long before the day, so that it begins with what held then. */
const BEFORE_MS = 6 * HOUR_MS;

export interface Day {
  from: number;
  to: number;
}

/** The day of the zone that an instant lies in; 23 or 25 hours long where clocks change. */
export function dayOf(at: number, zone: string): Day {
  const { year, month, day } = wallTime(at, zone);
  const midnight = (of: number) => instantOf({ year, month, day: of, hour: 0, minute: 0, second: 0 }, zone);
  return { from: midnight(day), to: midnight(day + 1) };
}

/** What one source gave today. */
export interface SourceDay {
  /** Without what is doubted. */
  energyTodayWh: number | null;
  energyFrom: EnergySource | null;
  /** What its counter counted beyond what the rating of the plant allows. */
  doubtedWh: number;
  importedWh: number | null;
  exportedWh: number | null;
  irradiationWhM2: number | null;
  /** Means of the steps, W or W/m². */
  powerW: (number | null)[] | null;
  gridW: (number | null)[] | null;
  poaWm2: (number | null)[] | null;
}

/** Roles whose course over the day is asked for. */
const OF_INVERTERS = ['acPower', 'dcPower'] as const satisfies FieldRole[];
const OF_OTHERS = ['gridPower', 'irradiancePoa', 'irradianceGhi'] as const satisfies FieldRole[];

/**
 * The days of sources, in the order of `sources`: one question for all of them, and one for the counters of each table. Counters
 * that begin anew each day are asked for only where the others do not tell.
 */
export async function readDays(
  reader: TelemetryReader,
  sources: readonly RoledLatest[],
  {
    day,
    stepMs,
    now,
    ratingsW,
  }: { day: Day; stepMs: number; now: number; ratingsW: readonly (number | null)[] },
  signal?: AbortSignal,
): Promise<SourceDay[]> {
  const wanted = sources.map((source) => ({ source, roles: rolesOf(source) }));
  const series: SeriesKey[] = wanted.flatMap(({ source, roles }) =>
    roles.map((role) => ({
      device: source.device,
      table: source.table,
      source: source.source,
      field: source.places[role]?.field ?? '',
    })),
  );
  const from = day.from - BEFORE_MS;
  const to = Math.max(from + HOUR_MS, Math.min(now, day.to));
  const [points, counted] = await Promise.all([
    series.length === 0 ? [] : reader.buckets({ from, to, stepMs, series }, signal),
    readCounters(reader, sources, { roles: LIFELONG, day, now, ratingsW }, signal),
  ]);
  const grid = { from: day.from, stepMs, count: Math.max(1, Math.ceil((to - day.from) / stepMs)) };
  let next = 0;
  const courses = wanted.map(({ roles }) => {
    const own = new Map<FieldRole, BucketPoints>();
    for (const role of roles) {
      const one = points[next++];
      if (one) own.set(role, one);
    }
    return own;
  });
  const days = sources.map((source, i) =>
    sourceDay(source, courses[i] ?? new Map(), counted[i] ?? new Map(), grid, now),
  );
  const open = [...sources.keys()].filter(
    (i) => sources[i]?.places.energyToday && days[i]?.energyFrom !== 'counter',
  );
  const ownCounted = await readCounters(
    reader,
    open.map((i) => sources[i] as RoledLatest),
    { roles: OF_DAYS, day, now, ratingsW: open.map((i) => ratingsW[i] ?? null) },
    signal,
  );
  open.forEach((i, k) => {
    const all = new Map([...(counted[i] ?? []), ...(ownCounted[k] ?? [])]);
    days[i] = sourceDay(sources[i] as RoledLatest, courses[i] ?? new Map(), all, grid, now);
  });
  return days;
}

function rolesOf(source: RoledLatest): FieldRole[] {
  const inverter = isInverter(source) ? OF_INVERTERS : [];
  const roles = [...inverter, ...OF_OTHERS].filter((role) => source.places[role]);
  // The DC side of an inverter counts only where its output is not known.
  return roles.filter((role) => role !== 'dcPower' || !source.places.acPower);
}

function sourceDay(
  source: RoledLatest,
  points: ReadonlyMap<FieldRole, BucketPoints>,
  counted: CountedRoles,
  grid: Grid,
  now: number,
): SourceDay {
  const { places } = source;
  const means = (...roles: FieldRole[]) => {
    const role = roles.find((one) => points.has(one));
    const place = role && places[role];
    return place ? meansOf(points.get(role) as BucketPoints, place, grid, now) : null;
  };
  const summed = (...roles: FieldRole[]) => {
    const role = roles.find((one) => points.has(one));
    const place = role && places[role];
    return place ? integralOf(points.get(role) as BucketPoints, place, grid.from, now) : null;
  };
  return {
    ...energyOf({
      counter: isInverter(source) ? counted.get('energyTotal') : undefined,
      own: isInverter(source) ? counted.get('energyToday') : undefined,
      power: summed('acPower', 'dcPower'),
    }),
    importedWh: counted.get('gridEnergyImported')?.wh ?? null,
    exportedWh: counted.get('gridEnergyExported')?.wh ?? null,
    irradiationWhM2: summed('irradiancePoa', 'irradianceGhi'),
    powerW: means('acPower', 'dcPower'),
    gridW: means('gridPower'),
    poaWm2: means('irradiancePoa', 'irradianceGhi'),
  };
}

/** A counter that lags so far behind the power, as those do that count whole MWh, says nothing of a day. */
const LAGS = 0.5;

/** The counter of the inverter first, then the one that it begins anew each day, then the integral of its power. */
function energyOf(of: {
  counter: CountedToday | undefined;
  own: CountedToday | undefined;
  power: number | null;
}): Pick<SourceDay, 'energyTodayWh' | 'energyFrom' | 'doubtedWh'> {
  const { power } = of;
  const isLagging = (value: number) => power !== null && power > 1000 && value < power * LAGS;
  for (const energyFrom of ['counter', 'own'] as const) {
    const counted = of[energyFrom];
    if (!counted || isLagging(counted.wh)) continue;
    return { energyTodayWh: counted.wh, energyFrom, doubtedWh: counted.doubtedWh };
  }
  const doubtedWh = Math.max(of.counter?.doubtedWh ?? 0, of.own?.doubtedWh ?? 0);
  if (power !== null) return { energyTodayWh: Math.max(0, power), energyFrom: 'power', doubtedWh };
  return { energyTodayWh: null, energyFrom: null, doubtedWh };
}

/** The sources of a plant together; `days` in the order of `sources`. */
export function plantDay(sources: readonly RoledLatest[], days: readonly SourceDay[], count: number) {
  const energies = days.flatMap((one) => one.energyTodayWh ?? []);
  const powers = days.flatMap(({ powerW }) => (powerW ? [powerW] : []));
  const meter = mainMeterOf(sources);
  const metered = meter && days[sources.indexOf(meter)];
  const sensor = days.find(({ poaWm2 }) => poaWm2 !== null);
  const nothing = () => Array.from({ length: count }, () => null);
  return {
    energyWh: energies.length === 0 ? null : energies.reduce((sum, one) => sum + one, 0),
    doubtedWh: days.reduce((sum, one) => sum + one.doubtedWh, 0),
    importedWh: metered?.importedWh ?? null,
    exportedWh: metered?.exportedWh ?? null,
    irradiationWhM2: sensor?.irradiationWhM2 ?? null,
    powerW: sumOf(powers, count),
    gridW: metered?.gridW ?? nothing(),
    poaWm2: sensor?.poaWm2 ?? nothing(),
  };
}

/** Steps of the day that have begun. */
export const stepsOf = ({ from, to }: Day, stepMs: number, now: number): number =>
  Math.max(1, Math.ceil((Math.min(now, to) - from) / stepMs));
