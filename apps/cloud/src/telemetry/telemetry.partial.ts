import { growsWithTime, type SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Grid, Span } from './telemetry.series-grid.ts';

/** How points were cut. `now` is epoch ms. */
export interface Cut {
  grid: Pick<Grid, 'startOf' | 'endOf'>;
  span: Span;
  function: SeriesFunction;
  now: number;
}

/** Of what does not grow with time, shorter intervals are not told apart, ms. */
const TOLD_MS = 3_600_000;

/** The points with those named whose interval is not whole, and figures of what grows with time without them. */
export function withPartial(points: SeriesPoints, { grid, span, function: of, now }: Cut): SeriesPoints {
  const { times, stepMs } = points;
  const [first, last] = [times[0], times.at(-1)];
  if (stepMs === 0 || first === undefined || last === undefined) return points;
  const grows = growsWithTime(of);
  // A mean of a part of some minutes is as good as one of all of them.
  const isTold = grows || stepMs >= TOLD_MS;
  const isPartial = (at: number): boolean => {
    const end = grid.endOf(at);
    return (isTold && at <= now && now < end) || (grows && (at < span.from || span.to < end));
  };
  const partial = [...new Set([first, grid.startOf(Math.min(now, last)), last])]
    .filter((at) => times.includes(at) && isPartial(at))
    .sort((a, b) => a - b);
  return partial.length === 0 ? points : leavingOut({ ...points, partial }, grows);
}

/** Figures of what is whole alone, where parts of intervals say nothing about the others. */
export function leavingOut(points: SeriesPoints, grows: boolean): SeriesPoints {
  const { partial = [], times, avg, stats } = points;
  if (!grows || partial.length === 0) return points;
  const known = avg.filter((value, i) => value !== null && !partial.includes(times[i] ?? Number.NaN));
  const whole = known.filter((value) => value !== null);
  if (whole.length === 0) return { ...points, stats: { ...stats, min: null, avg: null, max: null } };
  return {
    ...points,
    stats: {
      ...stats,
      min: whole.reduce((a, b) => Math.min(a, b)),
      avg: whole.reduce((total, value) => total + value, 0) / whole.length,
      max: whole.reduce((a, b) => Math.max(a, b)),
    },
  };
}
