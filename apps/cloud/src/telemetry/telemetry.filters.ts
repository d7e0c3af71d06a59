import type { FieldFilter, FilterScalar, SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { toInstant } from '@albedo/contract/time/instants';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { type Bound, type Column, columnOf } from './telemetry.columns.ts';
import type { ResolvedQuery } from './telemetry.query.ts';
import { scopeFilter } from './telemetry.scope.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const NEVER = '0';

/** What a search demands of an event. */
export type Demands = Pick<ResolvedQuery, 'filters' | 'filterOperator' | 'range' | 'dateField' | 'timezone'>;

interface Place {
  table: string;
  fields: TableFields;
  zone: string;
  bound: Bound;
}

/**
 * Everything that a search demands of an event, as one expression. Throws `table.field_unknown`, and `request.invalid`
 * for values that do not fit the type of their field.
 */
export function whereOf(
  workgroup: string,
  scope: DeviceScope,
  table: string,
  fields: TableFields,
  query: Demands,
  bound: Bound,
): string {
  const parts = [`workgroup = ${bound.add(workgroup, 'String')}`, `tbl = ${bound.add(table, 'String')}`];
  if (!scope.isAll) parts.push(scopeFilter(scope, bound));
  const place = { table, fields, zone: query.timezone, bound };
  parts.push(...rangeOf(query, place));
  const filters = query.filters.map((one, i) => anyFilter(one, `filters.${i}`, place));
  if (filters.length > 0) parts.push(`(${filters.join(` ${query.filterOperator} `)})`);
  return parts.join(' AND ');
}

function rangeOf({ range: { from, to }, dateField }: Demands, { table, fields, bound }: Place): string[] {
  const column = columnOf(table, fields, dateField, bound);
  if (column.t === null && column.type !== 'date')
    throw invalid('issue.date_field', { field: dateField }, 'dateField');
  const value = column.t ?? column.n;
  const instantIn = (ms: number) => (column.t ? instant(ms, bound) : bound.add(ms, 'Float64'));
  return [
    ...(from === null ? [] : [`${value} >= ${instantIn(from)}`]),
    ...(to === null ? [] : [`${value} < ${instantIn(to)}`]),
  ];
}

const instant = (ms: number, bound: Bound): string =>
  `fromUnixTimestamp64Milli(${bound.add(Math.trunc(ms), 'Int64')}, 'UTC')`;

function anyFilter(filter: SearchFilter, path: string, place: Place): string {
  if ('filters' in filter) {
    const parts = filter.filters.map((one, i) => anyFilter(one, `${path}.filters.${i}`, place));
    return `(${parts.join(` ${filter.operator} `)})`;
  }
  if (filter.field === 'device') return deviceFilter(filter, path, place);
  return fieldFilter(columnOf(place.table, place.fields, filter.field, place.bound), filter, path, place);
}

/** Equality with devices is written so that the index serves it. */
function deviceFilter(filter: FieldFilter, path: string, place: Place): string {
  const column: Column = { t: null, n: null, s: 'toString(device)', type: 'keyword', isBuiltIn: true };
  if (!['=', '!=', 'IN', 'NOT IN'].includes(filter.operator)) return fieldFilter(column, filter, path, place);
  const ids = listOf(filter)
    .map((value) => textOf(value, filter, path).toLowerCase())
    .filter((id) => UUID.test(id));
  const among = `device IN ${place.bound.add(ids, 'Array(UUID)')}`;
  return filter.operator === '=' || filter.operator === 'IN' ? among : `NOT (${among})`;
}

/** An event without the field fits `!=`, `NOT IN` and `NOT EXISTS`, and nothing else. */
function fieldFilter(column: Column, filter: FieldFilter, path: string, place: Place): string {
  const { operator } = filter;
  switch (operator) {
    case 'EXISTS':
      return exists(column);
    case 'NOT EXISTS':
      return `NOT (${exists(column)})`;
    case 'LIKE':
      return like(column, textOf(scalarOf(filter), filter, path), place.bound);
    case '=':
    case 'IN':
      return among(column, filter, path, place);
    case '!=':
    case 'NOT IN':
      return `NOT (${among(column, filter, path, place)})`;
    default:
      return compared(column, operator, filter, path, place);
  }
}

function exists(column: Column): string {
  if (column.isBuiltIn) return '1';
  return either([column.n, column.s].filter((one) => one !== null).map((one) => `isNotNull(${one})`));
}

function among(column: Column, filter: FieldFilter, path: string, { zone, bound }: Place): string {
  const values = listOf(filter).map((value) => typed(column, value, filter, path, zone));
  const parts: string[] = [];
  const [times, numbers, texts] = (['t', 'n', 's'] as const).map((kind) =>
    values.map((one) => one[kind]).filter((one) => one !== null),
  ) as [number[], number[], string[]];
  if (column.t && times.length > 0)
    parts.push(`${column.t} IN (${times.map((ms) => instant(ms, bound)).join(', ')})`);
  if (column.n && numbers.length > 0)
    parts.push(`ifNull(${column.n} IN ${bound.add(numbers, 'Array(Float64)')}, 0)`);
  if (column.s && texts.length > 0)
    parts.push(`ifNull(${column.s} IN ${bound.add(texts, 'Array(String)')}, 0)`);
  return either(parts);
}

function compared(
  column: Column,
  operator: '>' | '>=' | '<' | '<=',
  filter: FieldFilter,
  path: string,
  { zone, bound }: Place,
): string {
  const { t, n, s } = typed(column, scalarOf(filter), filter, path, zone);
  const parts: string[] = [];
  if (column.t && t !== null) parts.push(`${column.t} ${operator} ${instant(t, bound)}`);
  if (column.n && n !== null) parts.push(`ifNull(${column.n} ${operator} ${bound.add(n, 'Float64')}, 0)`);
  if (column.s && s !== null) parts.push(`ifNull(${column.s} ${operator} ${bound.add(s, 'String')}, 0)`);
  return either(parts);
}

/** `*` stands for any characters; case does not matter. */
function like(column: Column, value: string, bound: Bound): string {
  const pattern = value.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
  const texts = [column.s, column.n && `toString(${column.n})`, column.t && `toString(${column.t})`];
  return either(
    texts
      .filter((one) => typeof one === 'string')
      .map((one) => `ifNull(${one} ILIKE ${bound.add(pattern, 'String')}, 0)`),
  );
}

const either = (parts: string[]): string => (parts.length === 0 ? NEVER : `(${parts.join(' OR ')})`);

interface Typed {
  t: number | null;
  n: number | null;
  s: string | null;
}

/** The value as each kind of column of the field can hold it. Throws `request.invalid` where none can. */
function typed(column: Column, value: FilterScalar, filter: FieldFilter, path: string, zone: string): Typed {
  const found: Typed = {
    t: column.t === null ? null : toInstant(value, zone),
    n: column.n === null ? null : toNumber(value, column, zone),
    s: column.s !== null && typeof value === 'string' ? value : null,
  };
  if (found.t === null && found.n === null && found.s === null) throw unfit(column, value, filter, path);
  return found;
}

function toNumber(value: FilterScalar, { type }: Column, zone: string): number | null {
  if (type === 'date') return toInstant(value, zone);
  if (type === 'bool') {
    if (value === true || value === 1 || value === 'true' || value === '1') return 1;
    return value === false || value === 0 || value === 'false' || value === '0' ? 0 : null;
  }
  if (typeof value === 'boolean') return null;
  const number = typeof value === 'number' || NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function unfit({ type, t }: Column, value: FilterScalar, { field }: FieldFilter, path: string): AppError {
  const facts = { field, value: String(value).slice(0, 100) };
  const where = `${path}.value`;
  if (t !== null || type === 'date') return invalid('issue.filter_date', facts, where);
  if (type === 'bool') return invalid('issue.filter_bool', facts, where);
  return invalid(type === 'keyword' ? 'issue.filter_text' : 'issue.filter_number', facts, where);
}

function textOf(value: FilterScalar, { field }: FieldFilter, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid('issue.filter_text', { field, value: String(value) }, `${path}.value`);
}

function scalarOf({ field, operator, value }: FieldFilter): FilterScalar {
  if (value === undefined || Array.isArray(value)) {
    throw new AppError('search.filter_invalid', { field, operator });
  }
  return value;
}

function listOf({ field, operator, value }: FieldFilter): FilterScalar[] {
  if (value === undefined) throw new AppError('search.filter_invalid', { field, operator });
  return Array.isArray(value) ? value : [value];
}
