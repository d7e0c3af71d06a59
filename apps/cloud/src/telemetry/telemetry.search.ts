import type { ClickHouse } from '@albedo/clickhouse/client';
import type { Aggregation, SearchQuery, SearchResult } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';
import {
  Bound,
  type Cell,
  type Cells,
  type Column,
  cells,
  columnOf,
  fieldList,
  KEY_COLUMNS,
  RowReader,
} from './telemetry.columns.ts';
import { whereOf } from './telemetry.filters.ts';
import { EVENTS, reading } from './telemetry.reading.ts';

/** Device, source, event_time (as the engine writes it) and msg_id of one event. */
type EventKey = [device: string, source: string, eventTime: string, msgId: string];

/** Columns of a key as they are stored: converting them costs more than finding them. */
const EVENT_KEY = 'device, source, event_time, msg_id';
const instantOf = (eventTime: string): number => Date.parse(`${eventTime.replace(' ', 'T')}Z`);

interface Scope {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  table: string;
  fields: TableFields;
  query: SearchQuery;
  signal: AbortSignal | undefined;
}

/** One search of one table: a page of records, how many there are in all, and the aggregations. */
export async function search(scope: Scope): Promise<SearchResult> {
  const started = performance.now();
  checkTimezone(scope.query.timezone);
  const [records, totalRecords, ...buckets] = await Promise.all([
    findRecords(scope),
    countRecords(scope),
    ...scope.query.aggs.map((aggregation) => aggregate(scope, aggregation)),
  ]);
  return {
    records,
    totalRecords,
    took: Math.round(performance.now() - started),
    aggregations: Object.fromEntries(
      scope.query.aggs.map(({ name }, i) => [name, { buckets: buckets[i] ?? [] }]),
    ),
    timedOut: false,
  };
}

function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('issue.zone_unknown', { zone: timezone });
  }
}

const whereIn = ({ workgroup, devices, table, fields, query }: Scope, bound: Bound): string =>
  whereOf(workgroup, devices, table, fields, query, bound);

async function countRecords(scope: Scope): Promise<number> {
  const bound = new Bound();
  const sql = `SELECT count() FROM ${EVENTS} WHERE ${whereIn(scope, bound)}`;
  const [row] = await scope.clickhouse.queryRows<[string]>(sql, reading(bound, scope.signal));
  return Number(row?.[0] ?? 0);
}

async function findRecords(scope: Scope): Promise<Cells[]> {
  const { rows, sort } = scope.query;
  if (rows === 0) return [];
  const bound = new Bound();
  const order = orderOf(scope, sort, bound);
  // First which events, from the sorted column alone; then only those with all their columns.
  const sql = `SELECT ${EVENT_KEY} FROM ${EVENTS}
    WHERE ${whereIn(scope, bound)} ORDER BY ${order} LIMIT ${bound.add(rows, 'UInt32')}`;
  const keys = await scope.clickhouse.queryRows<EventKey>(sql, reading(bound, scope.signal));
  return (await readRecords(scope, keys)).filter((record) => record !== null);
}

/** The whole events of some keys, in the order of the keys; null for one that is gone. */
async function readRecords(scope: Scope, keys: readonly EventKey[]): Promise<(Cells | null)[]> {
  if (keys.length === 0) return [];
  const { clickhouse, workgroup, table, fields, query } = scope;
  const names = query.fields ?? fieldList(fields).map(({ name }) => name);
  const reader = new RowReader(fields, names);
  for (const name of names) columnOf(table, fields, name, new Bound());
  const bound = new Bound();
  const times = keys.map(([, , eventTime]) => instantOf(eventTime));
  const span = [Math.min(...times), Math.max(...times)].map(
    (ms) => `fromUnixTimestamp64Milli(${bound.add(ms, 'Int64')}, 'UTC')`,
  );
  const sql = `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM ${EVENTS}
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
      AND event_time >= ${span[0]} AND event_time <= ${span[1]}
      AND device IN ${bound.add([...new Set(keys.map(([device]) => device))], 'Array(UUID)')}
      AND (device, msg_id) IN arrayZip(${bound.add(
        keys.map(([device]) => device),
        'Array(UUID)',
      )}, ${bound.add(
        keys.map(([, , , msgId]) => Number(msgId)),
        'Array(UInt64)',
      )})`;
  const rows = await clickhouse.queryRows<Cell[]>(sql, reading(bound, scope.signal));
  const found = new Map(
    rows.map((row) => [`${row[0]} ${row[3]} ${row[1]} ${row[2]}`, recordOf(row, reader, query.fields)]),
  );
  return keys.map(
    ([device, source, eventTime, msgId]) =>
      found.get(`${device} ${msgId} ${instantOf(eventTime)} ${source}`) ?? null,
  );
}

function recordOf(row: Cell[], reader: RowReader, wanted: readonly string[] | undefined): Cells {
  const record = cells();
  reader.read(row, KEY_COLUMNS.length, record);
  const keys = cells({
    device: row[0] ?? null,
    event_time: new Date(Number(row[1])).toISOString(),
    source: row[2] ?? null,
    msg_id: Number(row[3]),
    store_time: new Date(Number(row[4])).toISOString(),
  });
  if (!wanted) return Object.assign(record, keys);
  for (const name of wanted) if (Object.hasOwn(keys, name)) record[name] = keys[name] ?? null;
  return record;
}

function orderOf(scope: Scope, sort: string, bound: Bound): string {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const name = sort.replace(/^-/, '');
  const column = columnOf(scope.table, scope.fields, name, bound);
  const parts = [column.t, column.n, column.s].filter((part) => part !== null);
  if (name !== 'event_time') parts.push('event_time');
  return [...parts, 'msg_id'].map((part) => `${part} ${direction} NULLS LAST`).join(', ');
}

type Bucket = SearchResult['aggregations'][string]['buckets'][number];

/** The key of a group's newest event; one `argMax` over tuples takes five times as long, and they agree in ties. */
const NEWEST_KEY = [
  'argMax(device, event_time)',
  'argMax(source, event_time)',
  'max(event_time)',
  'argMax(msg_id, event_time)',
];

/** Groups that one aggregation may have. */
const BUCKET_LIMIT = 50_000;

const FUNCTIONS: Readonly<Record<Exclude<Aggregation['type'], 'latest'>, (value: string) => string>> = {
  average: (value) => `avg(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
  sum: (value) => `sum(${value})`,
  count: (value) => `toFloat64(count(${value}))`,
  first: (value) => `argMin(${value}, event_time)`,
  last: (value) => `argMax(${value}, event_time)`,
  difference: (value) => `argMax(${value}, event_time) - argMin(${value}, event_time)`,
};
/** Functions that also make sense for texts. */
const OF_TEXTS: readonly string[] = ['min', 'max', 'count', 'first', 'last'];

/**
 * Buckets nested in the order of `groupBy`. A leaf has, besides `key` and `doc_count`, the values by field under
 * `values`, the first of them as `{ value }` under the aggregation's name, or for `latest` the newest event under
 * `latest`. Keys of intervals are their beginnings, epoch ms.
 */
async function aggregate(scope: Scope, aggregation: Aggregation): Promise<Bucket[]> {
  const { type, fields, groupBy, name } = aggregation;
  if (type !== 'latest' && type !== 'count' && fields.length === 0) {
    throw invalid('issue.aggregation_field', { name });
  }
  const bound = new Bound();
  const groups = groupBy.map((group) => groupOf(scope, group, bound));
  const values =
    type === 'latest'
      ? NEWEST_KEY
      : fields.map((field) => valueExpression(columnOf(scope.table, scope.fields, field, bound), type));
  const aliases = groups.map((_, i) => `g${i}`);
  const select = [...groups.map((group, i) => `${group} AS g${i}`), 'count()', ...values].join(', ');
  const grouping = aliases.length > 0 ? `GROUP BY ${aliases.join(', ')} ORDER BY ${aliases.join(', ')}` : '';
  const sql = `SELECT ${select} FROM ${EVENTS} WHERE ${whereIn(scope, bound)} ${grouping}`;
  const rows = await scope.clickhouse.queryRows<Cell[]>(
    sql,
    reading(bound, scope.signal, { max_result_rows: BUCKET_LIMIT }),
  );
  const depth = groups.length;
  const leaves =
    type === 'latest'
      ? await latestLeaves(scope, rows, depth)
      : rows.map((row) => leafOf(aggregation, row, depth));
  return nest(
    rows.map((row) => row.slice(0, depth)),
    rows.map((row) => Number(row[depth])),
    leaves,
    depth,
  );
}

function leafOf({ name, fields }: Aggregation, row: Cell[], depth: number): object {
  const values = Object.fromEntries(fields.map((field, i) => [field, row[depth + 1 + i] ?? null]));
  const [first] = fields;
  return first === undefined ? {} : { values, [name]: { value: values[first] ?? null } };
}

async function latestLeaves(scope: Scope, rows: Cell[][], depth: number): Promise<object[]> {
  const records = await readRecords(
    scope,
    rows.map((row) => row.slice(depth + 1) as unknown as EventKey),
  );
  return records.map((latest) => ({ latest }));
}

function valueExpression(column: Column, type: Exclude<Aggregation['type'], 'latest'>): string {
  const value =
    column.t === null
      ? column.isBuiltIn && column.n
        ? `toFloat64(${column.n})`
        : column.n
      : `toFloat64(toUnixTimestamp64Milli(${column.t}))`;
  if (type === 'count' && column.n && column.s) {
    return `toFloat64(countIf(isNotNull(${column.n}) OR isNotNull(${column.s})))`;
  }
  if (value !== null) return FUNCTIONS[type](value);
  return column.s !== null && OF_TEXTS.includes(type) ? FUNCTIONS[type](column.s) : 'NULL';
}

const UNITS: Readonly<Record<string, string>> = {
  m: 'MINUTE',
  h: 'HOUR',
  d: 'DAY',
  w: 'WEEK',
  M: 'MONTH',
  y: 'YEAR',
};

function groupOf(scope: Scope, group: Aggregation['groupBy'][number], bound: Bound): string {
  const name = typeof group === 'string' ? group : group.field;
  const column = columnOf(scope.table, scope.fields, name, bound);
  const time =
    column.t ?? (column.n === null ? null : `fromUnixTimestamp64Milli(toInt64(${column.n}), 'UTC')`);
  if (typeof group === 'string') {
    if (column.t) return `toFloat64(toUnixTimestamp64Milli(${column.t}))`;
    if (column.n && column.s) return `ifNull(toString(${column.n}), ${column.s})`;
    return column.n === null ? (column.s as string) : `toFloat64(${column.n})`;
  }
  if (time === null) {
    throw invalid('issue.no_intervals', { field: name });
  }
  const [, count = '1', unit = 'm'] = /^(\d+)(\w)$/.exec(group.interval) ?? [];
  const size = Number(count);
  if (size < 1 || size > 100_000) {
    throw invalid('issue.interval_range', { interval: String(group.interval) });
  }
  const zone = bound.add(scope.query.timezone, 'String');
  const start = `toStartOfInterval(${time}, INTERVAL ${size} ${UNITS[unit]}, ${zone})`;
  return `toFloat64(toUnixTimestamp(toDateTime(${start}, ${zone}))) * 1000`;
}

/** Rows of group keys, sorted, as nested buckets. */
function nest(keys: Cell[][], counts: number[], leaves: object[], depth: number): Bucket[] {
  if (depth === 0) return counts.map((count, i) => ({ key: null, doc_count: count, ...leaves[i] }));
  const build = (from: number, to: number, level: number): Bucket[] => {
    const buckets: Bucket[] = [];
    for (let at = from; at < to; ) {
      const key = keys[at]?.[level] ?? null;
      let end = at + 1;
      while (end < to && (keys[end]?.[level] ?? null) === key) end++;
      const total = counts.slice(at, end).reduce((sum, count) => sum + count, 0);
      buckets.push(
        level === depth - 1
          ? { key, doc_count: total, ...leaves[at] }
          : { key, doc_count: total, buckets: build(at, end, level + 1) },
      );
      at = end;
    }
    return buckets;
  };
  return build(0, keys.length, 0);
}
