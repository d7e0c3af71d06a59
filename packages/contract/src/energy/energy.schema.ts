import { z } from 'zod';
import { csvStyleText } from '../csv/csv-style.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { energyIssues } from './energy.errors.ts';
import {
  ENERGY_CONFIGS,
  ENERGY_METHODS,
  ENERGY_REPORTS,
  METER_GRANULARITIES,
  REPORT_GRANULARITIES,
} from './energy.names.ts';
import { meterCode } from './energy-config.schema.ts';

export const onReport = inWorkgroup.extend({ report: z.enum(ENERGY_REPORTS) });
export const onEnergyConfig = inWorkgroup.extend({ config: z.enum(ENERGY_CONFIGS) });

/** A calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date();

/**
 * What a report is about: `portfolio`, `site:<id of a meter site or an entity>`, `device:<id>` or
 * `source:<device>/<table>/<source>`. Rows are what stands one level below it.
 */
export const reportScope = z
  .string()
  .max(900)
  .regex(/^(portfolio|(site|device|source):.+)$/, energyIssues['issue.energy_scope']);

export const reportQuestion = z.strictObject({
  /** First and last day, both included, by the clock of the configuration. */
  from: day,
  to: day,
  granularity: z.enum(REPORT_GRANULARITIES).default('day'),
  scope: reportScope.default('portfolio'),
  /** Whether the same length of time before it stands beside it. */
  compare: z.enum(['none', 'before', 'yearBefore']).default('none'),
  format: z.enum(['json', 'csv']).default('json'),
  /** How the file is written, as JSON. */
  csvStyle: csvStyleText.optional(),
});
export type ReportQuestion = z.output<typeof reportQuestion>;

/** What a figure is, so that screens and files write it alike. Energies in kWh, ratios as parts of 1, yields in hours. */
export const FIGURE_KINDS = {
  energy: 'kWh',
  ratio: '',
  yield: 'kWh/kWp',
  irradiation: 'kWh/m²',
  power: 'kW',
  temperature: '°C',
  count: '',
  text: '',
} as const;
export type FigureKind = keyof typeof FIGURE_KINDS;

/** Why there is no figure, or what it must not be taken for. Screens have a sentence for each. */
export const REPORT_REASONS = [
  'noEnergy',
  'noIrradiance',
  'noRating',
  'noTemperature',
  'noReference',
  'noMeter',
  'noBudget',
  'noEstimate',
  'noPeers',
  'tooLittleLight',
  'emptyPowerBin',
  'horizontalSensor',
  'beyondRating',
  'estimated',
  'lowCoverage',
  'dayNotOver',
  'clearSky',
  'frontSideOnly',
  'irradianceFloor',
  'notConfigured',
  'excluded',
  'overridden',
  'curtailed',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
const reason = z.enum(REPORT_REASONS);

const figures = z.record(z.string(), z.union([z.number(), z.string()]).nullable());

/** `values` by column; a column that has no value has its reason in `reasons`, one that is marked has its mark there. */
const reportRow = z.object({
  /** The scope that leads to what stands below it. */
  scope: reportScope,
  level: z.enum(['site', 'device', 'source', 'day', 'finding']),
  name: z.string(),
  deviceId: z.string().nullable(),
  table: z.string().nullable(),
  source: z.string().nullable(),
  day: z.string().nullable(),
  values: figures,
  reasons: z.record(z.string(), reason),
  /** Hours in which power was limited, which ratios to light and to the estimate leave out; null for none. */
  curtailedHours: z.number().nullable(),
});
export type ReportRow = z.output<typeof reportRow>;

const reportColumn = z.object({
  key: z.string(),
  kind: z.enum(Object.keys(FIGURE_KINDS) as [FigureKind, ...FigureKind[]]),
  units: z.string(),
});
export type ReportColumn = z.output<typeof reportColumn>;

/** A report. Days and periods are `YYYY-MM-DD`, the first day of each. */
export const energyReport = z.object({
  report: z.enum(ENERGY_REPORTS),
  from: day,
  to: day,
  granularity: z.enum(REPORT_GRANULARITIES),
  /** `UTC`, a zone, or `device`. */
  timezone: z.string(),
  /** Whether rows of the portfolio are sites of meters, entities or devices. */
  listed: z.enum(['meterSites', 'devices', 'sources', 'days']),
  /** From the portfolio down to what was asked for. */
  path: z.array(z.object({ scope: reportScope, name: z.string() })),
  columns: z.array(reportColumn),
  rows: z.array(reportRow),
  total: z.object({ values: figures, reasons: z.record(z.string(), reason) }),
  /** The total of the time it is compared with; null where none was asked for. */
  before: z.object({ from: day, to: day, values: figures, reasons: z.record(z.string(), reason) }).nullable(),
  periods: z.array(day),
  /** Series of the total over the periods, by column; null where a period has no value. */
  series: z.array(z.object({ key: z.string(), values: z.array(z.number().nullable()) })),
  /** What stands beside the figures of the whole report, such as the irradiance floor with its value. */
  notes: z.array(z.object({ reason, value: z.number().nullable(), names: z.array(z.string()) })),
  /** What is not set yet, so that the report is empty or in parts: the configuration that sets it, and for what. */
  missing: z.array(z.object({ reason, config: z.enum(ENERGY_CONFIGS), names: z.array(z.string()) })),
  /** When the newest day was computed, epoch ms; null before the first time. */
  computedAt: z.number().nullable(),
});
export type EnergyReport = z.output<typeof energyReport>;

/** A configuration as it is kept. `value` follows the schema of its name; `version` rises with each save, 0 before it. */
export const energyConfig = z.object({ version: z.number().int(), value: z.unknown() });
export const energyConfigChange = z.strictObject({
  value: z.unknown(),
  /** The version that was read; another one since then answers 409. */
  version: z.number().int().min(0).optional(),
});

/** What yesterday would be with a configuration that is not saved, and what is lacking. */
export const energyConfigPreview = z.object({
  day,
  rows: z.array(
    z.object({
      deviceId: z.string(),
      device: z.string(),
      table: z.string().nullable(),
      source: z.string().nullable(),
      method: z.enum(ENERGY_METHODS).nullable(),
      /** Energy for the daily one, the ratio, the factor or the part of time of the others. */
      value: z.number().nullable(),
      expected: z.number().nullable(),
      coverage: z.number().nullable(),
      reason: reason.nullable(),
    }),
  ),
  lacking: z.array(z.object({ deviceId: z.string(), device: z.string(), roles: z.array(z.string()) })),
});
export type EnergyConfigPreview = z.output<typeof energyConfigPreview>;

/** The energy of a source on a day as it is kept. */
export const energyDay = z.object({
  day,
  deviceId: z.string(),
  table: z.string(),
  source: z.string(),
  method: z.enum(ENERGY_METHODS),
  energyKWh: z.number(),
  samples: z.number().int(),
  /** Part of the day's time that readings cover, 0..1. */
  coverage: z.number(),
  firstTime: z.number(),
  lastTime: z.number(),
  expectedKWh: z.number().nullable(),
  marks: z.array(reason),
  review: z
    .object({
      decision: z.enum(['accept', 'override', 'exclude']),
      energyKWh: z.number().nullable(),
      reason: z.string(),
      by: z.string(),
      at: z.number(),
    })
    .nullable(),
});
export type EnergyDay = z.output<typeof energyDay>;

export const energyDaysQuestion = z.strictObject({ from: day, to: day, scope: reportScope });

/** What somebody decided of a day that was found. What was computed stays beside it. */
export const dayReview = z.strictObject({
  deviceId: z.uuid(),
  table: z.string().min(1).max(200),
  source: z.string().max(400),
  day,
  decision: z.enum(['accept', 'override', 'exclude']).nullable(),
  energyKWh: z.number().min(0).max(1e9).optional(),
  reason: z.string().trim().max(500).default(''),
});

export const recompute = z.strictObject({ from: day, to: day, scope: reportScope.default('portfolio') });

/** `<code>|<ISO start>` to kWh, and `__granularity`; each key stands in the place of what it was. */
export const meterData = z.record(z.string().min(1).max(200), z.union([z.number(), z.string()]));
/** `<device or site>|<YYYY-MM>` to kWh, or to what else is planned for the month. */
export const budgetData = z.record(
  z.string().min(1).max(300),
  z.union([
    z.number(),
    z.strictObject({
      energyKWh: z.number(),
      performanceRatio: z.number().optional(),
      irradiationKWhM2: z.number().optional(),
    }),
  ]),
);
export const stored = z.object({ stored: z.number().int() });

export const meterReading = z.object({
  code: meterCode,
  /** Start of the interval, epoch ms. */
  at: z.number(),
  granularity: z.enum(METER_GRANULARITIES),
  energyKWh: z.number(),
  marks: z.array(reason),
});
export const meterDataQuestion = z.strictObject({
  from: day,
  to: day,
  code: meterCode.optional(),
  after: z.string().max(300).optional(),
});
export const meterReadings = z.object({ readings: z.array(meterReading), next: z.string().nullable() });

export const budget = z.object({
  /** Id of the device or the meter site. */
  subject: z.string(),
  month: z.string(),
  energyKWh: z.number(),
  performanceRatio: z.number().nullable(),
  irradiationKWhM2: z.number().nullable(),
});
export const budgets = z.object({ budgets: z.array(budget), next: z.string().nullable() });
export const budgetQuestion = z.strictObject({
  from: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  to: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  after: z.string().max(300).optional(),
});

/** How a file of readings or budgets is read. Null: as it is found in the file, and asked where it can be both. */
export const energyImportPlan = z.strictObject({
  kind: z.enum(['meter', 'budget']),
  granularity: z.enum(METER_GRANULARITIES).nullable().default(null),
  /** Whether the times of the file are the start or the end of their intervals. */
  times: z.enum(['start', 'end']).nullable().default(null),
  decimal: z.enum(['.', ',']).nullable().default(null),
  timezone: z.string().max(64).nullable().default(null),
});
export type EnergyImportPlan = z.output<typeof energyImportPlan>;
/** What comes with the file: the plan as JSON. */
export const importBody = z.object({ plan: z.string().max(2000) });

export const energyImportFault = z.object({
  line: z.number().int(),
  /** Key of a sentence, and what it names. */
  fault: z.string(),
  data: z.record(z.string(), z.string()),
});

export const energyImportPreview = z.object({
  layout: z.enum(['long', 'wide']).nullable(),
  plan: energyImportPlan,
  /** What can be read in two ways and has to be said. */
  asks: z.array(z.enum(['granularity', 'times', 'decimal', 'timezone'])),
  readings: z.number().int(),
  replaces: z.number().int(),
  first: z.string().nullable(),
  last: z.string().nullable(),
  sample: z.array(z.object({ key: z.string(), energyKWh: z.number() })),
  faults: z.array(energyImportFault),
  faultCount: z.number().int(),
});
export type EnergyImportPreview = z.output<typeof energyImportPreview>;

export const energyImport = z.object({
  id: z.uuid(),
  name: z.string(),
  plan: energyImportPlan,
  readings: z.number().int(),
  by: z.string(),
  at: z.number(),
  undoneAt: z.number().nullable(),
});
export type EnergyImport = z.output<typeof energyImport>;
export const onEnergyImport = inWorkgroup.extend({ energyImport: z.uuid() });

/** What a person last looked at in each report: the search part of its address. */
export const reportSelections = z.partialRecord(z.enum(ENERGY_REPORTS), z.string().max(2000));
export const reportSelection = z.strictObject({ search: z.string().max(2000) });
