import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Span } from '../../ui/time-range/time-range.ts';
import { instantOf, wallTime } from '../../ui/time-range/zoned-time.ts';

export const COMPARISONS = ['previous', 'day', 'week', 'month', 'year'] as const;
/** What a range is compared with: the one that ends where it begins, or the same some time before by the clocks. */
export type Comparison = (typeof COMPARISONS)[number];

/** The instant moved by whole calendar units, by the clocks of the zone; 31 March less a month is 28 February. */
function moved(at: number, unit: Exclude<Comparison, 'previous'>, count: number, zone: string): number {
  const { year, month, day, ...clock } = wallTime(at, zone);
  const rest = at - Math.floor(at / 1000) * 1000;
  if (unit === 'day' || unit === 'week')
    return instantOf({ year, month, day: day + count * (unit === 'week' ? 7 : 1), ...clock }, zone) + rest;
  const first = new Date(Date.UTC(year, month - 1 + (unit === 'month' ? count : 12 * count), 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const date = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: Math.min(day, days) };
  return instantOf({ ...date, ...clock }, zone) + rest;
}

/** The range to compare with. */
export function earlierSpan({ from, to }: Span, by: Comparison, zone: string): Span {
  if (by === 'previous') return { from: from - (to - from), to: from };
  return { from: moved(from, by, -1, zone), to: moved(to, by, -1, zone) };
}

/** Points of the earlier range where those of the range itself are, so that both can be drawn over each other. */
export function movedOn(
  points: SeriesPoints,
  { from, to }: Span,
  by: Comparison,
  zone: string,
): SeriesPoints {
  const place = by === 'previous' ? (at: number) => at + (to - from) : (at: number) => moved(at, by, 1, zone);
  const { partial, ...whole } = points;
  return {
    ...whole,
    ...risingOnly(points, points.times.map(place)),
    ...(partial && { partial: partial.map(place) }),
  };
}

/** Two days of one month may lead to one of another; then the first stays. */
function risingOnly({ min, avg, max }: SeriesPoints, times: number[]) {
  const kept = times.flatMap((at, i) =>
    i === 0 || at > Math.max(...times.slice(Math.max(0, i - 3), i)) ? [i] : [],
  );
  const pick = <T>(all: readonly T[]) => kept.map((i) => all[i] as T);
  return { times: pick(times), min: pick(min), avg: pick(avg), max: pick(max) };
}
