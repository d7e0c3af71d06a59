/** What is made of the values of a bucket. An average weighs by time, a difference adds up what a counter counted. */
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
