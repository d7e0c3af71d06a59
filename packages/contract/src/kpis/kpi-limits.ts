/** What one KPI and one answer may have. */
export const KPI_LIMITS = {
  /** In one workgroup. */
  kpis: 500,
  values: 40,
  /** Intervals of one series. */
  intervals: 3700,
  /** Streams that an answer lists for each value; the rest is only counted. */
  streams: 200,
  /** Excluded readings and restarts that it lists for each stream. */
  excludedReadings: 50,
  /** Entities of one call. */
  rows: 500,
} as const;
