import { growsWithTime, type SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Grid, Span } from './telemetry.series-grid.ts';

/** How a series was cut into intervals. `now` is epoch ms. */
export interface Cut {
  grid: Pick<Grid, 'startOf' | 'endOf'>;
  span: Span;
  function: SeriesFunction;
  now: number;
}

/** For functions that do not grow with time, shorter intervals never count as partial, ms. */
const TOLD_MS = 3_600_000;

/** Marks the points whose interval is not whole; statistics of what grows with time leave these out. */
export function withPartial(points: SeriesPoints, { grid, span, function: of, now }: Cut): SeriesPoints {
  const { times, stepMs } = points;
  const [first, last] = [times[0], times.at(-1)];
  if (stepMs === 0 || first === undefined || last === undefined) return points;
  const grows = growsWithTime(of);
  // The mean over a part of a few minutes is as good as that over all of them.
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

/** Statistics of whole intervals only, if the value grows with time. */
export function leavingOut(points: SeriesPoints, grows: boolean): SeriesPoints {
  const { partial = [], times, avg, stats } = points;
  if (!grows || partial.length === 0) return points;
  const whole = avg
    .filter((_, i) => !partial.includes(times[i] ?? Number.NaN))
    .filter((value) => value !== null);
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
