import { z } from 'zod';
import { streamSelector } from '../entities/streams.schema.ts';
import { changedVersion } from '../history/history.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { isReservedName } from '../http/reserved-names.ts';
import { instant } from '../telemetry/instants.schema.ts';
import { isInterval } from '../telemetry/intervals.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { PRESETS, type PresetName } from '../time/presets.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { KPI_LIMITS } from './kpi-limits.ts';
import { kpisIssues } from './kpis.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues, ...kpisIssues });

/**
 * What is made of the values of one stream, over the whole range or over each interval.
 *
 * `difference` is what a counter counted: dips and spikes that return add nothing, what stays low was reset, and near the limit
 * of its register, or where `rollsOverAt` says so, it rolled over. What was counted between two readings is shared by time over
 * the edges of intervals, also over a gap, which lowers the coverage. `integral` and `timeWeightedAverage` weigh by time, straight between two values;
 * `timeInState` adds up the hours in which a value is one of `states`, or from `above` to `below`, and each value holds
 * until the next. `weightedAverage` counts slices of time by what `weightedBy` measured in them: the module temperature by
 * the irradiance, so that nights do not count. Over a gap (longer than 15 minutes and than 2.5 usual intervals of the stream) nothing is known: it
 * counts nothing and lowers the coverage.
 */
export const KPI_OPERATORS = [
  'average',
  'timeWeightedAverage',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'difference',
  'integral',
  'timeInState',
  'percentile',
  'deviation',
  'weightedAverage',
] as const;
export type KpiOperator = (typeof KPI_OPERATORS)[number];

/** How the values of several streams become one. `count` is how many streams have a value. */
export const KPI_AGGREGATORS = ['sum', 'average', 'min', 'max', 'median', 'count'] as const;
export type KpiAggregator = (typeof KPI_AGGREGATORS)[number];

const line = z
  .string()
  .trim()
  .max(200)
  .regex(...ONE_LINE)
  .default('');

const shown = {
  /** The one that stands for the KPI; without any it is the first. */
  isPrimary: z.boolean().default(false),
  displayName: line,
  description: z.string().trim().max(2000).default(''),
  /** Unit of the value; of streams and formulas that have another one, it is converted. */
  units: z.string().trim().max(40).default(''),
};

const selector = z.union([
  streamSelector.options[0].extend({ over: z.string().max(80).default('descendants') }),
  streamSelector.options[1].extend({ over: z.string().max(80).default('descendants') }),
]);

const aggregateParts = z.object({
  ...shown,
  kind: z.literal('aggregate'),
  /** Which streams, seen from the entity that the KPI is asked for. */
  streams: selector,
  dateField: z.string().min(1).max(200).default('event_time'),
  operator: z.enum(KPI_OPERATORS),
  aggregator: z.enum(KPI_AGGREGATORS).default('sum'),
  /** Minutes: first the mean of each stream in slices of this length, and the streams combined; then the operator. */
  sliceMinutes: z.number().int().min(1).max(1440).nullable().default(null),
  /** Of a weighted average: the weights, of the same table; several are averaged, and less than 0 counts as 0. */
  weightedBy: selector.nullable().default(null),
  /** Of a percentile. */
  percent: z.number().min(0).max(100).default(95),
  /** Of a difference: a counter begins at 0 again after this reading. Without it the usual limits are tried: 2^16, 2^32, 10^n … */
  rollsOverAt: z.number().positive().nullable().default(null),
  /** Of a time in state: the values that count. */
  states: z
    .array(z.union([z.number(), z.string().max(200)]))
    .max(100)
    .default([]),
  /** Of a time in state: values from here on count. */
  above: z.number().nullable().default(null),
  /** Of a time in state: values up to here count. */
  below: z.number().nullable().default(null),
  /**
   * Of a time in state: only those quarters of an hour count in which the mean of these streams is at least `above`, such as
   * the hours of sun; where they are measured more rarely, a mean holds for an hour. They are looked for at the entity of each stream, then at the next one above it that has any. Without
   * `states` and limits it is the time of which the stream says anything at all.
   */
  during: z.object({ streams: selector, above: z.number() }).nullable().default(null),
});

/**
 * A fact of the entity itself. Where it has none: with `below` what entities below it say, combined, of each branch the
 * topmost one that says it (peak powers of sites); with `above` what the nearest entity above it says (a tariff).
 */
const metadataParts = z.object({
  ...shown,
  kind: z.literal('metadata'),
  key: z.string().trim().min(1, 'Required').max(200),
  lookup: z.enum(['below', 'above']).default('below'),
  aggregator: z.enum(KPI_AGGREGATORS).default('sum'),
  /** Where nobody says it. */
  fallback: z.number().nullable().default(null),
});

/**
 * An expression over the other values, which are computed first over everything below: sums first, division last.
 * With `each`, the id of a label, it is computed for every topmost entity with the label, and the results are added up:
 * the energy that each site could have given, by its own irradiance. Where there is none, it is computed as usual.
 *
 * `period` is the length of the range or interval in hours.
 */
const formulaParts = z.object({
  ...shown,
  kind: z.literal('formula'),
  formula: z.string().trim().min(1, 'Required').max(2000),
  each: z.string().max(200).nullable().default(null),
});

/**
 * What another value is at the peers of an entity: those beside it below the same parent, or with `label` every entity
 * that has the label. The entity itself is none of them, and peers without a value do not count.
 */
const peersParts = z.object({
  ...shown,
  kind: z.literal('peers'),
  /** The name of the other value. */
  of: z.string().trim().min(1, 'Required').max(60),
  label: z.string().max(200).nullable().default(null),
  aggregator: z.enum(KPI_AGGREGATORS).default('median'),
});

const valueParts = z.discriminatedUnion('kind', [aggregateParts, metadataParts, formulaParts, peersParts]);
export const kpiValue = valueParts.superRefine((value, context) => {
  if (value.kind !== 'aggregate') return;
  if (value.operator === 'weightedAverage' && value.weightedBy === null)
    context.addIssue(ownIssue(['weightedBy'], 'issue.kpi_weight'));
  if (value.operator !== 'timeInState') return;
  if (value.states.length === 0 && value.above === null && value.below === null && value.during === null)
    context.addIssue(ownIssue(['states'], 'issue.kpi_condition'));
});
export type KpiValue = z.output<typeof kpiValue>;
export type KpiAggregate = z.output<typeof aggregateParts>;
export type KpiMetadata = z.output<typeof metadataParts>;
export type KpiFormula = z.output<typeof formulaParts>;
export type KpiPeers = z.output<typeof peersParts>;

/** What formulas call the length of the range or interval, in hours. */
export const PERIOD = 'period';

/** How a value is called in formulas. */
export const kpiValueName = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, kpisIssues['issue.kpi_value_name']);

/** Values by their names. */
export const kpiValues = z.record(z.string(), kpiValue).superRefine((all, context) => {
  const names = Object.keys(all);
  for (const name of names)
    if (isReservedName(name)) context.addIssue(ownIssue([name], 'issue.name_reserved'));
    else if (!kpiValueName.safeParse(name).success)
      context.addIssue(ownIssue([name], 'issue.kpi_value_name'));
  if (names.length > KPI_LIMITS.values)
    context.addIssue(ownIssue([], 'issue.too_many', { max: String(KPI_LIMITS.values) }));
  const primary = names.filter((name) => all[name]?.isPrimary);
  if (primary[1] !== undefined)
    context.addIssue(ownIssue([primary[1], 'isPrimary'], 'issue.kpi_one_primary'));
  if (names.includes(PERIOD)) context.addIssue(ownIssue([PERIOD], 'issue.kpi_period'));
});

export type KpiValues = z.output<typeof kpiValues>;

/** Values as they are answered: what an earlier release accepted stays readable, whatever is asked of new ones. */
export const keptValues = z.record(z.string(), valueParts);

/** Values by their names, as a store keeps them: a list has an order, and those of earlier releases lack what is newer. */
export const valuesOfKept = (kept: readonly (readonly [string, KpiValue])[]): KpiValues =>
  Object.fromEntries(
    kept.map(([name, value]) => [name, value.kind === 'aggregate' ? { ...NEWER_PARTS, ...value } : value]),
  );

const NEWER_PARTS = { weightedBy: null, during: null } satisfies Partial<KpiAggregate>;

/** A KPI as it is written, all of it at once. */
export const newKpi = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
  description: z.string().trim().max(2000).default(''),
  values: kpiValues.default({}),
});
export type NewKpi = z.output<typeof newKpi>;

export const changedKpi = newKpi.extend({ version: changedVersion });
export type ChangedKpi = z.output<typeof changedKpi>;

/** A KPI as it is kept. */
export const keptKpi = newKpi.extend({ values: keptValues });

/** `version` counts the saves; `updatedAt` is epoch ms. */
export const kpi = keptKpi.extend({
  _id: z.uuid(),
  version: z.number().int(),
  updatedAt: z.number(),
});
export type Kpi = z.output<typeof kpi>;

export const onKpi = inWorkgroup.extend({ kpi: z.uuid() });

const interval = z.string().superRefine((given, context) => {
  if (!isInterval(given)) context.addIssue(ownIssue([], 'issue.interval', { interval: given }));
});

const rangeParts = z.object({
  from: instant.optional(),
  to: instant.optional(),
  timeframe: z.enum(Object.keys(PRESETS) as [PresetName, ...PresetName[]]).optional(),
  /** Where neither the entity nor those above and below it say a zone. */
  timezone: z.string().min(1).max(100).default('UTC'),
});

function checkRange(
  { from, to, timeframe }: z.output<typeof rangeParts>,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (timeframe !== undefined) return;
  if (from === undefined) context.addIssue(ownIssue(['from'], 'issue.required'));
  if (to === undefined) context.addIssue(ownIssue(['to'], 'issue.required'));
  if (from !== undefined && to !== undefined && to <= from)
    context.addIssue(ownIssue(['to'], 'issue.end_first'));
}

/**
 * What is asked: for which entity, from when (included) to when (not), epoch ms, and perhaps a value for each interval. A
 * timeframe stands in place of the two instants: whole days of the site, up to now.
 */
export const kpiQuestion = rangeParts
  .extend({
    entity: z.string().min(1).max(200),
    interval: interval.optional(),
    /** With the streams and facts that the values come from. */
    detail: z.boolean().default(false),
  })
  .superRefine(checkRange);
export type KpiQuestion = z.output<typeof kpiQuestion>;

/** The same of several entities at once, each by the clock of its own site, without intervals. */
export const kpiRowsQuestion = rangeParts
  .extend({ entities: z.array(z.string().min(1).max(200)).min(1).max(KPI_LIMITS.rows) })
  .superRefine(checkRange);
export type KpiRowsQuestion = z.output<typeof kpiRowsQuestion>;

/** Why a stream or a fact did not take part: nothing came, its unit does not go with the wanted one, it is no number. */
const excluded = z.enum(['noData', 'units', 'noNumber']).nullable();

/** A stream that a value comes from. */
export const kpiInput = z.object({
  entity: z.string(),
  deviceId: z.string(),
  table: z.string(),
  source: z.string(),
  field: z.string(),
  units: z.string().nullable(),
  /** Values that were read. */
  count: z.number(),
  /** Share of the range that is known, from 0 to 1. */
  coverage: z.number(),
  /** What the operator made of it over the whole range, in the unit of the value; null with a slice, which is of all streams. */
  value: z.number().nullable(),
  excluded,
  /**
   * Of a counter: its readings that count nothing, since it came back to what it had reached (`dip`, `spike`): how many from
   * `at` to `until` (epoch ms), and the first of them as it is stored. The list ends at 50.
   */
  excludedReadings: z.array(
    z.object({
      at: z.number(),
      until: z.number(),
      value: z.number(),
      count: z.number(),
      reason: z.enum(['dip', 'spike']),
    }),
  ),
  /** Of a counter: where it began anew, with what it showed before and after, as it is stored. The list ends at 50. */
  restarts: z.array(
    z.object({
      at: z.number(),
      before: z.number(),
      value: z.number(),
      kind: z.enum(['reset', 'rollover']),
    }),
  ),
  /** Readings of its source in the range that were stored more than an hour late, and when the last one was, epoch ms. */
  lateCount: z.number(),
  lastLateAt: z.number().nullable(),
  /** When the oldest of the kept days that it is put together from was computed, epoch ms; null for what was computed now. */
  keptFrom: z.number().nullable(),
});
export type KpiInput = z.output<typeof kpiInput>;

/**
 * A stream by which an average is weighted, `isUsed` where it is in the table of what it weighs; or one that decides which
 * times count.
 */
export const kpiWeight = kpiInput
  .pick({ entity: true, deviceId: true, table: true, source: true, field: true, units: true })
  .extend({ isUsed: z.boolean() });
export type KpiWeight = z.output<typeof kpiWeight>;

/** A fact that a value comes from; where it changed within the range, `value` is the mean of its days and `since` the last change. */
export const kpiFact = z.object({
  entity: z.string(),
  key: z.string(),
  value: z.number().nullable(),
  /** The day (ISO date) from which it holds; null where it always did. */
  since: z.string().nullable(),
  excluded,
});

const points = z.array(z.number().nullable());

export const kpiResult = z.object({
  displayName: z.string(),
  isPrimary: z.boolean(),
  kind: z.enum(['aggregate', 'metadata', 'formula', 'peers']),
  units: z.string(),
  /** Over the whole range. Gaps: null where an input is missing, and for a division by zero. */
  value: z.number().nullable(),
  /** One for each interval. */
  series: points.optional(),
  /** Share of the range that is known, from 0 to 1; of formulas, the least of what they use. Null where nothing is measured. */
  coverage: z.number().nullable(),
  coverageSeries: points.optional(),
  /** Values that were read for it. */
  count: z.number(),
  /** Whether a ratio to the light has no value here because there was too little light. */
  isTooDark: z.boolean().optional(),
  /** Of a formula: as it is written, and the values that it uses; of peers, the one that is compared. */
  formula: z.string().optional(),
  uses: z.array(z.string()),
  streams: z.array(kpiInput).optional(),
  /** Of a weighted average: what it is weighted by; of a time in state: what says which times count. */
  weights: z.array(kpiWeight).optional(),
  /** How many there are; the list ends at 200. */
  streamCount: z.number(),
  /** Of an aggregate without streams: the table, or the field of it, that no source has which the caller sees. */
  missing: z.object({ part: z.enum(['table', 'field']), name: z.string() }).optional(),
  facts: z.array(kpiFact).optional(),
  /** Of peers: what each of them has. */
  peers: z.array(z.object({ entity: z.string(), value: z.number().nullable() })).optional(),
});
export type KpiResult = z.output<typeof kpiResult>;

/** `starts` has one more than there are intervals: the last is the end. Instants are epoch ms. */
export const kpiAnswer = z.object({
  /** 0 for a KPI that is not saved. */
  version: z.number().int(),
  entity: z.string(),
  zone: z.string(),
  /** Who says the zone: the entity, one above it, one below it, or the question. */
  zoneFrom: z.enum(['entity', 'above', 'below', 'question']),
  from: z.number(),
  to: z.number(),
  starts: z.array(z.number()).optional(),
  computedAt: z.number(),
  values: z.record(z.string(), kpiResult),
});
export type KpiAnswer = z.output<typeof kpiAnswer>;

/** What one value is for one entity over its range; see `kpiResult`. */
const kpiCell = kpiResult.pick({ value: true, coverage: true, count: true, isTooDark: true });

/** One row for each entity that the caller sees, in the order in which they were asked for. */
export const kpiRows = z.object({
  version: z.number().int(),
  computedAt: z.number(),
  /** What the values of the KPI are, by their names. */
  columns: z.record(z.string(), kpiResult.pick({ displayName: true, isPrimary: true, units: true })),
  rows: z.array(
    z.object({
      entity: z.string(),
      zone: z.string(),
      from: z.number(),
      to: z.number(),
      values: z.record(z.string(), kpiCell),
    }),
  ),
});
export type KpiRows = z.output<typeof kpiRows>;
export type KpiCell = z.output<typeof kpiCell>;
