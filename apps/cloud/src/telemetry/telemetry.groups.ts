import { type Interval, parseInterval } from '@albedo/contract/telemetry/intervals';
import type { Aggregation, Grouping } from '@albedo/contract/telemetry/search.schema';
import { invalid } from '../errors/request-issues.ts';
import { Bound, type Column, columnOf } from './telemetry.columns.ts';
import { Cuts } from './telemetry.cuts.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { instantIn, type SearchScope, whereIn } from './telemetry.where.ts';

/** A group of an aggregation: its key as an expression, and where its intervals are cut. */
export interface Group {
  sql: string;
  cuts: Cuts | null;
  /** The intervals are cut on the date field of the search. */
  isOnTime: boolean;
  interval: Interval | null;
  /** What all events of a stream have in common. */
  ofStream: 'device' | 'source' | null;
  span: { from: number; to: number } | null;
}

/** All groups with their keys. Throws `table.field_unknown`, `request.invalid`. */
export async function groupsOf(scope: SearchScope, aggregation: Aggregation, bound: Bound): Promise<Group[]> {
  const groups: Group[] = [];
  for (const group of groupings(scope, aggregation))
    groups.push(await groupOf(scope, group, aggregation, bound));
  return groups;
}

function groupings({ query }: SearchScope, { groupBy, category, interval }: Aggregation): Grouping[] {
  return [
    ...groupBy,
    ...(category === undefined ? [] : [category]),
    ...(interval === undefined ? [] : [{ field: query.dateField, interval }]),
  ];
}

async function groupOf(scope: SearchScope, group: Grouping, of: Aggregation, bound: Bound): Promise<Group> {
  if (typeof group === 'string') {
    const column = columnOf(scope.table, scope.fields, group, bound);
    const ofStream = group === 'device' || group === 'source' ? group : null;
    return { sql: keyOf(column), cuts: null, isOnTime: false, interval: null, ofStream, span: null };
  }
  const { field } = group;
  const ms = instantIn(scope, field, bound);
  if (ms === null) throw invalid('issue.no_intervals', { field }, 'aggs');
  const span = await spanOf(scope, field, of.fill);
  const interval = parseInterval(group.interval) as Interval;
  const cuts = new Cuts(interval, span ?? { from: 0, to: 0 }, scope.query.timezone);
  const key = cuts.sql(`assumeNotNull(${ms})`, bound);
  return {
    sql: `if(isNull(${ms}), NULL, ${key})`,
    cuts,
    isOnTime: field === scope.query.dateField,
    interval,
    ofStream: null,
    span,
  };
}

function keyOf({ t, n, s }: Column): string {
  if (t) return `toFloat64(toUnixTimestamp64Milli(${t}))`;
  if (n && s) return `ifNull(toString(${n}), ${s})`;
  return n === null ? (s as string) : `toFloat64(${n})`;
}

/** The time that intervals have to cover: what is asked for, as far as there are events; null where there is none. */
export async function spanOf(
  scope: SearchScope,
  field: string,
  isFilled: boolean,
): Promise<{ from: number; to: number } | null> {
  const { range, dateField } = scope.query;
  const asked = field === dateField ? range : { from: null, to: null };
  if (isFilled && asked.from !== null && asked.to !== null) return { from: asked.from, to: asked.to };
  const bound = new Bound();
  const ms = instantIn(scope, field, bound);
  const sql = `SELECT min(${ms}), max(${ms}) FROM ${EVENTS} WHERE ${whereIn(scope, bound)} HAVING count(${ms}) > 0`;
  const [row] = await scope.clickhouse.queryRows<[string, string]>(sql, reading(bound, scope.signal));
  if (!row) return null;
  const [first, last] = [Number(row[0]), Number(row[1])];
  return isFilled ? { from: asked.from ?? first, to: asked.to ?? last + 1 } : { from: first, to: last + 1 };
}

/** The numbers of a column; null where it has none. */
export function numbersOf({ t, n, isBuiltIn }: Column): string | null {
  if (t !== null) return `toFloat64(toUnixTimestamp64Milli(${t}))`;
  return isBuiltIn && n !== null ? `toFloat64(${n})` : n;
}
