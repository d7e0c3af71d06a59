/** What is made of the values of a bucket. An average weighs by time, a difference is what a counter counted, as KPIs say it. */
export const SERIES_FUNCTIONS = [
  'average',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'difference',
  'stdDeviation',
] as const;
export type SeriesFunction = (typeof SERIES_FUNCTIONS)[number];

/** Grows with the length of the interval: half a day has half of it, so a partial interval is not a true minimum. */
export const growsWithTime = (of: SeriesFunction): boolean =>
  of === 'sum' || of === 'count' || of === 'difference';
