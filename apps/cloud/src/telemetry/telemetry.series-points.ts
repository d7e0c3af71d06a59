import type { SeriesPoints, SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';
import type { Grid, Span } from './telemetry.series-grid.ts';
import { gapsIn, isGapBetween } from './telemetry.weights.ts';

/** The values of a stream within one step of time. */
export interface Step {
  at: number;
  n: number;
  min: number;
  /** Plain. */
  mean: number;
  max: number;
  /** Epoch ms. */
  first: number;
  last: { at: number; value: number };
}

/** As far as plain aggregates tell of them. */
export interface Tally extends Step {
  /** Of the times: their mean, epoch ms, and their variance, ms squared. */
  middle: number;
  variance: number;
}

/** Weighed by time. */
export interface Bucket extends Step {
  /** Each value times the time until the next one, gaps left out; ms times the field's own unit. */
  area: number;
  /** That time. */
  ms: number;
  /** Nothing usual follows the last value. */
  isGapAfter: boolean;
}

/** How far mean and variance of times may be from those of a steady pace, as a part: some jitter passes. */
const STEADY = 1e-3;
/** As many pauses of a bucket as the rule about gaps looks at from both of its ends. */
const ENDS = 6;
/** Values of a bucket whose own pauses alone decide what is usual inside of it. */
const DENSE = 6;

/** A value by itself. */
export const tallyOf = (at: number, value: number): Tally => ({
  ...{ at, n: 1, min: value, mean: value, max: value },
  ...{ first: at, last: { at, value }, middle: at, variance: 0 },
});

/** Buckets of a stream with a steady pace within each of them; null for any other. */
export function weigh(tallies: readonly Tally[]): Bucket[] | null {
  if (tallies.length > 0 && tallies.every(({ n }) => n >= DENSE)) return weighDense(tallies);
  const pauses: number[] = [];
  const places: { own: number; after: number }[] = [];
  for (const [i, tally] of tallies.entries()) {
    if (!isSteady(tally)) return null;
    const { n, first, last } = tally;
    const pause = n > 1 ? (last.at - first) / (n - 1) : 0;
    const own = pauses.length;
    for (let copy = 1; copy < n && copy <= ENDS; copy++) pauses.push(pause);
    places.push({ own, after: pauses.length });
    const following = tallies[i + 1];
    if (following) pauses.push(following.first - last.at);
  }
  const isGap = gapsIn(pauses);
  const buckets: Bucket[] = [];
  for (const [i, { middle: _, variance: __, ...tally }] of tallies.entries()) {
    const { own, after } = places[i] as { own: number; after: number };
    const { n, mean, first, last } = tally;
    const inside = isGap.slice(own, after);
    // Which of its values stand before the gap is not to be told from here.
    if (inside.length > 1 && inside.includes(true)) return null;
    const counts = n > 1 && !inside[0];
    const pause = pauses[after] ?? 0;
    const isGapAfter = isGap[after] ?? false;
    const ms = counts ? last.at - first : 0;
    const area = counts ? (ms / (n - 1)) * (mean * n - last.value) : 0;
    const isHeld = i < tallies.length - 1 && !isGapAfter;
    buckets.push({
      ...tally,
      area: area + (isHeld ? last.value * pause : 0),
      ms: ms + (isHeld ? pause : 0),
      isGapAfter,
    });
  }
  return buckets;
}

/**
 * As `weigh` does it, where every bucket has so many pauses that beside each of them there are two of its own or more: none
 * of those is a gap then, and what lies between two buckets is told by the pauses of the two.
 */
function weighDense(tallies: readonly Tally[]): Bucket[] | null {
  return tallies.every(isSteady) ? tallies.map((tally, i) => denseBucket(tally, tallies[i + 1])) : null;
}

function denseBucket(tally: Tally, following: Tally | undefined): Bucket {
  const { at, n, min, mean, max, first, last } = tally;
  const length = last.at - first;
  const own = length / (n - 1);
  const bucket = { at, n, min, mean, max, first, last, area: own * (mean * n - last.value), ms: length };
  const pause = following ? following.first - last.at : 0;
  const next = following ? (following.last.at - following.first) / (following.n - 1) : 0;
  const isGapAfter = following !== undefined && isGapBetween(pause, own, next);
  if (!following || isGapAfter) return { ...bucket, isGapAfter };
  return { ...bucket, area: bucket.area + last.value * pause, ms: bucket.ms + pause, isGapAfter };
}

/** Buckets of a stream of which some are not steady, or have few values. */
export interface MostlySteady {
  /** Right but for those that begin at one of `rough`. */
  buckets: Bucket[];
  rough: ReadonlySet<number>;
  /** Where the values lie that tell of the rough ones: also those of the steady buckets beside them. In their order, apart. */
  spans: Span[];
}

/** Null where more than an eighth of the buckets is not steady: all values are looked at then. */
export function weighMost(tallies: readonly Tally[], endOf: Grid['endOf']): MostlySteady | null {
  const isFull = tallies.map((tally) => tally.n >= DENSE && isSteady(tally));
  if (isFull.filter((is) => !is).length * 8 > tallies.length) return null;
  const rough = new Set<number>();
  const spans: Span[] = [];
  for (let i = 0; i < tallies.length; i++) {
    if (isFull[i]) continue;
    // How long the last value before counts is told by what follows it.
    const from = Math.max(0, i - 1);
    while (i + 1 < tallies.length && !isFull[i + 1]) i++;
    for (const { at } of tallies.slice(from, i + 1)) rough.add(at);
    const [first, last] = [tallies[from] as Tally, (tallies[i + 1] ?? tallies[i]) as Tally];
    spans.push({ from: first.at, to: endOf(last.at) });
  }
  const buckets = tallies.map((tally, i) => denseBucket(tally, tallies[i + 1]));
  return { buckets, rough, spans: union(spans) };
}

/** Lists of the same length, in the order of the times. */
export type TimesAndValues = readonly [times: ArrayLike<number>, values: ArrayLike<number>];

/** The values by their instants, those within some spans, which lie apart and in their order. Of several of one instant the last one stands. */
function byInstant([times, values]: TimesAndValues, spans: readonly Span[]): Map<number, number> {
  const valueAt = new Map<number, number>();
  for (let i = 0, place = 0; i < times.length; i++) {
    const at = times[i] as number;
    while (place < spans.length && at >= (spans[place] as Span).to) place++;
    if (at >= (spans[place]?.from ?? Number.POSITIVE_INFINITY)) valueAt.set(at, values[i] as number);
  }
  return valueAt;
}

/** Buckets of values, each with what lies in it: of every value its instant, itself and its place. */
function cut<T>(
  values: ReadonlyMap<number, number>,
  { startOf, endOf }: Pick<Grid, 'startOf' | 'endOf'>,
  make: (step: Step, within: readonly (readonly [at: number, value: number, place: number])[]) => T,
): T[] {
  const made: T[] = [];
  let within: [number, number, number][] = [];
  let end = Number.NEGATIVE_INFINITY;
  const close = () => {
    if (within.length > 0) made.push(make(stepOfValues(startOf(within[0]?.[0] as number), within), within));
  };
  let place = 0;
  for (const [at, value] of values) {
    if (at >= end) {
      close();
      within = [];
      end = endOf(startOf(at));
    }
    within.push([at, value, place++]);
  }
  close();
  return made;
}

function stepOfValues(
  start: number,
  within: readonly (readonly [at: number, value: number, place: number])[],
): Step {
  const values = within.map(([, value]) => value);
  const [last, value] = within.at(-1) as readonly [number, number, number];
  return {
    at: start,
    n: within.length,
    min: values.reduce((a, b) => Math.min(a, b)),
    mean: values.reduce((a, b) => a + b) / values.length,
    max: values.reduce((a, b) => Math.max(a, b)),
    first: within[0]?.[0] as number,
    last: { at: last, value },
  };
}

/** What is told of the buckets of values within some spans. */
export const tallyValues = (lists: TimesAndValues, spans: readonly Span[], grid: Grid): Tally[] =>
  cut(byInstant(lists, spans), grid, (step, within) => {
    const mean = (of: (ms: number) => number) =>
      within.reduce((sum, [at]) => sum + of(at - step.first), 0) / within.length;
    const middle = mean((ms) => ms);
    return { ...step, middle: step.first + middle, variance: mean((ms) => (ms - middle) ** 2) };
  });

/** The buckets of values within some spans. */
export function weighValues(lists: TimesAndValues, spans: readonly Span[], grid: Grid): Bucket[] {
  const values = byInstant(lists, spans);
  const instants = [...values.keys()];
  const pauses = instants.slice(1).map((at, i) => at - (instants[i] as number));
  const isGap = gapsIn(pauses);
  const held = (place: number) => (isGap[place] ? 0 : (pauses[place] ?? 0));
  return cut(values, grid, (step, within) => ({
    ...step,
    area: within.reduce((sum, [, value, place]) => sum + value * held(place), 0),
    ms: within.reduce((sum, [, , place]) => sum + held(place), 0),
    isGapAfter: isGap[within.at(-1)?.[2] as number] ?? false,
  }));
}

/** The same instants in spans that do not touch, in their order. */
export function union(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const before = apart.at(-1);
    if (before && from <= before.to) before.to = Math.max(before.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

function isSteady({ n, first, last, middle, variance }: Tally): boolean {
  if (n === 1) return true;
  const length = last.at - first;
  const expected = ((length / (n - 1)) ** 2 * (n * n - 1)) / 12;
  const isCentred = Math.abs(middle - (first + last.at) / 2) <= STEADY * length;
  return length > 0 && isCentred && Math.abs(variance - expected) <= STEADY * expected;
}

export const noPoints = (): SeriesPoints => ({
  stepMs: 0,
  times: [],
  min: [],
  avg: [],
  max: [],
  stats: { count: 0, min: null, avg: null, max: null, last: null },
});

/** Every value is a point; two values of one instant become one. */
export function rawPoints(values: readonly (readonly [at: number, value: number])[]): SeriesPoints {
  const points = noPoints();
  const last = new Map(values);
  const times = [...last.keys()];
  const isGap = gapsIn(times.slice(1).map((at, i) => at - (times[i] as number)));
  times.forEach((at, i) => {
    const before = times[i - 1];
    if (before !== undefined && isGap[i - 1]) add(points, Math.round((before + at) / 2), null, null, null);
    const value = last.get(at) as number;
    add(points, at, value, value, value);
  });
  return points;
}

/** A bucket is a point. */
export function bucketPoints(buckets: readonly Bucket[], { stepMs, endOf }: Grid): SeriesPoints {
  const points = { ...noPoints(), stepMs };
  buckets.forEach((bucket, i) => {
    const before = buckets[i - 1];
    // Only where at least one bucket is empty: within two neighbours a pause is no wider than what one point shows.
    const end = before?.isGapAfter ? endOf(before.at) : bucket.at;
    if (end < bucket.at) add(points, end, null, null, null);
    add(points, bucket.at, bucket.min, averageOf(bucket), bucket.max);
  });
  return points;
}

/** A bucket is a point, which a function made of its values. Buckets without one are a gap, unless most are like that. */
export function valuePoints(
  values: readonly (readonly [at: number, value: number])[],
  { stepMs, endOf }: Grid,
): SeriesPoints {
  const points = { ...noPoints(), stepMs };
  const isGap = gapsIn(values.slice(1).map(([at], i) => at - (values[i]?.[0] ?? at)));
  values.forEach(([at, value], i) => {
    const before = values[i - 1];
    const end = before && isGap[i - 1] ? endOf(before[0]) : at;
    if (end < at) add(points, end, null, null, null);
    add(points, at, value, value, value);
  });
  return { ...points, stats: plainStats(values.map(([, value]) => value)) };
}

function plainStats(values: readonly number[]): SeriesStats {
  const last = values.at(-1);
  if (last === undefined) return noPoints().stats;
  const whole = { min: Number.POSITIVE_INFINITY, sum: 0, max: Number.NEGATIVE_INFINITY };
  for (const value of values) {
    whole.min = Math.min(whole.min, value);
    whole.sum += value;
    whole.max = Math.max(whole.max, value);
  }
  return { count: values.length, min: whole.min, avg: whole.sum / values.length, max: whole.max, last };
}

function add(points: SeriesPoints, at: number, min: number | null, avg: number | null, max: number | null) {
  points.times.push(at);
  points.min.push(min);
  points.avg.push(avg);
  points.max.push(max);
}

/** Between min and max, whatever rounding made of it. */
const averageOf = ({ area, ms, mean, min, max }: Pick<Bucket, 'area' | 'ms' | 'mean' | 'min' | 'max'>) =>
  Math.min(max, Math.max(min, ms > 0 ? area / ms : mean));

/** What the buckets of a whole range come to. */
export function statsOf(buckets: readonly Bucket[]): SeriesStats {
  const whole = {
    n: 0,
    area: 0,
    ms: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  };
  for (const { n, area, ms, mean, min, max } of buckets) {
    whole.n += n;
    whole.area += area;
    whole.ms += ms;
    whole.sum += mean * n;
    whole.min = Math.min(whole.min, min);
    whole.max = Math.max(whole.max, max);
  }
  const last = buckets.at(-1)?.last.value;
  if (last === undefined) return noPoints().stats;
  const { n, min, max } = whole;
  return { count: n, min, avg: averageOf({ ...whole, mean: whole.sum / n }), max, last };
}

/** The buckets of two ranges that follow each other; the last value of the first one counts until the next. */
export function joined(earlier: Bucket[], later: readonly Bucket[]): Bucket[] {
  const [before, after] = [earlier.at(-1), later[0]];
  if (before && after) {
    const pauseMs = after.first - before.last.at;
    const usual = ({ ms, n }: Bucket) => ms / Math.max(1, n - 1);
    before.isGapAfter = isGapBetween(pauseMs, usual(before), usual(after));
    if (!before.isGapAfter) {
      before.area += before.last.value * pauseMs;
      before.ms += pauseMs;
    }
  }
  return [...earlier, ...later];
}
