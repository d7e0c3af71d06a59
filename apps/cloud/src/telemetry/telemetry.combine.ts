import { type Combining, combineValues } from '@albedo/contract/telemetry/combine-values';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { leavingOut } from './telemetry.partial.ts';

/** Epoch ms; the end is not in it. */
export interface Range {
  from: number;
  to: number;
}

/** Values in another unit: value * factor + offset. */
export function scaled(points: SeriesPoints, factor: number, offset: number): SeriesPoints {
  if (factor === 1 && offset === 0) return points;
  const one = (value: number | null) => (value === null ? null : value * factor + offset);
  const isTurned = factor < 0;
  const { count, min, avg, max, last } = points.stats;
  const [low, high] = isTurned ? [points.max, points.min] : [points.min, points.max];
  return {
    ...points,
    min: low.map(one),
    avg: points.avg.map(one),
    max: high.map(one),
    stats: {
      count,
      min: one(isTurned ? max : min),
      avg: one(avg),
      max: one(isTurned ? min : max),
      last: one(last),
    },
  };
}

/**
 * Several series as one, instant by instant.
 *
 * Shapes: `all` have equal intervals; the result has every instant that any of them has, oldest first. Units: all the
 * same. Gaps: a stream without a value at an instant takes no part in it; where none has one, the result has a gap.
 * `stats` are of the combined points. Their `avg` is the plain mean; with `range` each counts until the next one, so that
 * it is the same however long the intervals are and however often streams were read. Of what grows with time they leave out
 * intervals that are not whole.
 */
export function combined(
  all: readonly SeriesPoints[],
  how: Combining,
  weights?: readonly number[],
  { range, grows = false }: { range?: Range | undefined; grows?: boolean } = {},
): SeriesPoints {
  const [first] = all;
  if (first && all.length === 1) return first;
  const times = [...new Set(all.flatMap((one) => one.times))].sort((a, b) => a - b);
  const places = all.map((one) => new Map(one.times.map((time, at) => [time, at])));
  const avg = times.map((time) => {
    const values: number[] = [];
    const own: number[] = [];
    all.forEach((one, i) => {
      const at = places[i]?.get(time);
      const value = at === undefined ? null : (one.avg[at] ?? null);
      if (value === null) return;
      values.push(value);
      own.push(weights?.[i] ?? 1);
    });
    return values.length === 0 ? null : combineValues(values, how, own);
  });
  const known = avg.filter((value) => value !== null);
  const stepMs = Math.max(0, ...all.map((one) => one.stepMs));
  const partial = [...new Set(all.flatMap((points) => points.partial ?? []))].sort((a, b) => a - b);
  const points: SeriesPoints = {
    stepMs,
    times,
    min: avg,
    avg,
    max: avg,
    stats: {
      count: all.reduce((total, { stats }) => total + stats.count, 0),
      min: known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b)),
      avg: range ? meanOverTime({ times, avg, stepMs }, range) : meanOf(known),
      max: known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b)),
      last: known.at(-1) ?? null,
    },
    ...(partial.length > 0 && { partial }),
  };
  return leavingOut(points, grows);
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;

/** Gaps count nothing, and of the first and the last interval only what lies in the range. */
function meanOverTime(
  { times, avg, stepMs }: Pick<SeriesPoints, 'times' | 'avg' | 'stepMs'>,
  { from, to }: Range,
): number | null {
  let [area, whole] = [0, 0];
  times.forEach((time, i) => {
    const value = avg[i] ?? null;
    const ms = (times[i + 1] ?? Math.min(time + stepMs, to)) - Math.max(time, from);
    if (value === null || ms <= 0) return;
    area += value * ms;
    whole += ms;
  });
  return whole > 0 ? area / whole : meanOf(avg.filter((value) => value !== null));
}
