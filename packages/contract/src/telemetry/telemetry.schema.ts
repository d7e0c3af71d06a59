import { z } from 'zod';
import type { Permission } from '../access/permissions.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

/** Rows of one search page: default and limit. Source: specification 2, section 9; domain/cloud.md section 4. */
export const SEARCH_ROWS = { default: 50, max: 10_000 } as const;

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

/** Tables that the cloud alone writes: what a device says of them is set aside. */
export const CLOUD_TABLES: ReadonlySet<string> = new Set(['audit_logs', 'incidents_log']);

export const tableField = z.object({ name: z.string(), type: fieldType, units: z.string().nullable() });
export const tableInfo = z.object({ table: z.string(), fields: z.array(tableField), fetchedAt: z.number() });
export type TableInfo = z.infer<typeof tableInfo>;

export const cellValue = z.union([z.number(), z.string(), z.null()]);

export const filterOperator = z.enum([
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'IN',
  'NOT IN',
  'LIKE',
  'EXISTS',
  'NOT EXISTS',
]);
export const searchFilter = z.object({
  field: z.string().min(1),
  operator: filterOperator,
  value: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
    .optional(),
});
export type SearchFilter = z.infer<typeof searchFilter>;

export const aggregationType = z.enum([
  'average',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'latest',
  'difference',
]);
export const aggregation = z.object({
  name: z.string().min(1).max(80),
  type: aggregationType,
  fields: z.array(z.string()).default([]),
  groupBy: z
    .array(
      z.union([
        z.string(),
        z.object({ field: z.string(), interval: z.string().regex(/^\d+(m|h|d|w|M|y)$/) }),
      ]),
    )
    .default([]),
});
export type Aggregation = z.infer<typeof aggregation>;

/** `from` is included, `to` is not; epoch ms. */
export const timeframe = z.object({ from: z.number().int(), to: z.number().int() });

export const searchQuery = z.object({
  filters: z.array(searchFilter).max(50).default([]),
  timeframe: timeframe.optional(),
  dateField: z.string().default('event_time'),
  timezone: z.string().default('UTC'),
  fields: z.array(z.string()).max(200).optional(),
  /** Field name; a leading minus sorts descending. */
  sort: z.string().default('-event_time'),
  rows: z.number().int().min(0).max(SEARCH_ROWS.max).default(SEARCH_ROWS.default),
  aggs: z.array(aggregation).max(10).default([]),
});
export type SearchQuery = z.output<typeof searchQuery>;

/** A record has the built-in columns (`event_time`, `store_time` as ISO 8601 UTC) and the table's fields. */
export const searchResult = z.object({
  records: z.array(z.record(z.string(), cellValue)),
  totalRecords: z.number(),
  /** ms. */
  took: z.number(),
  aggregations: z.record(
    z.string(),
    z.object({ buckets: z.array(z.looseObject({ key: cellValue, doc_count: z.number() })) }),
  ),
  timedOut: z.boolean(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** One line of a chart: a numeric field of one source of one device. */
export const seriesKey = z.object({
  device: z.uuid(),
  table: tableName,
  source: z.string().min(1).max(400),
  field: z.string().min(1).max(200),
});
export type SeriesKey = z.infer<typeof seriesKey>;

export const seriesQuery = timeframe.extend({
  series: z.array(seriesKey).min(1).max(50),
  /** The server answers at most about this many points a series. */
  maxPoints: z.number().int().min(10).max(10_000).default(2000),
});
export type SeriesQuery = z.output<typeof seriesQuery>;

/**
 * Points of one series, oldest first.
 *
 * Shapes: `times`, `min`, `avg`, `max` have the same length. Units: epoch ms; the field's own.
 * Gaps: a null value is a gap; `stepMs` is the bucket width, 0 where every stored event is a point of its own.
 */
export const seriesPoints = z.object({
  stepMs: z.number(),
  times: z.array(z.number()),
  min: z.array(z.number().nullable()),
  avg: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
});
export type SeriesPoints = z.infer<typeof seriesPoints>;

export const inTable = z.object({ wg: workgroupName, table: tableName });
