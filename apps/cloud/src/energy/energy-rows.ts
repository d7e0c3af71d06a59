import { createHash } from 'node:crypto';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { instantOf } from '@albedo/contract/time/zoned-time';
import { exclusionMask } from '@albedo/energy/hygiene';
import { degradedPart } from '@albedo/energy/pvwatts';
import type { CounterReading } from './counted.ts';
import { DAY_MS } from './energy-calendar.ts';
import type { CurtailedTimes } from './energy-curtailed.ts';
import { type DayRules, type DayTime, dayFigures, gainsOf, meansOf, SLOT_MS } from './energy-day.ts';
import type { EnergyDayRow } from './energy-days.store.ts';
import type { PlannedDevice, PlannedSource, ScaledField, SensorRole } from './energy-plan.ts';
import { FAR_DAYS, keyOf, type Read, type Run, type Stretches } from './energy-reading.ts';
import { type SensorMeans, type SkyPlace, sensed, skyOfDay } from './energy-sky.ts';

/** Rises when days are computed by other rules, so that all of them are computed again. */
const RULES = 1;
const HOUR_MS = 3_600_000;
/** Readings of the days before and after that the counters of a day look at. */
const NEIGHBOURS = 12;
/** By this hour counters of days have begun anew. */
const AWAKE_HOUR = 8;

/** What days of a workgroup are computed by. */
export interface EnergyAround {
  configs: EnergyConfigs;
  plan: ReadonlyMap<string, PlannedDevice>;
}

/** What the days of a device are computed by: another text makes them other days. */
export function hashOf(
  configs: EnergyConfigs,
  { device, zone, site, elevationM, sources, sensors }: PlannedDevice,
): string {
  const { gammaPerK, irradianceFloorWm2, isBifacial, bifaciality } = configs['iec-perf-ratio-config'];
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
    ...(isBifacial ? [bifaciality] : []),
  ]);
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
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
  curtailed: CurtailedTimes;
  computedAt: number;
}

/** The rows of the sources of a device on a day; those of which nothing is known are left out. */
export function rowsOf(asked: RowsOf): EnergyDayRow[] {
  const { workgroup, day, planned, run, read, around, curtailed, computedAt } = asked;
  const at = run.days.indexOf(day) + 1;
  const [from, to] = [run.edges[at] as number, run.edges[at + 1] as number];
  const [year = 1970, month = 1, of = 1] = day.split('-').map(Number);
  const awakeAt = instantOf({ year, month, day: of, hour: AWAKE_HOUR }, run.zone);
  const time: DayTime = { from, to, now: computedAt, awakeAt };
  const count = Math.ceil((to - from) / SLOT_MS);
  // What a clock that runs ahead left on a day to come says nothing yet: its row has no figures until the day is over.
  const hasBegun = from < computedAt;
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
      if (!field || !slots || !hasBegun) return null;
      return field.isCounter ? gainsOf(slots.slots, count, field) : meansOf(slots.slots, count, field);
    };
    const counters = (hasBegun ? source.counters : []).map((field) => ({
      method: field.method,
      readings: readingsOf(of(field), run.edges, at, field),
    }));
    const own = [...source.counters, source.power].flatMap((field) => of(field)?.get(at) ?? []);
    const daylight = hasBegun ? skyOf(source) : null;
    const streams = {
      ...{ counters, powerKW: means(source.power), dcKW: means(source.dc) },
      count: Math.max(0, ...own.map((one) => one.count)),
      firstAt: own.length > 0 ? Math.min(...own.map((one) => one.firstAt)) : null,
      lastAt: own.length > 0 ? Math.max(...own.map((one) => one.lastAt)) : null,
    };
    const figures = dayFigures(
      time,
      streams,
      daylight?.sky ?? null,
      rulesOf(around.configs, planned, source, { from, count, curtailed: curtailed.get(device) ?? [] }),
    );
    // A source that is not there yet, or no more, and of which nobody knows what it should have given.
    if (own.length === 0 && !daylight && figures.energyKWh === null) return [];
    const facing = source.planes.length === 1 ? (source.planes[0]?.azimuthDeg ?? null) : null;
    const row = {
      ...{ workgroup, device, table: source.table, source: source.source, day, ...NOTHING, ...figures },
      ...{ light: daylight?.light ?? null, azimuth: facing, rules: RULES, computedAt },
    };
    if (daylight?.light === 'clearSky') row.marks.push('clearSky');
    if (daylight?.light === 'horizontal') row.marks.push('horizontalSensor');
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
      const slots = read.get(keyOf(sensor.device ?? device.id, sensor.table, sensor.source, sensor))?.get(at);
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
  {
    from,
    count,
    curtailed,
  }: { from: number; count: number; curtailed: readonly { from: number; to: number }[] },
): DayRules {
  const times = Float64Array.from({ length: count }, (_, i) => from + i * SLOT_MS);
  const { gammaPerK, irradianceFloorWm2, isBifacial, bifaciality } = configs['iec-perf-ratio-config'];
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
    bifaciality: isBifacial ? bifaciality : null,
    availability: {
      thresholdWm2: availability.irradianceThresholdWm2,
      power: availability.powerThreshold,
      isWeighted: availability.isWeightedByIrradiance,
      isMissingAvailable: availability.variant === 'plant',
    },
    excluded: exclusionMask(times, SLOT_MS / HOUR_MS, excluded),
    curtailed: exclusionMask(
      times,
      SLOT_MS / HOUR_MS,
      curtailed.map((time) => ({ ...time, reason: 'curtailed' })),
    ),
  };
}
