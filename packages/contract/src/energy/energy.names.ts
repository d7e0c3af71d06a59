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

/**
 * The columns of each report, in their order. Energies are those of the time; `performance` is energy over expected
 * energy, `peers` specific yield over the median of those with like orientation, `band` is `within`, `under` or `over`,
 * `basis` is `ac` or `dc`, `below` how many inverters gave less than 80 % of what was expected of them.
 */
export const REPORT_COLUMNS = {
  energy: { production: 'energy', estimate: 'energy', meter: 'energy', budget: 'energy' },
  'daily-energy': {
    production: 'energy',
    expected: 'energy',
    performance: 'ratio',
    below: 'count',
    inverters: 'count',
    wholeDays: 'count',
    specificYield: 'yield',
    meter: 'energy',
    budget: 'energy',
  },
  'performance-ratio': {
    production: 'energy',
    meter: 'energy',
    deviation: 'ratio',
    band: 'text',
    estimate: 'energy',
    performance: 'ratio',
    budget: 'energy',
    budgetIndex: 'ratio',
    performanceRatio: 'ratio',
  },
  'daily-energy-anomalies': {
    rule: 'text',
    value: 'count',
    expected: 'count',
    unit: 'text',
    severity: 'text',
    decision: 'text',
  },
  'capacity-factor': { production: 'energy', rating: 'power', basis: 'text', capacityFactor: 'ratio' },
  'inverter-performance': {
    production: 'energy',
    expected: 'energy',
    performance: 'ratio',
    peers: 'ratio',
    specificYield: 'yield',
    efficiency: 'ratio',
    europeanEfficiency: 'ratio',
    cecEfficiency: 'ratio',
    availability: 'ratio',
    contractualAvailability: 'ratio',
    below: 'count',
    inverters: 'count',
  },
  'iec-performance-ratio': {
    production: 'energy',
    irradiation: 'irradiation',
    referenceYield: 'yield',
    arrayYield: 'yield',
    finalYield: 'yield',
    captureLoss: 'yield',
    systemLoss: 'yield',
    performanceRatio: 'ratio',
    performanceRatio25: 'ratio',
    performanceRatioWeather: 'ratio',
    completeness: 'ratio',
    degradation: 'ratio',
  },
} as const satisfies Record<EnergyReportName, Record<string, string>>;

/** An inverter below this part of its estimate is counted in the column `below`. */
export const BELOW_ESTIMATE = 0.8;
