import { type Interval, type IntervalUnit, parseInterval } from '@albedo/contract/telemetry/intervals';
import type { SeriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import type { Bound } from './telemetry.columns.ts';
import { Cuts } from './telemetry.cuts.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths of buckets: they divide the day, so that zooming does not move their edges. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 4, 5, 6, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((n) => n * DAY),
];

const UNIT_MS: Record<IntervalUnit, number> = {
  m: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  M: 30 * DAY,
  y: 365 * DAY,
};

/** Where buckets begin and end. Units: epoch ms. */
export interface Grid {
  /** Width; of calendar intervals about their width. */
  stepMs: number;
  /** The width where all are as wide and none begins elsewhere for another span; else null. */
  equalMs: number | null;
  /** Whether buckets begin at whole hours of UTC. */
  isOfHours: boolean;
  /** Beginning of the bucket of an instant, Float64; `ms` is an expression of Int64. */
  sql(ms: string, bound: Bound): string;
  /** Where the bucket of an instant begins. */
  startOf(at: number): number;
  /** Where the bucket that begins at `start` ends. */
  endOf(start: number): number;
  /** Near the middle of a span, an edge. */
  edgeIn(span: Span): number;
}

export type Span = Pick<SeriesQuery, 'from' | 'to'>;

/** The width of at most `maxPoints` equal buckets over a span, at least `leastMs`. */
export function stepOf({ from, to }: Span, maxPoints: number, leastMs = 0): number {
  const least = Math.max(leastMs, (to - from) / maxPoints);
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;
}

export function equalGrid(stepMs: number): Grid {
  return {
    stepMs,
    equalMs: stepMs,
    isOfHours: stepMs % HOUR === 0,
    sql: (ms, bound) => {
      const step = bound.add(stepMs, 'Int64');
      return `toFloat64(intDiv(${ms}, ${step}) * ${step})`;
    },
    startOf: (at) => Math.floor(at / stepMs) * stepMs,
    endOf: (start) => start + stepMs,
    edgeIn: ({ from, to }) => Math.round((from + to) / 2 / stepMs) * stepMs,
  };
}

/** Days and what is longer are as long as the clocks of the zone say. `interval` is one of the contract's. */
export function calendarGrid(interval: string, span: Span, zone: string): Grid {
  const parsed = parseInterval(interval) as Interval;
  const cuts = new Cuts(parsed, span, zone);
  const stepMs = parsed.count * UNIT_MS[parsed.unit];
  return {
    stepMs,
    equalMs: null,
    isOfHours: cuts.isOfHours,
    sql: (ms, bound) => cuts.sql(ms, bound),
    startOf: (at) => cuts.startOf(at),
    endOf: (start) => cuts.endOf(start) ?? start + stepMs,
    edgeIn: ({ from, to }) => cuts.startOf((from + to) / 2),
  };
}
