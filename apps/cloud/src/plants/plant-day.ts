import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import { isInverter, mainMeterOf } from '@albedo/contract/plants/plant-reading';
import type { EnergySource } from '@albedo/contract/plants/plants.schema';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import type { RoledLatest } from '../field-roles/field-roles.service.ts';
import type { BucketPoints, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { type Grid, increaseOf, integralOf, meansOf, sumOf } from './plant-series.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Counters are looked for so long before the day, so that it begins with what they showed last. */
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
  energyTodayWh: number | null;
  energyFrom: EnergySource | null;
  importedWh: number | null;
  exportedWh: number | null;
  irradiationWhM2: number | null;
  /** Means of the steps, W or W/m². */
  powerW: (number | null)[] | null;
  gridW: (number | null)[] | null;
  poaWm2: (number | null)[] | null;
}

/** Roles whose course over the day is asked for. */
const OF_INVERTERS = ['acPower', 'dcPower', 'energyTotal', 'energyToday'] as const satisfies FieldRole[];
const OF_OTHERS = [
  'gridPower',
  'gridEnergyImported',
  'gridEnergyExported',
  'irradiancePoa',
  'irradianceGhi',
] as const satisfies FieldRole[];

/** The days of sources, in the order of `sources`: one question to the store for all of them. */
export async function readDays(
  reader: TelemetryReader,
  sources: readonly RoledLatest[],
  { day, stepMs, now }: { day: Day; stepMs: number; now: number },
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
  const points = series.length === 0 ? [] : await reader.buckets({ from, to, stepMs, series }, signal);
  const grid = { from: day.from, stepMs, count: Math.max(1, Math.ceil((to - day.from) / stepMs)) };
  let next = 0;
  return wanted.map(({ source, roles }) => {
    const own = new Map<FieldRole, BucketPoints>();
    for (const role of roles) {
      const one = points[next++];
      if (one) own.set(role, one);
    }
    return sourceDay(source, own, grid, now);
  });
}

function rolesOf(source: RoledLatest): FieldRole[] {
  const inverter = isInverter(source) ? OF_INVERTERS : [];
  const roles = [...inverter, ...OF_OTHERS].filter((role) => source.places[role]);
  // The DC side of an inverter counts only where its output is not known.
  return roles.filter((role) => role !== 'dcPower' || !source.places.acPower);
}

function sourceDay(
  { places }: RoledLatest,
  points: ReadonlyMap<FieldRole, BucketPoints>,
  grid: Grid,
  now: number,
): SourceDay {
  const means = (...roles: FieldRole[]) => {
    const role = roles.find((one) => points.has(one));
    const place = role && places[role];
    return place ? meansOf(points.get(role) as BucketPoints, place, grid, now) : null;
  };
  const counted = (role: FieldRole) => {
    const [one, place] = [points.get(role), places[role]];
    return one && place ? increaseOf(one, place, grid.from) : null;
  };
  const summed = (...roles: FieldRole[]) => {
    const role = roles.find((one) => points.has(one));
    const place = role && places[role];
    return place ? integralOf(points.get(role) as BucketPoints, place, grid.from, now) : null;
  };
  return {
    ...energyOf({
      counter: counted('energyTotal'),
      own: highest(points.get('energyToday'), grid.from, places.energyToday?.factor ?? 1),
      power: summed('acPower', 'dcPower'),
    }),
    importedWh: counted('gridEnergyImported'),
    exportedWh: counted('gridEnergyExported'),
    irradiationWhM2: summed('irradiancePoa', 'irradianceGhi'),
    powerW: means('acPower', 'dcPower'),
    gridW: means('gridPower'),
    poaWm2: means('irradiancePoa', 'irradianceGhi'),
  };
}

/** A counter that lags so far behind the power, as those do that count whole MWh, says nothing of a day. */
const LAGS = 0.5;

/** The counter of the inverter first, then what it calls today, then the integral of its power. */
function energyOf(of: Record<EnergySource, number | null>): Pick<SourceDay, 'energyTodayWh' | 'energyFrom'> {
  const { counter, own, power } = of;
  const isLagging = (value: number) => power !== null && power > 1000 && value < power * LAGS;
  if (counter !== null && !isLagging(counter)) return { energyTodayWh: counter, energyFrom: 'counter' };
  if (own !== null && !isLagging(own)) return { energyTodayWh: own, energyFrom: 'own' };
  if (power !== null) return { energyTodayWh: Math.max(0, power), energyFrom: 'power' };
  return { energyTodayWh: null, energyFrom: null };
}

/** What an inverter counted today is its newest value of the day: midnight may come late to its clock. */
function highest(points: BucketPoints | undefined, from: number, factor: number): number | null {
  if (!points) return null;
  const last = points.times.findLastIndex((at, i) => at >= from && (points.max[i] ?? null) !== null);
  const value = last < 0 ? null : (points.max[last] ?? null);
  return value === null ? null : value * factor;
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
