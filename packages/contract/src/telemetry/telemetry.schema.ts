import { z } from 'zod';
import type { Permission } from '../access/permissions.ts';
import { errorsOf } from '../http/errors.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';
import { COMBININGS } from './combine-values.ts';
import { instant } from './instants.schema.ts';
import { isInterval } from './intervals.ts';
import { SERIES_FUNCTIONS } from './series-functions.ts';
import { telemetryErrors, telemetryIssues } from './telemetry.errors.ts';

const ownError = errorsOf(telemetryErrors);
const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues });

/** Columns that every table has; a table's information lists the first three before all others. */
export const BUILT_IN_COLUMNS = ['device', 'event_time', 'source', 'msg_id', 'store_time'] as const;

/** Type of a stored field. A field that was sent as a number and as a text has both kinds. */
export const fieldType = z.enum(['decimal', 'integer', 'bool', 'date', 'keyword']);
export type FieldType = z.infer<typeof fieldType>;

export const tableName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^.\p{Cc}]+$/u, 'A table name cannot contain a full stop.');

/** Tables that only those see who hold the permission; the others are seen by every member. */
export const TABLE_PERMISSIONS: ReadonlyMap<string, Permission> = new Map([['audit_logs', 'audit']]);

/** Tables that only the cloud writes: rows of devices for them are set aside. */
export const CLOUD_TABLES: ReadonlySet<string> = new Set(['audit_logs', 'incidents_log']);

/** The table in which agents say what goes wrong with them. */
export const AGENT_ERRORS = 'agent_errors';

/** Tables in which cloud and agents tell of themselves: no file, import or source writes there in their name. */
export const OWN_TABLES: ReadonlySet<string> = new Set([...CLOUD_TABLES, AGENT_ERRORS]);

export const tableField = z.object({
  name: z.string(),
  type: fieldType,
  units: z.string().nullable(),
  /** Times of the first and the last event that have it, epoch ms; null where none has. */
  firstAt: z.number().nullable().optional(),
  lastAt: z.number().nullable().optional(),
  /** Names of the sources that have it. */
  sources: z.array(z.string()).optional(),
});
export const tableInfo = z.object({ table: z.string(), fields: z.array(tableField), fetchedAt: z.number() });
export type TableInfo = z.infer<typeof tableInfo>;

/** `from` is included, `to` is not; epoch ms. */
export const timeframe = z.object({ from: instant, to: instant });

/** One line of a chart: a numeric field of one source of one device. */
export const seriesKey = z.object({
  device: z.uuid(),
  table: tableName,
  source: z.string().min(1).max(400),
  field: z.string().min(1).max(200),
});
export type SeriesKey = z.infer<typeof seriesKey>;

/** A stream by the name that an expression has for it. */
export const formulaInput = seriesKey.extend({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(80)
    .regex(...ONE_LINE),
});
export type FormulaInput = z.infer<typeof formulaInput>;

/** An expression over streams, in the language of docs/decisions/0017; `unit` null is the unit that the inputs lead to. */
export const formulaText = z.object({
  expression: z.string().trim().min(1, 'Required').max(2000),
  unit: z.string().trim().max(40).nullable().default(null),
  inputs: z.array(formulaInput).max(20).default([]),
});
export type FormulaText = z.output<typeof formulaText>;

/** Streams that one line may combine, and those of all combined lines of one request. */
export const MOST_COMBINED = 300;
const MOST_STREAMS = 1000;

/** A line may have a range of its own, such as the week before. */
const ownSpan = { span: timeframe.optional() };

/**
 * One line, of one stream or of several that are combined. `factor` and `offset` bring values to a common unit first:
 * value * factor + offset. `weights` are those of a weighted mean, one for each stream. `span` is a range of its own, such
 * as the day of a site in another zone, and `timezone` the clock that cuts its calendar intervals in place of that of the
 * question.
 */
export const combinedSeries = z.object({
  streams: z
    .array(seriesKey.extend({ factor: z.number().default(1), offset: z.number().default(0) }))
    .min(1)
    .max(MOST_COMBINED),
  combine: z.enum(COMBININGS).default('sum'),
  weights: z.array(z.number().min(0)).optional(),
  timezone: z.string().min(1).max(100).optional(),
  ...ownSpan,
});
export type CombinedSeries = z.output<typeof combinedSeries>;

export const seriesQuery = timeframe
  .extend({
    series: z.array(seriesKey.extend(ownSpan)).max(100).default([]),
    /** Virtual series; the answer has them after the others. */
    formulas: z.array(formulaText.extend(ownSpan)).max(40).default([]),
    /** Lines of several streams; the answer has them last. Without an interval they are cut as `maxPoints` says. */
    combined: z.array(combinedSeries).max(100).default([]),
    /** The server answers at most about this many points a series, where no interval is asked for. */
    maxPoints: z.number().int().min(10).max(100_000).default(2000),
    /** Calendar buckets, cut in the time zone; without it equal ones, as `maxPoints` says. */
    interval: z
      .string()
      .superRefine((given, context) => {
        if (!isInterval(given)) context.addIssue(ownIssue([], 'issue.interval', { interval: given }));
      })
      .optional(),
    timezone: z.string().min(1).max(100).default('UTC'),
    function: z.enum(SERIES_FUNCTIONS).default('average'),
    /** The time of a point: a date field of its table. Tables without such a field go by event_time. */
    dateField: z.string().min(1).max(200).default('event_time'),
  })
  .superRefine(({ series, formulas, combined }, context) => {
    if (series.length + formulas.length + combined.length === 0)
      context.addIssue(ownIssue(['series'], 'issue.too_few', { min: '1' }));
    const streams = combined.reduce((sum, one) => sum + one.streams.length, 0);
    if (streams > MOST_STREAMS)
      context.addIssue(ownIssue(['combined'], 'issue.too_many', { max: String(MOST_STREAMS) }));
  });
export type SeriesQuery = z.output<typeof seriesQuery>;

/**
 * What a series comes to over the whole range, from every stored value: the same however many points are asked for.
 *
 * `avg` weighs each value by the time until the next one; pauses that are gaps count nothing. A value that stands alone
 * is its own average. Two values of one instant count as one, the later one. Units: the field's own. Of a function other
 * than the average these are figures of its points, and `avg` is their plain mean; of a sum, a count and a difference
 * `min`, `avg` and `max` are those of the intervals that are whole, null where none is.
 */
export const seriesStats = z.object({
  count: z.number().int(),
  min: z.number().nullable(),
  avg: z.number().nullable(),
  max: z.number().nullable(),
  last: z.number().nullable(),
});
export type SeriesStats = z.infer<typeof seriesStats>;

/**
 * Points of one series, oldest first.
 *
 * Shapes: `times`, `min`, `avg`, `max` have the same length. Units: epoch ms; the field's own, of a formula `unit`.
 * Gaps: a null value is a gap; `stepMs` is the bucket width, 0 where every stored event is a point of its own, and of
 * calendar intervals about their length. The `avg` of a bucket is weighted by time, as in `stats`; of a function other
 * than the average all three are its value.
 */
export const seriesPoints = z.object({
  stepMs: z.number(),
  times: z.array(z.number()),
  min: z.array(z.number().nullable()),
  avg: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  stats: seriesStats,
  /**
   * Which of `times` begin an interval that is not whole, rising: the one that had not ended when it was read and, of a sum,
   * a count and a difference, those that the range cuts. None without it.
   */
  partial: z.array(z.number()).optional(),
  /** Of a formula: what its values are in, empty for plain numbers. */
  unit: z.string().optional(),
});
export type SeriesPoints = z.infer<typeof seriesPoints>;

/** As `tableName`; where there is none, in the words of the specification. */
export const demandedTable = z
  .unknown()
  .superRefine((name, context) => {
    if (name === undefined || name === null || name === '') context.addIssue(ownError([], 'table.missing'));
  })
  .pipe(tableName);

export const inTable = z.object({ wg: workgroupName, table: tableName });
