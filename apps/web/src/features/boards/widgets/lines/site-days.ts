import { parseInterval } from '@albedo/contract/telemetry/intervals';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { useMemo } from 'react';
import { zoneOf } from '../../../../app/entity-zone.ts';
import { rangeFromText, resolveRange, type Span } from '../../../../ui/time-range/time-range.ts';
import { instantOf, wallTime } from '../../../../ui/time-range/zoned-time.ts';
import { useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';

/** How a chart has the days of each site by its own clock, over one another on the board's axis. */
export interface SiteDays {
  /** Of each line: its clock, and the range by it. */
  clocks: readonly string[];
  spans: readonly Span[];
  /** What the axis covers: the ranges of all lines as their clocks read. */
  axis: Span;
}

/**
 * Null where the board goes by one clock, where that comes to the same, and where intervals are shorter than a day: an hour
 * is the same everywhere. A line of several clocks has no day of its own.
 */
export function useSiteDays(
  lines: readonly Line[],
  range: string | undefined,
  interval: string,
  span: Span,
): SiteDays | null {
  const { isSiteTime, range: ofBoard, byId, zone } = useBoard();
  return useMemo(() => {
    const chosen = rangeFromText(range) ?? ofBoard;
    if (!isSiteTime || chosen.kind !== 'preset' || !isOfDays(interval)) return null;
    const clocks = lines.map(({ streams }) => {
      const own = new Set(streams.map(({ entity }) => zoneOf({ byId }, entity) ?? zone));
      return own.size === 1 ? ([...own][0] ?? zone) : null;
    });
    if (!clocks.every((clock) => clock !== null) || clocks.every((clock) => clock === zone)) return null;
    const now = Date.now();
    const spans = clocks.map((clock) => resolveRange(chosen, now, clock));
    const read = spans.map(({ from, to }, i) => {
      const clock = clocks[i] ?? zone;
      return { from: asRead(from, clock, zone), to: asRead(to, clock, zone) };
    });
    const axis = {
      from: Math.min(span.from, ...read.map(({ from }) => from)),
      to: Math.max(span.to, ...read.map(({ to }) => to)),
    };
    return { clocks, spans, axis };
  }, [lines, range, ofBoard, interval, isSiteTime, byId, zone, span]);
}

/** The points where the board's clock reads what that of their site did. */
export const pointsAsRead = (points: SeriesPoints, clock: string, zone: string): SeriesPoints =>
  clock === zone
    ? points
    : {
        ...points,
        times: points.times.map((at) => asRead(at, clock, zone)),
        ...(points.partial && { partial: points.partial.map((at) => asRead(at, clock, zone)) }),
      };

const asRead = (at: number, clock: string, zone: string): number => instantOf(wallTime(at, clock), zone);

const isOfDays = (interval: string): boolean => 'dwMy'.includes(parseInterval(interval)?.unit ?? '-');
