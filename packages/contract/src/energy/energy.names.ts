/** The reports, by the last word of their screens below `/report`. Source: specification 1, section 2. */
export const ENERGY_REPORTS = [
  'energy',
  'daily-energy',
  'performance-ratio',
  'daily-energy-anomalies',
  'capacity-factor',
  'inverter-performance',
  'iec-performance-ratio',
] as const;
export type EnergyReportName = (typeof ENERGY_REPORTS)[number];

/** The configurations, by the last word of their screens below `/admin/reports`. */
export const ENERGY_CONFIGS = [
  'daily-energy-config',
  'performance-ratio-config',
  'capacity-factor-config',
  'meter-data-config',
  'availability-config',
  'iec-perf-ratio-config',
  'mppt-extract-config',
] as const;
export type EnergyConfigName = (typeof ENERGY_CONFIGS)[number];

/** How the energy of a day is told from a stream, in the order in which methods are tried. */
export const ENERGY_METHODS = ['totalEnergy', 'dailyEnergy', 'powerCurve'] as const;
export type EnergyMethod = (typeof ENERGY_METHODS)[number];

export const REPORT_GRANULARITIES = ['day', 'week', 'month', 'year'] as const;
export type ReportGranularity = (typeof REPORT_GRANULARITIES)[number];

/** How long the time is that a meter reading or a budget stands for. */
export const METER_GRANULARITIES = ['15m', '30m', 'hour', 'day', 'month'] as const;
export type MeterGranularity = (typeof METER_GRANULARITIES)[number];

/** What a meter code counts; production alone reconciles with inverters. */
export const METER_COUNTS = ['production', 'export', 'import'] as const;

export const ENERGY_LIMITS = {
  /** Keys of one upload of readings or budgets. Source: specification 2, section 14. */
  keys: 500,
  codes: 2000,
  sites: 2000,
  /** Days that one report covers. */
  days: 3700,
  importBytes: 100 * 1024 * 1024,
  recipients: 50,
} as const;
