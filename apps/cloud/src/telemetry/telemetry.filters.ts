import type { SearchFilter, SearchQuery } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { type Bound, type Column, columnOf } from './telemetry.columns.ts';
import { scopeFilter } from './telemetry.scope.ts';

type Scalar = string | number | boolean;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NEVER = '0';

/** Everything that a search demands of an event, as one expression. Throws `table.field_unknown`, `search.filter_invalid`. */
export function whereOf(
  workgroup: string,
  scope: DeviceScope,
  table: string,
  fields: TableFields,
  query: Pick<SearchQuery, 'filters' | 'timeframe' | 'dateField'>,
  bound: Bound,
): string {
  const parts = [`workgroup = ${bound.add(workgroup, 'String')}`, `tbl = ${bound.add(table, 'String')}`];
  if (!scope.isAll) parts.push(scopeFilter(scope, bound));
  if (query.timeframe) {
    const column = columnOf(table, fields, query.dateField, bound);
    const { from, to } = query.timeframe;
    if (column.t) {
      parts.push(`${column.t} >= ${instant(from, bound)}`, `${column.t} < ${instant(to, bound)}`);
    } else if (column.n) {
      parts.push(`${column.n} >= ${bound.add(from, 'Float64')}`, `${column.n} < ${bound.add(to, 'Float64')}`);
    } else parts.push(NEVER);
  }
  for (const filter of query.filters) {
    parts.push(
      filter.field === 'device'
        ? deviceFilter(filter, bound)
        : filterOf(columnOf(table, fields, filter.field, bound), filter, bound),
    );
  }
  return parts.join(' AND ');
}

const instant = (ms: number, bound: Bound): string =>
  `fromUnixTimestamp64Milli(${bound.add(Math.trunc(ms), 'Int64')}, 'UTC')`;

/** Equality with devices is written so that the index serves it. */
function deviceFilter(filter: SearchFilter, bound: Bound): string {
  const column: Column = { t: null, n: null, s: 'toString(device)', isDate: false, isBuiltIn: true };
  if (!['=', '!=', 'IN', 'NOT IN'].includes(filter.operator)) return filterOf(column, filter, bound);
  const ids = listOf(filter)
    .map((value) => String(value).toLowerCase())
    .filter((id) => UUID.test(id));
  const among = `device IN ${bound.add(ids, 'Array(UUID)')}`;
  return filter.operator === '=' || filter.operator === 'IN' ? among : `NOT (${among})`;
}

/** An event without the field fits `!=`, `NOT IN` and `NOT EXISTS`, and nothing else. */
function filterOf(column: Column, filter: SearchFilter, bound: Bound): string {
  const { operator } = filter;
  switch (operator) {
    case 'EXISTS':
      return exists(column);
    case 'NOT EXISTS':
      return `NOT (${exists(column)})`;
    case 'LIKE':
      return like(column, scalarOf(filter), bound);
    case '=':
    case 'IN':
      return among(column, listOf(filter), bound);
    case '!=':
    case 'NOT IN':
      return `NOT (${among(column, listOf(filter), bound)})`;
    default:
      return compared(column, operator, scalarOf(filter), bound);
  }
}

function exists(column: Column): string {
  if (column.isBuiltIn) return '1';
  return either([column.n, column.s].filter((one) => one !== null).map((one) => `isNotNull(${one})`));
}

function among(column: Column, values: Scalar[], bound: Bound): string {
  const parts: string[] = [];
  if (column.t) {
    const times = values.map(toInstant).filter((one) => one !== null);
    parts.push(...times.map((ms) => `${column.t} = ${instant(ms, bound)}`));
  }
  if (column.n) {
    const numbers = values.map((value) => toNumber(value, column.isDate)).filter((one) => one !== null);
    if (numbers.length > 0) parts.push(`ifNull(${column.n} IN ${bound.add(numbers, 'Array(Float64)')}, 0)`);
  }
  if (column.s) parts.push(`ifNull(${column.s} IN ${bound.add(values.map(String), 'Array(String)')}, 0)`);
  return either(parts);
}

function compared(column: Column, operator: '>' | '>=' | '<' | '<=', value: Scalar, bound: Bound): string {
  const parts: string[] = [];
  const ms = toInstant(value);
  if (column.t && ms !== null) parts.push(`${column.t} ${operator} ${instant(ms, bound)}`);
  const number = toNumber(value, column.isDate);
  if (column.n && number !== null) {
    parts.push(`ifNull(${column.n} ${operator} ${bound.add(number, 'Float64')}, 0)`);
  }
  if (column.s && typeof value === 'string') {
    parts.push(`ifNull(${column.s} ${operator} ${bound.add(value, 'String')}, 0)`);
  }
  return either(parts);
}

/** `*` stands for any characters; case does not matter. */
function like(column: Column, value: Scalar, bound: Bound): string {
  const pattern = String(value)
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%');
  const texts = [column.s, column.n && `toString(${column.n})`, column.t && `toString(${column.t})`];
  return either(
    texts
      .filter((one) => typeof one === 'string')
      .map((one) => `ifNull(${one} ILIKE ${bound.add(pattern, 'String')}, 0)`),
  );
}

const either = (parts: string[]): string => (parts.length === 0 ? NEVER : `(${parts.join(' OR ')})`);

function scalarOf({ field, operator, value }: SearchFilter): Scalar {
  if (value === undefined || Array.isArray(value)) {
    throw new AppError('search.filter_invalid', { field, operator });
  }
  return value;
}

function listOf({ field, operator, value }: SearchFilter): Scalar[] {
  if (value === undefined) throw new AppError('search.filter_invalid', { field, operator });
  return Array.isArray(value) ? value : [value];
}

function toNumber(value: Scalar, isDate: boolean): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === 'true' || value === 'false') return value === 'true' ? 1 : 0;
  const number = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  return isDate ? toInstant(value) : null;
}

/** Epoch ms, or ISO 8601 (without a zone: UTC). */
function toInstant(value: Scalar): number | null {
  if (typeof value === 'boolean') return null;
  const number = Number(value);
  if (value !== '' && Number.isFinite(number)) return number;
  const text = String(value);
  const ms = Date.parse(/([zZ]|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}
