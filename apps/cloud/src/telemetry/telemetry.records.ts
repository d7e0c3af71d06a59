import { SEARCH_ROWS } from '@albedo/contract/telemetry/search.schema';
import { AppError } from '../errors/app-error.ts';
import {
  Bound,
  type Cell,
  type Cells,
  cells,
  columnOf,
  fieldList,
  KEY_COLUMNS,
  RowReader,
} from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { type SearchScope, whereIn } from './telemetry.where.ts';

/** Device, source, event_time (as the engine writes it) and msg_id of one event. */
export type EventKey = [device: string, source: string, eventTime: string, msgId: string];

const instantOf = (eventTime: string): number => Date.parse(`${eventTime.replace(' ', 'T')}Z`);

export async function countRecords(scope: SearchScope): Promise<number> {
  const bound = new Bound();
  const sql = `SELECT count() FROM ${EVENTS} WHERE ${whereIn(scope, bound)}`;
  const [row] = await scope.clickhouse.queryRows<[string]>(sql, reading(bound, scope.signal));
  return Number(row?.[0] ?? 0);
}

/** Where a page of a scroll begins: what its last record is sorted by. */
export type Cursor = (string | number | null)[];

export interface Page {
  records: Cells[];
  /** Where the next page begins; null where this one has no record. */
  next: Cursor | null;
  /** Of the first page: records in all. */
  total: number;
}

/**
 * A page of records, from the cursor on. One question: the engine counts on its way what the first page leaves out, and
 * reads the columns that nothing is sorted or filtered by of the page's events alone.
 */
export async function findPage(scope: SearchScope, rows: number, from: Cursor | null): Promise<Page> {
  const names = wantedFields(scope);
  if (rows === 0) return { records: [], next: null, total: await countRecords(scope) };
  const { clickhouse, fields, query, signal } = scope;
  const bound = new Bound();
  const keys = sortKeys(scope, bound);
  const reader = new RowReader(fields, names);
  const columns = [...KEY_COLUMNS, ...keys.map(({ cursor }) => cursor), ...reader.columns];
  const after = from ? ` AND ${afterCursor(keys, from, bound)}` : '';
  const sql = `SELECT ${columns.join(', ')} FROM ${EVENTS}
    WHERE ${whereIn(scope, bound)}${after} ORDER BY ${orderBy(keys)} LIMIT ${bound.add(rows, 'UInt32')}`;
  const ask = reading(bound, signal, LAZY);
  const page = from
    ? { rows: await clickhouse.queryRows<Cell[]>(sql, ask), total: 0 }
    : await clickhouse.queryPage<Cell[]>(sql, ask);
  const ends = KEY_COLUMNS.length + keys.length;
  return {
    records: page.rows.map((row) => recordOf(row, reader, query.fields, ends)),
    next: page.rows.at(-1)?.slice(KEY_COLUMNS.length, ends) ?? null,
    total: page.total,
  };
}

/** Other columns are read when it is known of which events, however many a page has. */
const LAZY = { query_plan_max_limit_for_lazy_materialization: SEARCH_ROWS.max };

/** What the records of a search are sorted by. */
export const orderOf = (scope: SearchScope, bound: Bound): string => orderBy(sortKeys(scope, bound));

const orderBy = (keys: readonly SortKey[]): string =>
  keys.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');

interface SortKey {
  sql: string;
  /** How the cursor keeps it, and of which type it is there. */
  cursor: string;
  type: string;
  /** The value of the cursor as `sql` has it. */
  read: (value: string) => string;
  direction: 'ASC' | 'DESC';
}

const same = (value: string) => value;
const plain = (sql: string, type: string, direction: 'ASC' | 'DESC'): SortKey => ({
  sql,
  cursor: sql,
  type,
  read: same,
  direction,
});
const instant = (sql: string, direction: 'ASC' | 'DESC'): SortKey => ({
  sql,
  cursor: `toUnixTimestamp64Milli(${sql})`,
  type: 'Int64',
  read: (value) => `fromUnixTimestamp64Milli(${value}, 'UTC')`,
  direction,
});

/** What events are sorted by: no two are equal in all of it. Events without the field come last. */
function sortKeys({ table, fields, query }: SearchScope, bound: Bound): SortKey[] {
  const direction = query.sort.startsWith('-') ? 'DESC' : 'ASC';
  const name = query.sort.replace(/^-/, '');
  const { t, n, s, isBuiltIn } = columnOf(table, fields, name, bound);
  const keys: SortKey[] = [];
  if (t) keys.push(instant(t, direction));
  for (const [column, type, none] of [
    [n, 'Float64', '0'],
    [s, 'String', "''"],
  ] as const) {
    if (column === null) continue;
    if (isBuiltIn) keys.push(plain(column, name === 'msg_id' ? 'UInt64' : type, direction));
    else {
      keys.push(plain(`isNull(${column})`, 'UInt8', 'ASC'));
      keys.push(plain(`ifNull(${column}, ${none})`, type, direction));
    }
  }
  if (name !== 'event_time') keys.push(instant('event_time', direction));
  if (name !== 'msg_id') keys.push(plain('msg_id', 'UInt64', direction));
  keys.push({ ...plain('device', 'UUID', direction), cursor: 'toString(device)' });
  keys.push(plain('source', 'String', direction));
  return keys;
}

/** Throws `search.scroll_expired` for a cursor of something else. */
function afterCursor(keys: readonly SortKey[], from: Cursor, bound: Bound): string {
  if (from.length !== keys.length) throw new AppError('search.scroll_expired');
  const values = keys.map(({ type, read }, i) => read(bound.add(from[i], type)));
  const steps = keys.map(({ sql, direction }, i) => {
    const equal = keys.slice(0, i).map((key, at) => `${key.sql} = ${values[at]}`);
    return `(${[...equal, `${sql} ${direction === 'ASC' ? '>' : '<'} ${values[i]}`].join(' AND ')})`;
  });
  return `(${steps.join(' OR ')})`;
}

/** The names of the fields of a record, without those that every record has. */
export function wantedFields({ table, fields, query }: SearchScope): string[] {
  const names = query.fields ?? fieldList(fields).map(({ name }) => name);
  for (const name of names) columnOf(table, fields, name, new Bound());
  return names;
}

/** The whole events of some keys, in the order of the keys; null for one that is gone. */
export async function readRecords(scope: SearchScope, keys: readonly EventKey[]): Promise<(Cells | null)[]> {
  const names = wantedFields(scope);
  if (keys.length === 0) return [];
  const { clickhouse, workgroup, table, fields, query } = scope;
  const reader = new RowReader(fields, names);
  const bound = new Bound();
  const times = keys.map(([, , eventTime]) => instantOf(eventTime));
  const span = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))].map(
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

/** `row` begins with `KEY_COLUMNS`; the columns of the reader stand from `at` on. */
export function recordOf(
  row: Cell[],
  reader: RowReader,
  wanted: readonly string[] | undefined,
  at: number = KEY_COLUMNS.length,
): Cells {
  const record = cells();
  reader.read(row, at, record);
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
