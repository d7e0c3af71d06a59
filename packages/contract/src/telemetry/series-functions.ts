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

/** Made of an interval's length too: half a day has half of it. What is cut off is no smallest value then. */
export const growsWithTime = (of: SeriesFunction): boolean =>
  of === 'sum' || of === 'count' || of === 'difference';
