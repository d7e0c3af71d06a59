import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { wallTime } from '../../ui/time-range/zoned-time.ts';
import { valueAt } from '../../ui/time-series-chart/series-data.ts';

/** Values of two lines at the same instants, in the order of `x`. */
export function scatterOf(x: SeriesPoints, y: SeriesPoints): { x: number[]; y: number[] } {
  const pairs = x.times.flatMap((at, i): [number, number][] => {
    const [left, right] = [x.avg[i] ?? null, valueAt(y, at)];
    return left === null || right === null ? [] : [[left, right]];
  });
  pairs.sort((a, b) => a[0] - b[0]);
  return { x: pairs.map(([value]) => value), y: pairs.map(([, value]) => value) };
}

/** A value, and how long it held, ms. */
export interface Held {
  value: number;
  ms: number;
}

/**
 * The values that are there, each until the next one, as averages are weighed: some are measured every ten seconds, older ones
 * every hour. The last one before a gap holds for the length of its bucket; alone, values count alike.
 */
export function heldOf({ times, avg, stepMs }: Pick<SeriesPoints, 'times' | 'avg' | 'stepMs'>): Held[] {
  const held = avg.flatMap((value, i): Held[] => {
    if (value === null) return [];
    const next = avg[i + 1] ?? null;
    return [{ value, ms: next === null ? stepMs : (times[i + 1] as number) - (times[i] as number) }];
  });
  return held.some(({ ms }) => ms > 0) ? held : held.map(({ value }) => ({ value, ms: 1 }));
}

const timeOf = (held: readonly Held[]): number => held.reduce((sum, { ms }) => sum + ms, 0);

/** Widths of classes that people like to read. */
const ROUND = [1, 2, 2.5, 5, 10];

/** Edges of at most `most` equal classes with round edges that cover all values. */
export function classesOf(values: readonly number[], most = 40): number[] {
  const [low, high] = values.reduce(
    ([min, max], value) => [Math.min(min, value), Math.max(max, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  if (!(high >= low)) return [];
  const least = (high - low || Math.abs(high) || 1) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const width = (ROUND.find((one) => one * power >= least) ?? 10) * power;
  const first = Math.floor(low / width);
  const count = Math.max(1, Math.ceil((high - first * width) / width + 1e-9));
  return Array.from({ length: count }, (_, i) => (first + i) * width);
}

/** How many per cent of the time values lie in each class; `edges` are the lower edges of equal ones. */
export function distributionOf(held: readonly Held[], edges: readonly number[]): number[] {
  const shares = edges.map(() => 0);
  const all = timeOf(held);
  const [first = 0, second = first + 1] = edges;
  for (const { value, ms } of held) {
    const place = Math.min(
      edges.length - 1,
      Math.max(0, Math.floor((value - first) / (second - first) + 1e-9)),
    );
    shares[place] = (shares[place] ?? 0) + (100 * ms) / all;
  }
  return shares;
}

/** The values from the largest on, over the share of the time, %, in which they were at least reached. */
export function durationOf(held: readonly Held[]): { x: number[]; y: number[] } {
  const all = timeOf(held);
  let reached = 0;
  const points = held
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => b.value - a.value)
    .map(({ value, ms }) => {
      reached += ms;
      return { x: (100 * reached) / all, y: value };
    });
  return { x: points.map(({ x }) => x), y: points.map(({ y }) => y) };
}

export interface HeatCell {
  /** Days since the first one. */
  day: number;
  hour: number;
  value: number;
}

/** Values by hour of the day, in the clocks of the zone; of several in one hour, as when clocks go back, the last. */
export function heatOf({ times, avg }: SeriesPoints, zone: string): { cells: HeatCell[]; days: number[] } {
  const cells = new Map<string, HeatCell>();
  const days: number[] = [];
  let first: number | null = null;
  times.forEach((at, i) => {
    const value = avg[i] ?? null;
    if (value === null) return;
    const { year, month, day, hour } = wallTime(at, zone);
    const date = Date.UTC(year, month - 1, day) / 86_400_000;
    first ??= date;
    cells.set(`${date} ${hour}`, { day: date - first, hour, value });
    days[date - first] ??= at;
  });
  return { cells: [...cells.values()], days };
}
