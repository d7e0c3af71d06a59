import { intervalFor } from '@albedo/contract/telemetry/intervals';
import { growsWithTime } from '@albedo/contract/telemetry/series-functions';
import type { CombinedSeries, SeriesPoints, SeriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { combined, scaled } from './telemetry.combine.ts';
import type { SeriesAsked } from './telemetry.series.ts';

/** Streams that one question to the store may have. */
const STREAMS_AT_ONCE = 50;
/** What a question needs at least where no interval is asked for; a figure alone wants one or two points. */
const LEAST_POINTS = 10;

type Ask = (asked: SeriesAsked) => Promise<SeriesPoints[]>;

/**
 * Points of lines of one stream or of several, in their order.
 *
 * Lines of one stream keep every value, or the smallest and largest of each bucket, as a plain series does. What is
 * combined needs instants in common: without an interval it gets one of the calendar. Throws what `ask` throws.
 */
export async function readCombined(
  ask: Ask,
  lines: readonly CombinedSeries[],
  query: Omit<SeriesAsked, 'series' | 'formulas' | 'combined'>,
): Promise<SeriesPoints[]> {
  const { from, to, maxPoints, interval, timezone = 'UTC' } = query;
  const points: SeriesPoints[] = [];
  // What is cut by the same clock in the same way goes to the store together.
  const groups = Map.groupBy(lines.keys(), (place) => {
    const { streams = [], timezone: own = timezone } = lines[place] ?? {};
    return `${streams.length > 1} ${own}`;
  });
  for (const places of groups.values()) {
    const some = places.flatMap((place) => lines[place] ?? []);
    const [first] = some;
    if (!first) continue;
    const asked = { ...query, timezone: first.timezone ?? timezone };
    const cut = interval ?? intervalFor(to - from, maxPoints);
    const answers = await readLines(
      ask,
      some,
      first.streams.length > 1 ? { ...asked, interval: cut } : asked,
    );
    places.forEach((place, i) => {
      points[place] = answers[i] as SeriesPoints;
    });
  }
  return points;
}

async function readLines(
  ask: Ask,
  lines: readonly CombinedSeries[],
  query: Omit<SeriesAsked, 'series'>,
): Promise<SeriesPoints[]> {
  const fn = query.function ?? 'average';
  const streams = lines.flatMap(({ streams: own, span }) => own.map((stream) => ({ ...stream, span })));
  const found: SeriesPoints[] = [];
  for (let at = 0; at < streams.length; at += STREAMS_AT_ONCE) {
    const part = streams.slice(at, at + STREAMS_AT_ONCE);
    const series = part.map(({ factor: _factor, offset: _offset, ...key }) => key);
    const points = await ask({ ...query, maxPoints: Math.max(LEAST_POINTS, query.maxPoints), series });
    points.forEach((one, i) => {
      // A count has no unit that could be another one.
      const { factor, offset } =
        fn === 'count' ? { factor: 1, offset: 0 } : (part[i] ?? { factor: 1, offset: 0 });
      found.push(scaled(one, factor, isDifference(fn) ? 0 : offset));
    });
  }
  let at = 0;
  return lines.map(({ streams: own, combine, weights, span = query }) => {
    const points = found.slice(at, at + own.length);
    at += own.length;
    // Sums and the like are of their intervals: each counts once.
    return combined(
      points,
      combine,
      weights,
      fn === 'average' ? { range: span } : { grows: growsWithTime(fn) },
    );
  });
}

/** What stays the same wherever zero is. */
const isDifference = (fn: SeriesQuery['function']): boolean => fn === 'difference' || fn === 'stdDeviation';
