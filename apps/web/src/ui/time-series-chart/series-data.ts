import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { baseUnit } from '../units/units.ts';
import type { Ghost } from './palette.ts';

/** One line of a chart. `id` is stable while the line is the same; `units` are those of `points`. */
export interface ChartSeries {
  id: string;
  label: string;
  units: string | null;
  points: SeriesPoints;
  /** Its place among the colours, the same in every chart that has it; without one, its place in the chart. */
  style?: number;
  /** It has steps and nothing between them: counts, states, switches. */
  isStepped?: boolean;
  /** It is there to compare with, such as the week before. */
  ghost?: Ghost;
}

/** The smallest and the largest value, in the base unit. */
export interface Extent {
  min: number;
  max: number;
}

/** What series of each base unit cover together, so that charts beside each other can have equal scales. */
export function extentsOf(series: readonly ChartSeries[]): ReadonlyMap<string, Extent> {
  const extents = new Map<string, Extent>();
  for (const { units, points } of series) {
    const { unit, factor } = baseUnit(units);
    const { min, max } = points.stats;
    if (min === null || max === null) continue;
    const known = extents.get(unit) ?? { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    extents.set(unit, { min: Math.min(known.min, min * factor), max: Math.max(known.max, max * factor) });
  }
  return extents;
}

/** The largest value of each base unit, whose prefix all values of a chart share. */
export function reachesOf(series: readonly ChartSeries[]): ReadonlyMap<string, number> {
  const extents = extentsOf(series);
  return new Map([...extents].map(([unit, { min, max }]) => [unit, Math.max(Math.abs(min), Math.abs(max))]));
}

export type Values = (number | null | undefined)[];

/**
 * Columns for the chart: one time axis, then three columns for each series.
 *
 * Shapes: all columns have the length of `times`. Units: epoch ms; the base unit of each series.
 * Gaps: null breaks the line, undefined means that the series has no point at that time and the line goes on.
 */
export interface ChartFrame {
  times: number[];
  columns: {
    avg: Values;
    min: Values;
    max: Values;
    isBanded: boolean;
    /** Those of `times` whose interval is incomplete. */
    partial: ReadonlySet<number>;
  }[];
}

type Columns = Pick<SeriesPoints, 'times' | 'min' | 'avg' | 'max'>;

/** Brings series onto one time axis. Gaps are the nulls that the server put into the points. */
export function buildFrame(series: readonly ChartSeries[]): ChartFrame {
  const prepared = series.map(inBaseUnit);
  const first = prepared[0];
  if (!first) return { times: [], columns: [] };
  const times = prepared.every((one) => sameTimes(one.times, first.times))
    ? first.times
    : unionOf(prepared.map((one) => one.times));
  return {
    times,
    columns: prepared.map((one, index) => ({
      avg: aligned(one.avg, one.times, times),
      min: aligned(one.min, one.times, times),
      max: aligned(one.max, one.times, times),
      isBanded: (series[index]?.points.stepMs ?? 0) > 0 && isWide(one),
      partial: new Set(series[index]?.points.partial),
    })),
  };
}

/** Values in the base unit of the series, so that W and kW share an axis. */
function inBaseUnit({ units, points }: ChartSeries): Columns {
  const { factor } = baseUnit(units);
  if (factor === 1) return points;
  const scale = (values: (number | null)[]) =>
    values.map((value) => (value === null ? null : value * factor));
  return { times: points.times, min: scale(points.min), avg: scale(points.avg), max: scale(points.max) };
}

function isWide({ min, max }: Columns): boolean {
  return min.some((value, i) => value !== max[i]);
}

function sameTimes(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function unionOf(axes: readonly (readonly number[])[]): number[] {
  const all = Float64Array.from(axes.flat()).sort();
  return Array.from(all.filter((time, i) => i === 0 || time !== all[i - 1]));
}

function aligned(values: (number | null)[], from: readonly number[], to: readonly number[]): Values {
  if (from === to || from.length === to.length) return values;
  const result: Values = new Array(to.length).fill(undefined);
  let next = 0;
  for (let i = 0; i < to.length && next < from.length; i++) {
    if (to[i] !== from[next]) continue;
    result[i] = values[next];
    next++;
  }
  return result;
}

/** The value at an instant: of the bucket around it, or of the point beside it; null in a gap. */
export function valueAt({ times, avg, stepMs }: SeriesPoints, at: number): number | null {
  let [low, high] = [0, times.length - 1];
  if (high < 0) return null;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const [first, second] = [times[low] ?? 0, times[low + 1]];
  if (stepMs > 0) return at >= first && at < first + 2 * stepMs ? (avg[low] ?? null) : null;
  const isSecond = second !== undefined && second - at < at - first;
  const beside = isSecond ? second : first;
  const pauseMs = second === undefined ? first - (times[low - 1] ?? first) : second - first;
  return Math.abs(at - beside) <= pauseMs ? (avg[isSecond ? low + 1 : low] ?? null) : null;
}
