import { z } from 'zod';
import { DECIMAL_SIGNS } from '../csv/csv.names.ts';
import { field as metaField } from '../devices/meta.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { tableName } from '../telemetry/telemetry.schema.ts';
import { isTimeZone } from '../time/zoned-time.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues });

/**
 * Which dates a column has: ISO 8601 (also with `/` or `.`), counts since 1970, day and month in the order of a country, or the
 * day numbers of spreadsheets.
 */
export const TIME_FORMATS = [
  'iso',
  'epoch_s',
  'epoch_ms',
  'epoch_us',
  'epoch_ns',
  'dmy',
  'mdy',
  'excel',
] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'Required')
    .max(most)
    .regex(...ONE_LINE);
const column = line(300);
const name = line(200);

/** One column of records that others wrote, and the field that it becomes. Units are as they are shown. */
export const mappedField = z.object({
  column,
  name,
  type: metaField.shape.expect.exclude(['log', 'discard']).default('decimal'),
  units: z.string().trim().max(40).nullable().default(null),
  /** Numbers are multiplied by it, such as kW to W. */
  factor: z.number().default(1),
  /** Of numbers that are written as text; null where each is read by itself. */
  decimal: z.enum(DECIMAL_SIGNS).nullable().default(null),
});

const mapped = z.object({
  table: tableName,
  /** Name of the source, unless a column says it. */
  source: name,
  sourceColumn: column.nullable().default(null),
  timeColumn: column,
  /** The time of day, where it stands beside a date in a column of its own. */
  clockColumn: column.nullable().default(null),
  timeFormat: z.enum(TIME_FORMATS).default('iso'),
  /** Zone of dates that say none. */
  timezone: z.string().min(1).max(100).default('UTC'),
  /** The clock that wrote the dates stays on standard time all year, as loggers often do. */
  standardTime: z.boolean().default(false),
  fields: z.array(mappedField).min(1).max(200),
});

function checkMapped(
  { fields, timezone }: Pick<z.output<typeof mapped>, 'fields' | 'timezone'>,
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [i, { name: one }] of fields.entries()) {
    if (seen.has(one)) context.addIssue(ownIssue(['fields', String(i), 'name'], 'issue.twice'));
    seen.add(one);
  }
  if (!isTimeZone(timezone))
    context.addIssue(ownIssue(['timezone'], 'issue.zone_unknown', { zone: timezone }));
}

/**
 * How records that others wrote become events: `column` is a name of CSV, or the way into an object of JSON with full stops
 * between its steps.
 */
export const mapping = mapped.superRefine(checkMapped);

/** As a mapping, but nothing else has to name the source where a column does. */
export const openMapping = mapped
  .extend({
    /** Null where the values say it. */
    timeFormat: z.enum(TIME_FORMATS).nullable().default(null),
    source: z
      .string()
      .trim()
      .max(200)
      .regex(...ONE_LINE)
      .default(''),
  })
  .superRefine((given, context) => {
    checkMapped(given, context);
    const { source, sourceColumn } = given;
    if (source === '' && sourceColumn === null) context.addIssue(ownIssue(['source'], 'issue.required'));
  });
export type OpenMapping = z.output<typeof openMapping>;
export type Mapping = z.output<typeof mapping>;

/** What was left out of a record, counted from 1 (of CSV its line), and why. */
export const mappedFault = z.object({
  record: z.number().int(),
  reason: z.enum(['time', 'number', 'source', 'empty', 'message', 'row', 'value', 'twice', 'long']),
  text: z.string(),
});

/** What was made of records: how many events, the first of them, and what was left out and why. */
export const mappedPreview = z.object({
  records: z.number().int(),
  events: z.number().int(),
  /** Columns that the records have. */
  columns: z.array(z.string()),
  sample: z.array(
    z.object({
      source: z.string(),
      at: z.number(),
      values: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
    }),
  ),
  faults: z.array(mappedFault),
});
export type MappedPreview = z.infer<typeof mappedPreview>;
