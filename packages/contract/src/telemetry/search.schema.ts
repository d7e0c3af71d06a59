import { z } from 'zod';
import { csvStyle } from '../csv/csv-style.schema.ts';
import { errorsOf } from '../http/errors.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { toInstant } from '../time/instants.ts';
import { isSpanName, PRESETS, SPAN } from '../time/presets.ts';
import { isInterval } from './intervals.ts';
import { telemetryErrors, telemetryIssues } from './telemetry.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues });
const ownError = errorsOf(telemetryErrors);

/** Rows of one search page: default and limit. Source: specification 2, section 9; domain/cloud.md section 4. */
export const SEARCH_ROWS = { default: 50, max: 10_000 } as const;
/** Records of a streamed answer in CSV. Source: domain/cloud.md section 5. */
export const CSV_ROWS = 10_000_000;
/** An idle scroll ends after this. Source: domain/cloud.md section 4.1. */
export const SCROLL_MS = 30_000;

/** Groups of filters in one another. */
export const FILTERS_DEEP = 5;
const LIMITS = {
  filters: 200,
  depth: FILTERS_DEEP,
  values: 10_000,
  text: 10_000,
  fields: 200,
  aggs: 20,
  groups: 5,
};

export const FILTER_OPERATORS = [
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
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];
export type FilterScalar = string | number | boolean;

export interface FieldFilter {
  field: string;
  operator: FilterOperator;
  value?: FilterScalar | FilterScalar[];
}

/** All of them hold, or one of them does. */
export interface FilterGroup {
  operator: 'AND' | 'OR';
  filters: SearchFilter[];
}

export type SearchFilter = FieldFilter | FilterGroup;

type Context = Pick<z.RefinementCtx, 'addIssue'>;
type Path = (string | number)[];

const at = (path: Path): string[] => path.map(String);

function issue(
  context: Context,
  path: Path,
  ...named: Parameters<typeof ownIssue> extends [unknown, ...infer R] ? R : never
): null {
  context.addIssue(ownIssue(at(path), ...named));
  return null;
}

function failure(context: Context, path: Path, name: Parameters<typeof ownError>[1]): null {
  context.addIssue(ownError(at(path), name));
  return null;
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** Null where something is wrong, which the context then knows. */
function readFilter(given: unknown, context: Context, path: Path, depth: number): SearchFilter | null {
  if (!isObject(given)) return failure(context, path, 'search.filter_invalid');
  if (Object.keys(given).length === 0) return failure(context, path, 'search.constraints_empty');
  const isGroup = Object.hasOwn(given, 'filters');
  const known = isGroup ? ['operator', 'filters'] : ['field', 'operator', 'value'];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) return issue(context, [...path, unknown], 'issue.unknown_field');
  return isGroup ? readGroup(given, context, path, depth) : readFieldFilter(given, context, path);
}

function readGroup(
  given: Record<string, unknown>,
  context: Context,
  path: Path,
  depth: number,
): SearchFilter | null {
  const { operator = 'AND', filters } = given;
  if (operator !== 'AND' && operator !== 'OR') {
    return issue(context, [...path, 'operator'], 'issue.choice', { choices: 'AND, OR' });
  }
  if (depth >= LIMITS.depth) {
    return issue(context, [...path, 'filters'], 'issue.filters_deep', { max: String(LIMITS.depth) });
  }
  if (!Array.isArray(filters) || filters.length === 0) {
    return failure(context, [...path, 'filters'], 'search.constraints_empty');
  }
  const read = filters.map((one, i) => readFilter(one, context, [...path, 'filters', i], depth + 1));
  return read.includes(null) ? null : { operator, filters: read as SearchFilter[] };
}

function readFieldFilter(given: Record<string, unknown>, context: Context, path: Path): FieldFilter | null {
  const { field, operator, value } = given;
  for (const [name, one] of [
    ['field', field],
    ['operator', operator],
  ] as const) {
    if (typeof one !== 'string' || one === '')
      return failure(context, [...path, name], 'search.filter_invalid');
  }
  const known = FILTER_OPERATORS.find((one) => one === operator);
  if (!known) {
    return issue(context, [...path, 'operator'], 'issue.choice', { choices: FILTER_OPERATORS.join(', ') });
  }
  const filter = { field: field as string, operator: known };
  if (known === 'EXISTS' || known === 'NOT EXISTS') return filter;
  if (value === undefined || value === null) return issue(context, [...path, 'value'], 'issue.required');
  const takesList = known === 'IN' || known === 'NOT IN';
  if (Array.isArray(value) && !takesList) {
    return issue(context, [...path, 'value'], 'issue.filter_single', { operator: known });
  }
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return issue(context, [...path, 'value'], 'issue.too_few', { min: '1' });
  if (values.length > LIMITS.values) {
    return issue(context, [...path, 'value'], 'issue.too_many', { max: String(LIMITS.values) });
  }
  if (values.some((one) => typeof one === 'string' && one.length > LIMITS.text))
    return issue(context, [...path, 'value'], 'issue.too_long', { max: String(LIMITS.text) });
  if (!values.every(isScalar)) return issue(context, [...path, 'value'], 'issue.filter_value');
  return { ...filter, value: value as FilterScalar | FilterScalar[] };
}

const isScalar = (value: unknown): value is FilterScalar =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'string';

export const searchFilter = z.unknown().transform((given, context): SearchFilter => {
  return readFilter(given, context, [], 0) ?? z.NEVER;
});

const leaves = (filters: readonly (SearchFilter | undefined)[]): number =>
  filters.reduce((sum, one) => sum + (one && 'filters' in one ? leaves(one.filters) : 1), 0);

function checkFilters(filters: SearchFilter[], context: Context): void {
  if (leaves(filters) > LIMITS.filters) issue(context, [], 'issue.too_many', { max: String(LIMITS.filters) });
}

export const AGGREGATIONS = [
  'average',
  'timeWeightedAverage',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'latest',
  'difference',
  'stdDeviation',
  'percentiles',
  'cardinality',
  'integral',
] as const;
export type AggregationType = (typeof AGGREGATIONS)[number];

/** A field, or the calendar intervals of a date field. */
export type Grouping = string | { field: string; interval: string };

/** Names that a bucket has anyway. */
const RESERVED: readonly string[] = ['key', 'doc_count', 'values', 'buckets'];

const interval = z.string().superRefine((given, context) => {
  if (!isInterval(given)) context.addIssue(ownIssue([], 'issue.interval', { interval: given }));
});
const fieldName = z.string().min(1).max(500);

const aggregationParts = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .describe('Names it in the answer; without one, its type and first field do.'),
  type: z
    .enum(AGGREGATIONS)
    .describe(
      'A difference is what counters counted, by the rule of KPIs; of groups other than time, that of the later reading has it.',
    ),
  field: fieldName.optional(),
  fields: z
    .array(fieldName)
    .max(LIMITS.fields)
    .optional()
    .describe('Several fields at once. All but latest and count need one at least.'),
  groupBy: z
    .array(z.union([fieldName, z.strictObject({ field: fieldName, interval })]))
    .max(LIMITS.groups)
    .optional()
    .describe('Groups in one another: the values of a field, or the calendar intervals of a date field.'),
  category: fieldName
    .optional()
    .describe('Of an analysis: one line for each value of this field. Needs an interval.'),
  interval: interval
    .optional()
    .describe('Of an analysis: the width of its points on the date field, such as 15m, 1h, 1d, 1w, 1M, 1y.'),
  fill: z.boolean().default(false).describe('Intervals without an event appear too.'),
  percents: z
    .array(z.number().min(0).max(100))
    .min(1)
    .max(20)
    .default([1, 5, 25, 50, 75, 95, 99])
    .describe('Of percentiles.'),
  interpolation: z
    .enum(['previous', 'linear'])
    .default('previous')
    .describe('Between two values: the earlier one holds, or a straight line.'),
  maxGapMs: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      'Of time-weighted averages and integrals: pauses that are longer count nothing; without it those that are gaps in a chart.',
    ),
  unit: z
    .enum(['s', 'm', 'h', 'd'])
    .default('h')
    .describe('Unit of time of an integral: W integrated over hours are Wh.'),
});

export interface Aggregation
  extends Omit<z.output<typeof aggregationParts>, 'name' | 'field' | 'fields' | 'groupBy'> {
  name: string;
  fields: string[];
  groupBy: Grouping[];
}

export const aggregation = z
  .unknown()
  .superRefine((given, context) => {
    const isNothing = given === undefined || given === null || (Array.isArray(given) && given.length === 0);
    if (isNothing) failure(context, [], 'search.aggregation_missing');
    else if (isObject(given) && (given.type === undefined || given.type === null || given.type === ''))
      failure(context, ['type'], 'search.aggregation_type_missing');
  })
  .pipe(aggregationParts)
  .transform(({ field, fields = [], groupBy = [], name, ...rest }, context): Aggregation => {
    const all = field === undefined ? fields : [field, ...fields.filter((one) => one !== field)];
    const named = name ?? [rest.type, ...all.slice(0, 1)].join(' ');
    if (RESERVED.includes(named)) issue(context, ['name'], 'issue.aggregation_name', { name: named });
    if (all.length === 0 && rest.type !== 'latest' && rest.type !== 'count')
      issue(context, ['field'], 'issue.aggregation_field', { name: named });
    if (rest.category !== undefined && rest.interval === undefined)
      issue(context, ['interval'], 'issue.required');
    return { ...rest, name: named, fields: all, groupBy };
  });

function checkAggregations(aggs: Aggregation[], context: Context): void {
  // Those that are wrong themselves are nothing here.
  const names = aggs.map((one) => one?.name);
  const twice = names.findIndex((name, i) => name !== undefined && names.indexOf(name) < i);
  if (twice >= 0) issue(context, [twice, 'name'], 'issue.aggregation_twice', { name: names[twice] ?? '' });
}

export const ALL_TIME = 'all-time';
const timeframeNames = [ALL_TIME, ...Object.keys(PRESETS)];
/** `Last 7 days` is `last-7-days`. */
const nameOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

/**
 * The name of a preset, the last so many minutes, hours, days or weeks (`90m`, `7d`), or an absolute range: `from` is included, `to` is not, one of them may be left out. Dates are
 * epoch ms, also as text, or ISO 8601; those without a zone are in the caller's.
 */
export const searchTimeframe = z.unknown().transform((given, context) => {
  if (typeof given === 'string') {
    const name = nameOf(given);
    if (name === ALL_TIME || isSpanName(name)) return name;
    issue(context, [], 'issue.timeframe', { choices: timeframeNames.join(', ') });
    return z.NEVER;
  }
  // Without either end it would ask for everything, which has a name of its own.
  if (!isObject(given) || ((given.from ?? null) === null && (given.to ?? null) === null)) {
    issue(context, [], 'issue.timeframe', { choices: timeframeNames.join(', ') });
    return z.NEVER;
  }
  const ends = { from: given.from ?? null, to: given.to ?? null };
  for (const name of Object.keys(given))
    if (!Object.hasOwn(ends, name)) issue(context, [name], 'issue.unknown_field');
  for (const [name, end] of Object.entries(ends)) {
    // A date without a zone is one of the caller's; which one it is does not matter to whether it is one.
    if (end !== null && toInstant(end, 'UTC') === null)
      issue(context, [name], 'issue.instant', { value: String(JSON.stringify(end)).slice(0, 100) });
  }
  return ends as { from: string | number | null; to: string | number | null };
});

const scalar = z.union([z.string().max(LIMITS.text), z.number(), z.boolean()]);
const filterGroup = z.strictObject({
  operator: z.enum(['AND', 'OR']).default('AND').describe('All of them hold, or one of them does.'),
  get filters() {
    return z.array(searchForms.filter).min(1).describe(`Up to ${FILTERS_DEEP} groups in one another.`);
  },
});
/** What those may be written as that are read by hand above, so that each fault has its own sentence. For documents. */
export const searchForms: Record<'filter' | 'aggregation' | 'timeframe', z.ZodType> = {
  filter: z.union([
    z.strictObject({
      field: fieldName,
      operator: z.enum(FILTER_OPERATORS),
      value: z
        .union([scalar, z.array(scalar).min(1).max(LIMITS.values)])
        .optional()
        .describe(
          'A list for IN and NOT IN; for LIKE a text in which * stands for any characters; none for EXISTS and NOT EXISTS.',
        ),
    }),
    filterGroup,
  ]),
  aggregation: aggregationParts,
  timeframe: z.union([
    z.enum(timeframeNames).describe('The name of a preset.'),
    z.string().regex(SPAN).describe('The last so many minutes, hours, days or weeks.'),
    z
      .strictObject({
        from: z.union([z.string(), z.number()]).nullable().optional(),
        to: z.union([z.string(), z.number()]).nullable().optional(),
      })
      .describe('From one instant up to another one, which is not in it; one of them may be left out.'),
  ]),
};

const rows = z.number().int().min(0).max(SEARCH_ROWS.max);

/** A search as it comes by socket, and inside the server. */
export const searchQuery = z.object({
  filters: z.array(searchFilter).superRefine(checkFilters).default([]),
  filterOperator: z.enum(['AND', 'OR']).default('AND'),
  timeframe: searchTimeframe.optional(),
  dateField: fieldName.default('event_time'),
  timezone: z.string().min(1).max(100).default('UTC'),
  fields: z.array(fieldName).max(LIMITS.fields).optional(),
  /** Field name; a leading minus sorts descending. */
  sort: z.string().min(1).max(500).default('event_time'),
  rows: rows.optional(),
  aggs: z.array(aggregation).max(LIMITS.aggs).superRefine(checkAggregations).default([]),
  scroll: z.boolean().default(false),
});
export type SearchQuery = z.output<typeof searchQuery>;

/** A JSON value in a query parameter; `bare` takes anything else as a text. */
const json = <T extends z.ZodType>(schema: T, { bare = false } = {}) =>
  z
    .string()
    .transform((text, context) => {
      if (text.trim() === '') return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        if (bare) return text;
        context.addIssue(ownIssue([], 'issue.json'));
        return z.NEVER;
      }
    })
    .pipe(schema);

const asList = (value: unknown): unknown => (value === undefined || Array.isArray(value) ? value : [value]);
const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
const asFlag = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value);

/** Parts of a search as they stand in an address. */
export const searchTexts = {
  filter: json(searchFilter),
  aggregation: json(aggregation),
  timeframe: json(searchTimeframe, { bare: true }),
  style: json(csvStyle),
};

const searchParts = z.object({
  ...searchQuery.shape,
  filters: z.preprocess(asList, z.array(searchTexts.filter).superRefine(checkFilters).default([])),
  timeframe: searchTexts.timeframe.optional(),
  fields: z.preprocess(asList, z.array(fieldName).max(LIMITS.fields).optional()),
  rows: z.preprocess(asNumber, rows.optional()),
  aggs: z.preprocess(
    asList,
    z.array(searchTexts.aggregation).max(LIMITS.aggs).superRefine(checkAggregations).default([]),
  ),
  scroll: z.preprocess(asFlag, z.boolean().default(false)),
  /** The answer is text: every record as a line of CSV. */
  csvScroll: z.preprocess(asFlag, z.boolean().default(false)),
  /** How that text is written, as JSON; without it times are in UTC, and names as they are. */
  csvStyle: searchTexts.style.optional(),
  /** With `csvScroll`: so many records at most, where `rows` is the size of a page and leaves nothing out. */
  csvRows: z.preprocess(asNumber, z.number().int().min(1).max(CSV_ROWS).optional()),
});

/** A search in the query of an address: lists repeat their parameter, objects travel as JSON. */
export const searchParams = searchParts.superRefine(({ csvScroll, csvRows, aggs, scroll }, context) => {
  if (!csvScroll && csvRows !== undefined) issue(context, ['csvRows'], 'issue.csv_rows');
  if (!csvScroll) return;
  // Text has no room for either, and a program would wait for it in vain.
  if (aggs.length > 0) issue(context, ['aggs'], 'issue.csv_aggregations');
  if (scroll) issue(context, ['scroll'], 'issue.csv_pages');
});

export const cellValue = z.union([z.number(), z.string(), z.null()]);
const record = z.record(z.string(), cellValue);

/** A record has the built-in columns (`event_time`, `store_time` as ISO 8601 UTC) and the table's fields. */
export const searchResult = z.object({
  records: z.array(record),
  totalRecords: z.number(),
  /** ms. */
  took: z.number(),
  aggregations: z.record(
    z.string(),
    z.object({ buckets: z.array(z.looseObject({ key: cellValue, doc_count: z.number() })) }),
  ),
  timedOut: z.boolean(),
  /** Names the next page for 30 s; missing after the last one. */
  scroll_id: z.string().optional(),
  /** The values of aggregations without groups, by name. */
  stats: z.record(z.string(), z.unknown()).optional(),
  /** The rows of analyses (aggregations with an interval), and the names of their values. */
  dataset: z.array(record).optional(),
  valueFields: z.array(z.string()).optional(),
});
export type SearchResult = z.infer<typeof searchResult>;
