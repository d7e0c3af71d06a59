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
