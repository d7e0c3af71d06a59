import { type Air, clearSkySeries } from './clear-sky.ts';
import { plausibleIrradianceWm2, plausibleModuleC } from './hygiene.ts';
import { type SkySeries, skySeries } from './irradiance.ts';
import { degradedPart } from './pvwatts.ts';
import type { SunPath } from './sun.ts';
import { cellC, type TemperatureOptions } from './temperature.ts';
import {
  planeSeriesWm2,
  type SharedPlane,
  type SkyModel,
  type TranspositionOptions,
} from './transposition.ts';

/**
 * Where the light comes from that an expectation is made of: an external feed, a sensor in the plane, one flat on the
 * ground, or the clear sky, which is an upper bound.
 */
export type LightSource = 'feed' | 'plane' | 'horizontal' | 'clearSky';

/** Light that is known over a path of the sun. Shapes: as long as the path. Units: W/m². Gaps: NaN. */
export type KnownLight =
  | { from: 'plane'; poaWm2: ArrayLike<number> }
  | {
      from: 'horizontal' | 'feed';
      ghiWm2?: ArrayLike<number>;
      dhiWm2?: ArrayLike<number>;
      dniWm2?: ArrayLike<number>;
    }
  | { from: 'clearSky'; air?: Air };

/** Light in the planes of an array, with what it was made of. */
export interface PlaneLight {
  poaWm2: Float64Array;
  from: LightSource;
  /** Null where it was measured in the plane. */
  model: SkyModel | null;
}

/**
 * Light in the planes of an array from what is known of it, W/m². One result serves all sources that lie alike at a place.
 *
 * Values that cannot be are gaps. Where only global irradiance is there, Erbs splits it.
 */
export function planeLight(
  path: SunPath,
  known: KnownLight,
  planes: readonly SharedPlane[],
  options: TranspositionOptions = {},
): PlaneLight {
  if (known.from === 'plane')
    return { poaWm2: Float64Array.from(known.poaWm2, plausibleIrradianceWm2), from: 'plane', model: null };
  const sky = known.from === 'clearSky' ? clearSkySeries(path, known.air) : skyFrom(path, known);
  const model = options.model ?? 'hay-davies';
  return { poaWm2: planeSeriesWm2(path, sky, planes, options), from: known.from, model };
}

function skyFrom(path: SunPath, known: Extract<KnownLight, { from: 'horizontal' | 'feed' }>): SkySeries {
  const clean = (list: ArrayLike<number> | undefined) =>
    list && Float64Array.from(list, plausibleIrradianceWm2);
  const [ghiWm2, dhiWm2, dniWm2] = [clean(known.ghiWm2), clean(known.dhiWm2), clean(known.dniWm2)];
  return skySeries(path, {
    ...(ghiWm2 && { ghiWm2 }),
    ...(dhiWm2 && { dhiWm2 }),
    ...(dniWm2 && { dniWm2 }),
  });
}

/** Temperature of cells along a series, °C; computed once for all sources of a place. Gaps: NaN. */
export function cellSeriesC(
  poaWm2: ArrayLike<number>,
  ambientC: ArrayLike<number>,
  windMs: ArrayLike<number> | null,
  options: TemperatureOptions,
): Float64Array {
  return Float64Array.from(poaWm2, (light, i) =>
    cellC(light, ambientC[i] ?? Number.NaN, windMs?.[i] ?? Number.NaN, options),
  );
}

/** Peak power of an area of modules, kWp: at 1000 W/m² an area gives its efficiency. Units: m², 0..1. */
export const peakKwOfArea = (areaM2: number, efficiency: number): number => areaM2 * efficiency;

/** Area of one source of a device, by its panels among all of them; equal parts where nobody counted them. */
export function areaOfSource(totalM2: number, panels: readonly (number | null)[], source: number): number {
  const isCounted = panels.every((count) => count !== null && count > 0);
  if (!isCounted) return totalM2 / panels.length;
  const all = panels.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return (totalM2 * (panels[source] ?? 0)) / all;
}

export interface ExpectedSystem {
  /** kWp; see `peakKwOfArea` where only the area is known. */
  dcKw: number;
  /** Rating at which the power is clipped, kW; null for none. */
  acKw: number | null;
  /** What is left after dirt, cables, inverters and, without a coefficient, heat. Default 0.80. */
  systemFactor?: number;
  /** Of the power, per K, negative; null leaves the temperature out. */
  coefficientPerK?: number | null;
  /** Part of the power that is lost each year, and since when, epoch ms. */
  degradation?: { perYear: number; since: number } | null;
}

/** What an expectation is made from. Shapes: all lists as long as the path of the sun at the middles of the intervals. */
export interface ExpectedInput {
  path: SunPath;
  intervalHours: number;
  light: PlaneLight;
  /** Of modules or cells, measured or by a model (`cellSeriesC`). Gaps: NaN. */
  cellsC?: ArrayLike<number> | null;
}

export interface ExpectedDay {
  /** Null where too little of the day's light is known. */
  energyKwh: number | null;
  /** Light in the planes, kWh/m²; null as above. */
  irradiationKwhM2: number | null;
  from: LightSource;
  model: SkyModel | null;
  /** True from a clear sky: more than that was not to be had. */
  isUpperBound: boolean;
  /** Part of the day's light that is known, weighed by the height of the sun; less where the path ends within the day. */
  coverage: number;
  /** Part of the known light whose temperature is known; the rest is taken at 25 °C. 0 without a coefficient. */
  temperatureCoverage: number;
}

const USUAL_FACTOR = 0.8;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365.25 * 24 * HOUR_MS;
/** So much of the light has to be known; what is missing of the rest is taken to be like it. */
const LEAST_COVERAGE = 0.9;

/**
 * Energy that a source was to give on each day, kWh.
 *
 * P = G/1000 P0 (1 + coefficient (T - 25)) systemFactor (1 - degradation)^years, clipped at the AC rating. `edges` are the
 * beginnings of local days and the end of the last one, epoch ms, rising; days have 23, 24 or 25 hours. Gaps: what is
 * missing of a day's light, up to a tenth, is taken to be like the rest of the day; a larger gap gives null. The sun of a
 * polar night gives 0. A year of five minutes takes 1 to 3 ms for each source.
 * Source: Dobos 2014, PVWatts Version 5 Manual, without its curve of the inverter, which the factor holds.
 */
export function expectedDays(
  { path, intervalHours, light, cellsC }: ExpectedInput,
  system: ExpectedSystem,
  edges: ArrayLike<number>,
): ExpectedDay[] {
  const coefficient = system.coefficientPerK ?? 0;
  const days: ExpectedDay[] = [];
  let i = 0;
  for (let day = 0; day + 1 < edges.length; day++) {
    const [from, to] = [edges[day] as number, edges[day + 1] as number];
    while (i < path.at.length && (path.at[i] as number) < from) i += 1;
    const peakKw = system.dcKw * (system.systemFactor ?? USUAL_FACTOR) * ageOf(system, (from + to) / 2);
    const mostKw = system.acKw ?? Number.POSITIVE_INFINITY;
    let [height, seen, sum, wm2, warm, hours] = [0, 0, 0, 0, 0, 0];
    for (; i < path.at.length && (path.at[i] as number) < to; i++) {
      const up = Math.max(0, path.up[i] as number);
      hours += intervalHours;
      height += up;
      const poa = light.poaWm2[i] as number;
      if (Number.isNaN(poa)) continue;
      seen += up;
      wm2 += poa;
      const degrees = coefficient === 0 || !cellsC ? Number.NaN : plausibleModuleC(cellsC[i] as number);
      const isWarm = !Number.isNaN(degrees);
      if (isWarm) warm += poa;
      const correction = isWarm ? 1 + coefficient * (degrees - 25) : 1;
      sum += Math.min(mostKw, (peakKw * poa * correction) / 1000);
    }
    const reached = Math.min(1, (hours * HOUR_MS) / (to - from));
    const coverage = (height > 0 ? seen / height : 1) * reached;
    const whole = coverage >= LEAST_COVERAGE ? intervalHours / coverage : null;
    days.push({
      energyKwh: whole === null ? null : sum * whole,
      irradiationKwhM2: whole === null ? null : (wm2 * whole) / 1000,
      from: light.from,
      model: light.model,
      isUpperBound: light.from === 'clearSky',
      coverage,
      temperatureCoverage: wm2 > 0 ? warm / wm2 : 0,
    });
  }
  return days;
}

/** What is left of the power in the middle of a day. */
function ageOf({ degradation }: ExpectedSystem, at: number): number {
  if (!degradation) return 1;
  return degradedPart(degradation.perYear, (at - degradation.since) / YEAR_MS);
}

/**
 * Energy by area: H A efficiency factor, kWh. The same as `expectedDays` without temperature, age and clipping.
 *
 * Units: kWh/m², m², parts of 1.
 */
export const expectedKwhOfArea = (
  irradiationKwhM2: number,
  areaM2: number,
  efficiency: number,
  systemFactor = USUAL_FACTOR,
): number => irradiationKwhM2 * areaM2 * efficiency * systemFactor;
