/** Calendar intervals by their text: those that divide the next larger unit, from a minute to a year. */
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  m: [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30],
  h: [1, 2, 3, 4, 6, 8, 12],
  d: [1],
  w: [1],
  M: [1, 2, 3, 4, 6],
  y: [1],
};

/** Those that people choose from. Source: specification 1, section 9. */
export const AGGREGATION_INTERVALS = [
  ...(['1m', '2m', '5m', '10m', '15m', '30m'] as const),
  ...(['1h', '6h', '12h', '1d', '1w', '1M', '1y'] as const),
] as const;

export type IntervalUnit = 'm' | 'h' | 'd' | 'w' | 'M' | 'y';

export interface Interval {
  count: number;
  unit: IntervalUnit;
}

/** `15m`, `6h`, `1d`, `1w`, `1M` or `1y`; null for what is no interval. */
export function parseInterval(text: string): Interval | null {
  const match = /^(\d{1,2})([mhdwMy])$/.exec(text);
  if (!match) return null;
  const [count, unit] = [Number(match[1]), match[2] as IntervalUnit];
  return COUNTS[unit]?.includes(count) ? { count, unit } : null;
}

export const isInterval = (text: string): boolean => parseInterval(text) !== null;

const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<IntervalUnit, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1440 * MINUTE_MS,
  w: 10_080 * MINUTE_MS,
  M: 43_800 * MINUTE_MS,
  y: 525_600 * MINUTE_MS,
};
const CHOICES = ['1m', '2m', '5m', '10m', '15m', '30m', '1h', '2h', '6h', '12h', '1d', '1w', '1M'] as const;

/** The shortest calendar interval that cuts a range of `spanMs` into at most `maxPoints`. */
export function intervalFor(spanMs: number, maxPoints: number): string {
  return CHOICES.find((one) => spanMs / lengthOf(one) <= maxPoints) ?? '1y';
}

/** About how long an interval is, ms: months and years have no length of their own. */
export function lengthOf(interval: string): number {
  const parsed = parseInterval(interval);
  return parsed ? parsed.count * UNIT_MS[parsed.unit] : MINUTE_MS;
}
