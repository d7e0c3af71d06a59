import type {
  EnergyMethod,
  EnergyReportName,
  METER_GRANULARITIES,
} from '@albedo/contract/energy/energy.names';
import type { EnergyImportPlan, ReportReason } from '@albedo/contract/energy/energy.schema';
import type { Counted } from '@albedo/energy/counters';
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });
const device = () =>
  uuid()
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' });
const instant = (name: string) => bigint(name, { mode: 'number' });

/** What light the figures of a day come from. */
export type DayLight = 'plane' | 'transposed' | 'horizontal' | 'clearSky';

/**
 * What reports add up, of a source on a day or of a device. Energies in kWh, irradiation in kWh/m². Gaps: null where
 * nothing is known.
 */
const sums = () => ({
  energyKWh: doublePrecision('energy_kwh'),
  dcKWh: doublePrecision('dc_kwh'),
  expectedKWh: doublePrecision('expected_kwh'),
  irradiationKWhM2: doublePrecision('irradiation_kwh_m2'),
  light: text().$type<DayLight>(),
  /** Ratings, and ratings times hours of the day, AC and DC. */
  ratedKW: doublePrecision('rated_kw'),
  ratedKWh: doublePrecision('rated_kwh'),
  peakKWh: doublePrecision('peak_kwh'),
  peakKWp: doublePrecision('peak_kwp'),
  /** P0·H of the whole day, and of the intervals that count; the energy of these; then of those with DC energy. */
  referenceKWh: doublePrecision('reference_kwh'),
  usedReferenceKWh: doublePrecision('used_reference_kwh'),
  usedKWh: doublePrecision('used_kwh'),
  usedDcKWh: doublePrecision('used_dc_kwh'),
  usedDcAcKWh: doublePrecision('used_dc_ac_kwh'),
  usedDcReferenceKWh: doublePrecision('used_dc_reference_kwh'),
  /** Of those intervals in which the temperature is known: energy, P0·H, and the sum of P0·G·T·τ. */
  warmKWh: doublePrecision('warm_kwh'),
  warmReferenceKWh: doublePrecision('warm_reference_kwh'),
  warmthKWhC: doublePrecision('warmth_kwh_c'),
  /** Hours of light that the ratios rest on, and hours that they lack. */
  usedHours: doublePrecision('used_hours'),
  missedHours: doublePrecision('missed_hours'),
  /** Hours in which it gave something or did not, all of them, and without what was agreed to be left out. */
  availableHours: doublePrecision('available_hours'),
  unavailableHours: doublePrecision('unavailable_hours'),
  contractAvailableHours: doublePrecision('contract_available_hours'),
  contractUnavailableHours: doublePrecision('contract_unavailable_hours'),
  lostKWh: doublePrecision('lost_kwh'),
  /** Hours that the ratios leave out as power was limited; of a device, those of the source that has most. */
  curtailedHours: doublePrecision('curtailed_hours'),
});
const SUMS = {
  energyKWh: yes,
  dcKWh: yes,
  expectedKWh: yes,
  irradiationKWhM2: yes,
  light: yes,
  ratedKW: yes,
  ratedKWh: yes,
  peakKWh: yes,
  peakKWp: yes,
  referenceKWh: yes,
  usedReferenceKWh: yes,
  usedKWh: yes,
  usedDcKWh: yes,
  usedDcAcKWh: yes,
  usedDcReferenceKWh: yes,
  warmKWh: yes,
  warmReferenceKWh: yes,
  warmthKWhC: yes,
  usedHours: yes,
  missedHours: yes,
  availableHours: yes,
  unavailableHours: yes,
  contractAvailableHours: yes,
  contractUnavailableHours: yes,
  lostKWh: yes,
  curtailedHours: yes,
} as const;

/** AC and DC energy in each class of power. */
export type PowerBins = (readonly [acKWh: number, dcKWh: number])[];

/** What the arithmetic of counters set right on a day; null where that is nothing. */
export type CounterFaults = Pick<Counted, 'excluded' | 'restarts'> | null;

/** The energy of each source on each day, with how it was told. */
export const energyDays = pgTable(
  'energy_days',
  {
    workgroup: workgroup(),
    device: device(),
    table: text('table_name').notNull(),
    source: text().notNull(),
    day: date().notNull(),
    method: text().$type<EnergyMethod>(),
    samples: integer().notNull(),
    coverage: doublePrecision().notNull(),
    firstAt: instant('first_at'),
    lastAt: instant('last_at'),
    ...sums(),
    /** By the integral of power, where another method told the energy. */
    powerCurveKWh: doublePrecision('power_curve_kwh'),
    /** Energy and expected energy of the hours in which power was limited. */
    curtailedKWh: doublePrecision('curtailed_kwh'),
    curtailedExpectedKWh: doublePrecision('curtailed_expected_kwh'),
    bins: jsonb().$type<PowerBins>(),
    counter: jsonb().$type<CounterFaults>(),
    azimuth: doublePrecision(),
    marks: jsonb().$type<ReportReason[]>().notNull(),
    /** Version of the rules that it was computed by. */
    rules: integer().notNull(),
    computedAt: instant('computed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.device, table.table, table.source, table.day] }),
    index('energy_days_by_day').on(table.workgroup, table.day),
  ],
);

/** The sources of a device together, with what people decided; what reports over many devices read. */
export const energyDeviceDays = pgTable(
  'energy_device_days',
  {
    workgroup: workgroup(),
    device: device(),
    day: date().notNull(),
    ...sums(),
    /** Energy and expected energy of those sources that have both. */
    pairedKWh: doublePrecision('paired_kwh'),
    pairedExpectedKWh: doublePrecision('paired_expected_kwh'),
    /** Energy of those sources that have a rating, beside the ratings of those that have energy: DC, then AC. */
    yieldKWh: doublePrecision('yield_kwh'),
    yieldPeakKWh: doublePrecision('yield_peak_kwh'),
    yieldPeakKWp: doublePrecision('yield_peak_kwp'),
    ratedEnergyKWh: doublePrecision('rated_energy_kwh'),
    energyRatedKWh: doublePrecision('energy_rated_kwh'),
    /** DC ratings of those sources that are in the reference, in the intervals that count, and in those with DC energy. */
    referencePeakKWp: doublePrecision('reference_peak_kwp'),
    usedPeakKWp: doublePrecision('used_peak_kwp'),
    usedDcPeakKWp: doublePrecision('used_dc_peak_kwp'),
    sources: integer().notNull(),
    counted: integer().notNull(),
    computedAt: instant('computed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.device, table.day] }),
    index('energy_device_days_by_day').on(table.workgroup, table.day),
  ],
);

/** Days of devices that are to be computed. */
export const energyWork = pgTable(
  'energy_work',
  {
    workgroup: workgroup(),
    device: device(),
    day: date().notNull(),
    /** Counts how often it was touched, so that what comes while it is computed is not forgotten. */
    touches: integer().notNull().default(1),
    attempts: integer().notNull().default(0),
    dueAt: instant('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.device, table.day] })],
);

/** How far the telemetry of a workgroup was looked through, by the time of storing, epoch ms. */
export const energyWatches = pgTable('energy_watches', {
  workgroup: workgroup().primaryKey(),
  storedAt: instant('stored_at').notNull(),
  /** What days of devices are computed by, as a hash, by device. */
  rules: jsonb().$type<Record<string, string>>().notNull(),
});

/** What people decided of days. */
export const energyReviews = pgTable(
  'energy_reviews',
  {
    workgroup: workgroup(),
    device: device(),
    table: text('table_name').notNull(),
    source: text().notNull(),
    day: date().notNull(),
    decision: text().$type<'accept' | 'override' | 'exclude'>().notNull(),
    energyKWh: doublePrecision('energy_kwh'),
    reason: text().notNull(),
    by: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.device, table.table, table.source, table.day] })],
);

/** Configurations of reports, by their names. */
export const energyConfigs = pgTable(
  'energy_configs',
  {
    workgroup: workgroup(),
    name: text().notNull(),
    version: integer().notNull(),
    value: jsonb().$type<unknown>().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.name] })],
);

/** Readings of meters, by code and start of the interval (epoch ms). */
export const meterReadings = pgTable(
  'meter_readings',
  {
    workgroup: workgroup(),
    code: text().notNull(),
    at: instant('at').notNull(),
    /** The day that it counts for; of a month, the first one. */
    day: date().notNull(),
    granularity: text().$type<(typeof METER_GRANULARITIES)[number]>().notNull(),
    energyKWh: doublePrecision('energy_kwh').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.code, table.at, table.granularity] }),
    index('meter_readings_by_day').on(table.workgroup, table.day),
  ],
);

/** Budgets of months (the first day of each), of a device or a meter site. */
export const energyBudgets = pgTable(
  'energy_budgets',
  {
    workgroup: workgroup(),
    subject: text().notNull(),
    month: date().notNull(),
    energyKWh: doublePrecision('energy_kwh').notNull(),
    performanceRatio: doublePrecision('performance_ratio'),
    irradiationKWhM2: doublePrecision('irradiation_kwh_m2'),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.subject, table.month] })],
);

/** Files of readings and budgets that were stored. */
export const energyImports = pgTable(
  'energy_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    plan: jsonb().$type<EnergyImportPlan>().notNull(),
    readings: integer().notNull(),
    by: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    undoneAt: timestamp('undone_at', { withTimezone: true }),
  },
  (table) => [index('energy_imports_by_time').on(table.workgroup, table.at)],
);

/** What an import stored, with the row that stood there before; null where there was none. */
export const energyImportRows = pgTable(
  'energy_import_rows',
  {
    import: uuid()
      .notNull()
      .references(() => energyImports.id, { onDelete: 'cascade' }),
    /** Code of a meter with its time, or subject of a budget with its month, epoch ms. */
    key: text().notNull(),
    at: instant('at').notNull(),
    now: doublePrecision().notNull(),
    was: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.import, table.key, table.at] })],
);

/** What people last looked at in reports. */
export const reportSelections = pgTable(
  'report_selections',
  {
    workgroup: workgroup(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    report: text().$type<EnergyReportName>().notNull(),
    search: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.userId, table.report] })],
);

export const energyPart = [
  tablePart(energyDays, named(energyDays.workgroup), {
    workgroup: yes,
    device: yes,
    table: yes,
    source: yes,
    day: yes,
    method: yes,
    samples: yes,
    coverage: yes,
    firstAt: yes,
    lastAt: yes,
    ...SUMS,
    powerCurveKWh: yes,
    curtailedKWh: yes,
    curtailedExpectedKWh: yes,
    bins: yes,
    counter: yes,
    azimuth: yes,
    marks: yes,
    rules: yes,
    computedAt: yes,
  }),
  tablePart(energyDeviceDays, named(energyDeviceDays.workgroup), {
    workgroup: yes,
    device: yes,
    day: yes,
    ...SUMS,
    pairedKWh: yes,
    pairedExpectedKWh: yes,
    yieldKWh: yes,
    yieldPeakKWh: yes,
    yieldPeakKWp: yes,
    ratedEnergyKWh: yes,
    energyRatedKWh: yes,
    referencePeakKWp: yes,
    usedPeakKWp: yes,
    usedDcPeakKWp: yes,
    sources: yes,
    counted: yes,
    computedAt: yes,
  }),
  tablePart(energyWork, named(energyWork.workgroup), {
    workgroup: yes,
    device: yes,
    day: yes,
    touches: yes,
    attempts: yes,
    dueAt: yes,
  }),
  tablePart(energyWatches, named(energyWatches.workgroup), { workgroup: yes, storedAt: yes, rules: yes }),
  tablePart(energyReviews, named(energyReviews.workgroup), {
    workgroup: yes,
    device: yes,
    table: yes,
    source: yes,
    day: yes,
    decision: yes,
    energyKWh: yes,
    reason: yes,
    by: yes,
    at: yes,
  }),
  tablePart(energyConfigs, named(energyConfigs.workgroup), {
    workgroup: yes,
    name: yes,
    version: yes,
    value: yes,
    updatedAt: yes,
  }),
  tablePart(meterReadings, named(meterReadings.workgroup), {
    workgroup: yes,
    code: yes,
    at: yes,
    day: yes,
    granularity: yes,
    energyKWh: yes,
  }),
  tablePart(energyBudgets, named(energyBudgets.workgroup), {
    workgroup: yes,
    subject: yes,
    month: yes,
    energyKWh: yes,
    performanceRatio: yes,
    irradiationKWhM2: yes,
  }),
  tablePart(energyImports, named(energyImports.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    plan: yes,
    readings: yes,
    by: yes,
    at: yes,
    undoneAt: yes,
  }),
  tablePart(energyImportRows, under(energyImportRows.import, energyImports, energyImports.id), {
    import: yes,
    key: yes,
    at: yes,
    now: yes,
    was: yes,
  }),
  tablePart(reportSelections, named(reportSelections.workgroup), {
    workgroup: yes,
    userId: yes,
    report: yes,
    search: yes,
  }),
];
