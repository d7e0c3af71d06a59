import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import type { ValueFunction } from '@albedo/contract/boards/widgets/value-functions';
import { combineValues } from '@albedo/contract/telemetry/combine-values';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { useContext, useMemo } from 'react';
import { zoneOf } from '../../app/entity-zone.ts';
import { useIsArriving } from '../../app/filling.ts';
import { useNow } from '../../app/now.ts';
import { useSpan } from '../../app/series/use-span.ts';
import {
  rangeFromText,
  rangeLabel,
  rangeToText,
  resolveRange,
  type Span,
} from '../../ui/time-range/time-range.ts';
import { InSight, useAnswer, useBoard } from './board-context.ts';
import type { Line } from './lines.ts';
import { type Latest, useLatest } from './live-values.ts';
import { useOrigin } from './origins.ts';

/** Older than this a newest value takes no part in a sum, and is called old where it stands alone, ms. */
export const STALE_MS = 15 * 60_000;

/** What a line comes to. */
export interface Figure {
  line: Line;
  value: number | string | null;
  /** When it was measured; null of what is made of a range. */
  at: number | null;
  isStale: boolean;
  /** How many of the line's streams took part. */
  of: { counted: number; all: number };
  points: SeriesPoints | null;
}

export interface Figures {
  figures: Figure[];
  /** The range is that of each site by its own clock, and they are not the same. */
  isSiteTime: boolean;
  isPending: boolean;
  /** Part of the range is still being filled in, so only the newest values are shown. */
  isArriving: boolean;
  error: Error | null;
  retry: () => void;
  isRefreshing: boolean;
}

/** The range of a widget: its own where it has one, else that of the board. */
export function useOwnSpan(range: string | undefined): Span {
  const { span, zone } = useBoard();
  const own = useMemo(() => rangeFromText(range), [range]);
  const ownSpan = useSpan(
    {
      range: own ?? { kind: 'absolute', ...span },
      zone,
      isRefreshing: own !== null && own.kind !== 'absolute',
    },
    zone,
  );
  return own ? ownSpan : span;
}

/** The range of a widget by its name, where it is another one than the board's; undefined where it is the same. */
export function useOwnRangeName(text: string | undefined): string | undefined {
  const { range, zone } = useBoard();
  const own = rangeFromText(text);
  return own && rangeToText(own) !== rangeToText(range) ? rangeLabel(own, zone) : undefined;
}

interface Wish {
  lines: readonly Line[];
  fn: ValueFunction;
  range?: string | undefined;
  /** Points over the range too, about so many; 0 for none. */
  trendPoints?: number;
  interval?: string | undefined;
}

/** What lines come to, now or over a range. */
export function useFigures({ lines, fn, range, trendPoints = 0, interval }: Wish): Figures {
  const { live, zone } = useBoard();
  const isInSight = useContext(InSight);
  useOrigin(lines, fn, range);
  const span = useOwnSpan(range);
  const now = useNow(30_000);
  const isLatest = fn === 'latest';
  const streams = useMemo(() => lines.flatMap((line) => line.streams), [lines]);
  const latest = useLatest(live, isLatest ? streams : NONE, isInSight);
  const wantsPoints = lines.length > 0 && (!isLatest || trendPoints > 0);
  const question = wantsPoints
    ? questionOf(lines, {
        span,
        zone,
        fn: isLatest ? 'average' : fn,
        maxPoints: trendPoints || 60,
        interval: interval === 'auto' ? undefined : interval,
      })
    : null;
  const answer = useAnswer(question);
  const points = answer.data?.points;
  const spans = useSiteSpans(isLatest ? NONE : streams, range, span);
  const ofSites = useAnswer(
    spans && !isLatest ? questionOf(lines.flatMap(alone), { span, zone, fn, maxPoints: 60, spans }) : null,
  );
  const parts = ofSites.data?.points;
  const from = Math.min(span.from, ...(spans ?? []).map(({ from }) => from));
  const isArriving = useIsArriving(from);
  const figures = useMemo(() => {
    let at = 0;
    return lines.map((line, i): Figure => {
      const own = latest.slice(at, at + line.streams.length);
      const ofSite = parts?.slice(at, at + line.streams.length);
      at += line.streams.length;
      const ofLine = points?.[i] ?? null;
      if (isLatest) return { ...newestOf(line, own, now), points: isArriving ? null : ofLine };
      const all = line.streams.length;
      if (isArriving)
        return { line, value: null, at: null, isStale: false, of: { counted: 0, all }, points: null };
      const value = spans ? togetherOf(ofSite ?? [], line, fn) : ofLine && totalOf(ofLine, fn);
      return { line, value, at: null, isStale: false, of: { counted: all, all }, points: ofLine };
    });
  }, [lines, latest, points, spans, parts, isLatest, isArriving, fn, now]);
  const isUnknown = isLatest && streams.length > 0 && latest.every((one) => one === undefined);
  const told = spans ? ofSites : answer;
  return {
    figures,
    isSiteTime: spans !== null,
    isArriving,
    isPending: isLatest ? isUnknown : told.isPending && question !== null,
    error: isLatest ? null : told.error,
    retry: () => void told.refetch(),
    isRefreshing: told.isFetching && told.isPlaceholderData,
  };
}

/**
 * The range of each stream by the clock of its site; null where the board goes by one clock, or where that comes to the
 * same. Today is another day in Lisbon than in Auckland; an hour and what somebody zoomed to are the same everywhere.
 */
export function useSiteSpans(
  streams: Line['streams'],
  own: string | undefined,
  span: Span,
): readonly Span[] | null {
  const { isSiteTime, range, byId, zone } = useBoard();
  return useMemo(() => {
    const chosen = rangeFromText(own) ?? range;
    if (!isSiteTime || chosen.kind !== 'preset' || streams.length === 0) return null;
    const now = Date.now();
    const zones = streams.map(({ entity }) => zoneOf({ byId }, entity) ?? zone);
    if (zones.every((one) => one === zone)) return null;
    const spans = new Map(zones.map((one) => [one, resolveRange(chosen, now, one)]));
    return zones.map((one) => spans.get(one) ?? span);
  }, [isSiteTime, range, byId, zone, streams, own, span]);
}

/** Each stream of a line as a line of its own. */
const alone = (line: Line): Line[] =>
  line.streams.map((stream) => ({ ...line, streams: [stream], combine: 'sum' }));

/** What a line's streams come to, each over a range of its own; null where none has a value. */
function togetherOf(
  parts: readonly SeriesPoints[],
  { combine }: Line,
  fn: Exclude<ValueFunction, 'latest'>,
): number | null {
  const totals = parts.map((points) => totalOf(points, fn)).filter((value) => value !== null);
  return totals.length === 0 ? null : combineValues(totals, combine);
}

const NONE: Line['streams'] = [];

/** The question for the points of lines, in their order. */
export function questionOf(
  lines: readonly Line[],
  of: {
    span: Span;
    zone: string;
    fn: Exclude<ValueFunction, 'latest'>;
    maxPoints: number;
    interval?: string | undefined;
    /** Ranges of their own, one for each line. */
    spans?: readonly Span[] | undefined;
    /** And the clocks that cut their intervals. */
    clocks?: readonly string[] | undefined;
  },
): BoardQuestionInput {
  const { span, zone, fn, maxPoints, interval, spans, clocks } = of;
  return {
    id: 'series',
    kind: 'series',
    ...span,
    series: lines.map(({ streams, combine }, index) => ({
      streams: streams.map(({ deviceId: device, table, source, field, factor, offset }) => ({
        ...{ device, table, source, field, factor, offset },
      })),
      combine,
      ...(spans?.[index] && { span: spans[index] }),
      ...(clocks?.[index] && { timezone: clocks[index] }),
    })),
    maxPoints,
    ...(interval === undefined ? {} : { interval }),
    timezone: zone,
    function: fn,
  };
}

/** The newest values of a line's streams as one. Old ones count only where all are old. */
function newestOf(line: Line, latest: readonly (Latest | undefined)[], now: number): Omit<Figure, 'points'> {
  const all = line.streams.length;
  const known = latest.flatMap((one, i) => {
    const stream = line.streams[i];
    if (!one || one.value === null || !stream) return [];
    const value = typeof one.value === 'number' ? one.value * stream.factor + stream.offset : one.value;
    return [{ value, eventAt: one.eventAt }];
  });
  const fresh = known.filter(({ eventAt }) => now - eventAt <= STALE_MS);
  const used = fresh.length > 0 ? fresh : known;
  const of = { counted: fresh.length, all };
  const [first] = used;
  if (!first) return { line, value: null, at: null, isStale: false, of };
  const at = Math.max(...used.map(({ eventAt }) => eventAt));
  const isStale = fresh.length === 0;
  if (used.length === 1 && all === 1) return { line, value: first.value, at, isStale, of };
  const numbers = used.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const value = numbers.length === 0 ? first.value : combineValues(numbers, line.combine);
  return { line, value, at, isStale, of };
}

/** What points come to over their whole range. */
export function totalOf({ avg, stats }: SeriesPoints, fn: Exclude<ValueFunction, 'latest'>): number | null {
  const known = avg.filter((value) => value !== null);
  if (known.length === 0) return null;
  switch (fn) {
    case 'sum':
    case 'count':
    case 'difference':
      return known.reduce((sum, value) => sum + value, 0);
    case 'min':
      return stats.min;
    case 'max':
      return stats.max;
    case 'first':
      return known[0] ?? null;
    case 'last':
      return known.at(-1) ?? null;
    default:
      return stats.avg;
  }
}
