import type { Aggregation, SearchResult } from '@albedo/contract/telemetry/search.schema';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { Bound, type Cell, type Column, columnOf } from './telemetry.columns.ts';
import { type Group, groupsOf, numbersOf } from './telemetry.groups.ts';
import { readOverTime } from './telemetry.over-time.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { type EventKey, readRecords } from './telemetry.records.ts';
import type { GroupValues } from './telemetry.search-counters.ts';
import { instantIn, type SearchScope, whereIn } from './telemetry.where.ts';

export type Bucket = SearchResult['aggregations'][string]['buckets'][number];

/** Groups that one aggregation may have. */
const BUCKET_LIMIT = 50_000;

/** The key of a group's newest event; one `argMax` over tuples takes five times as long, and they agree in ties. */
const NEWEST_KEY = [
  'argMax(device, event_time)',
  'argMax(source, event_time)',
  'max(event_time)',
  'argMax(msg_id, event_time)',
];

type Simple = Exclude<Aggregation['type'], 'latest' | 'difference' | 'timeWeightedAverage' | 'integral'>;

/** `at` is the instant of the event. */
const FUNCTIONS: Readonly<Record<Simple, (value: string, at: string, of: Aggregation) => string>> = {
  average: (value) => `avg(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
  sum: (value) => `sum(${value})`,
  count: (value) => `toFloat64(count(${value}))`,
  first: (value, at) => `argMin(${value}, ${at})`,
  last: (value, at) => `argMax(${value}, ${at})`,
  stdDeviation: (value) => `stddevPopStable(${value})`,
  percentiles: (value, _at, { percents }) =>
    `quantilesExactInclusive(${percents.map((one) => one / 100).join(', ')})(${value})`,
  cardinality: (value) => `toFloat64(uniqExact(${value}))`,
};
/** Functions that also make sense for texts. */
const OF_TEXTS: readonly string[] = ['min', 'max', 'count', 'first', 'last', 'cardinality'];
/** Functions of one value after the other. */
const OVER_TIME: readonly string[] = ['difference', 'timeWeightedAverage', 'integral'];

/** Asks for intervals of the date field, perhaps one line for each value of a category. */
export const isAnalysis = ({ interval }: Aggregation): boolean => interval !== undefined;

/**
 * Buckets nested in the order of `groupBy`. A leaf has, besides `key` and `doc_count`, the values by field under
 * `values`, the first of them as `{ value }` under the aggregation's name, or for `latest` the newest event under
 * `latest`. Keys of intervals are their beginnings, epoch ms. Percentiles are objects by percent.
 */
export async function aggregate(scope: SearchScope, aggregation: Aggregation): Promise<Bucket[]> {
  const bound = new Bound();
  const groups = await groupsOf(scope, aggregation, bound);
  const depth = groups.length;
  const values = expressions(scope, aggregation, bound);
  const aliases = groups.map((_, i) => `g${i}`);
  const select = [...groups.map(({ sql }, i) => `${sql} AS g${i}`), 'count()', ...values].join(', ');
  const grouping = depth > 0 ? `GROUP BY ${aliases.join(', ')}` : '';
  const sql = `SELECT ${select} FROM ${EVENTS} WHERE ${whereIn(scope, bound)} ${grouping}`;
  const isOverTime = OVER_TIME.includes(aggregation.type);
  const [rows, ...overTime] = await Promise.all([
    scope.clickhouse.queryRows<Cell[]>(sql, reading(bound, scope.signal, { max_result_rows: BUCKET_LIMIT })),
    ...(isOverTime ? aggregation.fields.map((field) => readOverTime(scope, aggregation, field, depth)) : []),
  ]);
  const leaves = new Map<string, Leaf>();
  const leafAt = (keys: Cell[]): Leaf => {
    const id = JSON.stringify(keys);
    const leaf = leaves.get(id) ?? { keys, count: 0, parts: [] };
    leaves.set(id, leaf);
    return leaf;
  };
  for (const row of rows) {
    const leaf = leafAt(row.slice(0, depth));
    leaf.count = Number(row[depth]);
    leaf.parts = row.slice(depth + 1);
  }
  if (isOverTime) putOverTime(aggregation, leafAt, leaves, overTime as GroupValues[]);
  const all = [...leaves.values()];
  const contents =
    aggregation.type === 'latest' ? await latestOf(scope, all) : all.map(contentOf(aggregation));
  return nest(aggregation, groups, all, contents);
}

interface Leaf {
  keys: Cell[];
  count: number;
  /** What the engine answered after the count. */
  parts: unknown[];
}

/** Values of one after the other take the place of the plain means, which stay where a value stands alone. */
function putOverTime(
  { type, fields }: Aggregation,
  leafAt: (keys: Cell[]) => Leaf,
  leaves: ReadonlyMap<string, Leaf>,
  found: readonly GroupValues[],
): void {
  const before = new Map([...leaves].map(([id, leaf]) => [id, leaf.parts]));
  for (const leaf of leaves.values()) leaf.parts = fields.map(() => null);
  found.forEach((values, i) => {
    for (const { keys, value } of values) leafAt(keys).parts[i] = value;
  });
  if (type === 'difference') return;
  for (const [id, parts] of before) {
    const leaf = leaves.get(id) as Leaf;
    leaf.parts = fields.map((_, i) => {
      const mean = parts[i] ?? null;
      return leaf.parts[i] ?? (type === 'integral' && mean !== null ? 0 : mean);
    });
  }
}

function expressions(scope: SearchScope, aggregation: Aggregation, bound: Bound): string[] {
  const { type, fields } = aggregation;
  if (type === 'latest') return NEWEST_KEY;
  const at = instantIn(scope, scope.query.dateField, bound) ?? 'event_time';
  return fields.map((field) => {
    const column = columnOf(scope.table, scope.fields, field, bound);
    // Beside values over time stand their plain means.
    const simple = OVER_TIME.includes(type) ? 'average' : (type as Simple);
    return valueExpression(column, field, simple, at, aggregation);
  });
}

function valueExpression(
  column: Column,
  field: string,
  type: Simple,
  at: string,
  aggregation: Aggregation,
): string {
  const numbers = numbersOf(column);
  if (numbers !== null && column.s !== null && (type === 'count' || type === 'cardinality')) {
    return FUNCTIONS[type](`coalesce(${column.s}, toString(${numbers}))`, at, aggregation);
  }
  if (numbers !== null) return FUNCTIONS[type](numbers, at, aggregation);
  if (!OF_TEXTS.includes(type)) throw invalid('issue.aggregation_numbers', { field }, 'aggs');
  return FUNCTIONS[type](column.s as string, at, aggregation);
}

function contentOf(aggregation: Aggregation): (leaf: Leaf) => object {
  const { name, fields, type, percents } = aggregation;
  const shown = (part: unknown) =>
    type === 'percentiles' && Array.isArray(part)
      ? Object.fromEntries(percents.map((percent, i) => [String(percent), part[i] ?? null]))
      : (part ?? null);
  return ({ parts }) => {
    const values = Object.fromEntries(fields.map((field, i) => [field, shown(parts[i])]));
    return fields.length === 0 ? {} : { values, [name]: { value: shown(parts[0]) } };
  };
}

async function latestOf(scope: SearchScope, leaves: Leaf[]): Promise<object[]> {
  const found = leaves.filter(({ count }) => count > 0);
  const records = await readRecords(
    scope,
    found.map(({ parts }) => parts as unknown as EventKey),
  );
  const byLeaf = new Map(found.map((leaf, i) => [leaf, records[i] ?? null]));
  return leaves.map((leaf) => ({ latest: byLeaf.get(leaf) ?? null }));
}

/** Numbers before texts, nothing last. */
function compareKeys(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Leaves as nested buckets, by their keys; where it is asked for, with the intervals that have none. */
function nest(aggregation: Aggregation, groups: Group[], leaves: Leaf[], contents: object[]): Bucket[] {
  const depth = groups.length;
  if (depth === 0) return leaves.map(({ count }, i) => ({ key: null, doc_count: count, ...contents[i] }));
  const empty = emptyContent(aggregation);
  let made = 0;
  const build = (members: number[], level: number): Bucket[] => {
    const byKey = Map.groupBy(members, (i) => leaves[i]?.keys[level] ?? null);
    for (const key of filledKeys(aggregation, groups[level] as Group))
      if (!byKey.has(key)) byKey.set(key, []);
    made += byKey.size;
    if (made > BUCKET_LIMIT) throw new AppError('search.too_much', { reason: 'too many buckets' });
    return [...byKey]
      .sort(([a], [b]) => compareKeys(a, b))
      .map(([key, below]) => {
        const count = below.reduce((sum, i) => sum + (leaves[i]?.count ?? 0), 0);
        if (level < depth - 1) return { key, doc_count: count, buckets: build(below, level + 1) };
        return { key, doc_count: count, ...(below[0] === undefined ? empty : contents[below[0]]) };
      });
  };
  return build(
    leaves.map((_, i) => i),
    0,
  );
}

function filledKeys({ fill }: Aggregation, { cuts, span }: Group): number[] {
  if (!fill || cuts === null || span === null) return [];
  return cuts.all(span, BUCKET_LIMIT);
}

function emptyContent(aggregation: Aggregation): object {
  const { type, fields } = aggregation;
  if (type === 'latest') return { latest: null };
  const nothing = type === 'count' || type === 'cardinality' ? 0 : null;
  return contentOf(aggregation)({ keys: [], count: 0, parts: fields.map(() => nothing) });
}
