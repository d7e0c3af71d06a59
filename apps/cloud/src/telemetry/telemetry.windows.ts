import type { ClickHouse } from '@albedo/clickhouse/client';
import type { CounterReading } from '@albedo/energy/counter-readings';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains, type Excluded, type Restart } from '@albedo/energy/counters';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { condensedSql, readingsOf as counterReadings } from './telemetry.counters.ts';
import { Cuts } from './telemetry.cuts.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** What is made of the values of one stream; the contract's KPIs say what each means. */
export type WindowOperator =
  | 'average'
  | 'timeWeightedAverage'
  | 'min'
  | 'max'
  | 'sum'
  | 'count'
  | 'first'
  | 'last'
  | 'difference'
  | 'integral'
  | 'timeInState'
  | 'percentile'
  | 'deviation';

/** One stream. `value * factor + offset` is what is computed with; a counter is read as it is stored. */
export interface WindowStream {
  device: string;
  source: string;
  field: string;
  factor: number;
  offset: number;
  /** Its values say how much those of the other streams count. */
  isWeight?: boolean;
  /** Of a difference: so much per hour can be counted at most, as it is stored. What is more is doubted. */
  mostPerHour?: number | null;
}

export interface WindowsQuery {
  table: string;
  dateField: string;
  streams: readonly WindowStream[];
  /** Where intervals begin, and last where the last one ends; rising, epoch ms. */
  edges: readonly number[];
  /**
   * Some of the edges, the first and the last among them: each stretch between two of them is computed as if it were asked
   * for alone. What counts as a gap, and what came before, are then the same whatever else is asked with it.
   */
  stretches?: readonly number[];
  operator: WindowOperator;
  /** Of a percentile. */
  percent: number;
  /** Of a difference: as it is stored. */
  rollsOverAt: number | null;
  /** Of a difference: instants at which counters of days begin anew, rising; epoch ms. */
  restartsAt?: readonly number[];
  /** Of a difference: counters of days, which begin anew at every midnight of this zone. */
  restartsIn?: string | undefined;
  /** Of a time in state. */
  states: readonly (number | string)[];
  above: number | null;
  below: number | null;
  /** Of a time in state: only those slices of so many ms count in which the mean of other streams is at least `above`. */
  during?: { streams: readonly (WindowStream & { table: string })[]; above: number; ms: number } | undefined;
  /** Where edges are midnights of this zone, what is kept of its days may be put together. It changes no number. */
  days?: string;
  /** Means of so many ms come first, combined over all streams, which then are one. */
  slice: {
    ms: number;
    combine: 'sum' | 'average' | 'min' | 'max' | 'median' | 'count';
    /**
     * Where some streams are weights: what is made of a slice that has both values and weights, the weight (the mean of
     * all of them, 0 where it is negative) or the value times the weight.
     */
    weighted?: 'weight' | 'product';
  } | null;
}

/**
 * What one stream had in each interval. Gaps: `value` is null where nothing is known. `counts` are values that were read,
 * `coveredMs` how much of the interval lies between values without a gap.
 */
export interface WindowValues {
  values: (number | null)[];
  counts: number[];
  coveredMs: number[];
  /** Of a difference: what counts nothing in the range, and where a counter began anew. Missing where there is none. */
  excluded?: Excluded[];
  restarts?: Restart[];
  /** Of a difference: the part of each value that is more than can be counted. Missing where there is none. */
  doubted?: number[];
  /** Of what comes from kept days: when the oldest of them was computed, epoch ms. */
  madeAt?: number;
}

/** A pause is a gap where it is longer than this, ms, and than so many usual ones. */
const GAP_MS = 900_000;
const GAP_TIMES = 2.5;
/** A condition that is measured more rarely than its slices holds for so long, ms. */
const HELD_MS = 3_600_000;
/** Before and after the range so much is read too, ms: what counts at its edges lies between two values. */
export const BESIDE_MS = 86_400_000;
/** So far is looked for the reading before and after of counters that have none beside the range, ms. */
export const FAR_MS = 31 * 86_400_000;
/** Rows that one question may answer: one for each stream and interval. */
const ROWS = 1_000_000;
/** Readings that decide what counters come to; of each stream and interval a handful. */
const READINGS = 6_000_000;

/** Whose values are read, and the fields of the tables they are in; those of a condition may be in others. */
interface WindowsOf {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  fields: TableFields;
  others?: ReadonlyMap<string, TableFields> | undefined;
}

type Row = [string, string, number, number, number | null, number, number, number];

/** In the order of `streams`; with a slice there is one answer. Throws `table.field_unknown`, `request.invalid`. */
export async function readWindows(
  of: WindowsOf,
  query: WindowsQuery,
  signal?: AbortSignal,
): Promise<WindowValues[]> {
  const { streams, edges, operator, slice } = query;
  const starts = edges.slice(0, -1);
  const empty = (): WindowValues => ({
    values: starts.map(() => null),
    counts: starts.map(() => 0),
    coveredMs: starts.map(() => 0),
  });
  const answers = slice ? [empty()] : streams.map(empty);
  if (streams.length === 0 || starts.length === 0) return answers;
  if (operator === 'difference') {
    const [differences, counted] = await Promise.all([
      readDifferences(of, query, signal),
      readWindows(of, { ...query, operator: 'count' }, signal),
    ]);
    return differences.map((one, i) => ({ ...(counted[i] as WindowValues), ...one }));
  }
  const bound = new Bound();
  const readings = readingsOf(query, of.fields, bound);
  const sql = windowSql({ ...query, operator }, eachValue(of, query, readings, bound), bound);
  const rows = await of.clickhouse.queryRows<Row>(sql, reading(bound, signal, { max_result_rows: ROWS }));
  const lines = new Map<string, number[]>();
  streams.forEach((stream, i) => {
    const key = slice
      ? keyOf('', '', 0)
      : keyOf(stream.device.toLowerCase(), stream.source, readings.of[i] ?? 0);
    lines.set(key, [...(lines.get(key) ?? []), slice ? 0 : i]);
  });
  for (const [device, source, f, place, value, count, covered, known] of rows) {
    const at = place - 1;
    for (const line of new Set(lines.get(keyOf(device, source, f)) ?? [])) {
      const answer = answers[line] as WindowValues;
      answer.counts[at] = count;
      answer.coveredMs[at] = covered;
      answer.values[at] = known > 0 && value !== null ? value : null;
    }
  }
  return answers;
}

/** What of `WindowValues` counters say. */
type Differences = Pick<WindowValues, 'values' | 'excluded' | 'restarts' | 'doubted'>;

/**
 * What counters counted in each interval, from the readings that decide it. Those beside the range tell what lies at its
 * edges; where there are none, the next ones that are not too far.
 */
async function readDifferences(
  of: WindowsOf,
  query: WindowsQuery,
  signal?: AbortSignal,
): Promise<Differences[]> {
  const { edges, streams, slice } = query;
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const stretches = query.stretches ?? [first, last];
  const beside = stretches.flatMap((at) => [at - BESIDE_MS, at + BESIDE_MS]);
  const span = { from: first - BESIDE_MS, to: last + BESIDE_MS };
  const restartsAt = restartsOf(query);
  const known = restartsAt.filter((at) => at > span.from && at < span.to);
  const cuts = [...new Set([...edges, ...beside, ...known])].sort((a, b) => a - b);
  const found = await readCondensed(of, query, span, cuts, signal);
  const far = slice ? null : await readNearest(of, query, found, span, signal);
  return (slice ? [null] : streams).map((stream, i) => {
    const readings = [...(far?.earlier.get(i) ?? []), ...found(i), ...(far?.later.get(i) ?? [])];
    const answer: Differences = { values: edges.slice(1).map(() => null) };
    const mostPerHour = stream?.mostPerHour ?? null;
    const factor = slice ? 1 : (stream?.factor ?? 1);
    const rollsOverAt =
      slice && query.rollsOverAt !== null
        ? query.rollsOverAt * Math.abs(streams[0]?.factor ?? 1)
        : query.rollsOverAt;
    const options = { usualMs: Number.POSITIVE_INFINITY, rollsOverAt, restartsAt };
    for (let s = 0; s + 1 < stretches.length; s++) {
      const [from, to] = [stretches[s] as number, stretches[s + 1] as number];
      const [begin, end] = [edges.indexOf(from), edges.indexOf(to)];
      const counted = countGains(besideOf(readings, from, to), { ...options, mostPerHour });
      const isIn = ({ at }: { at: number }) => at >= from && at < to;
      const excluded = counted.excluded.filter((one) => one.until >= from && one.at < to);
      if (excluded.length > 0) answer.excluded = [...(answer.excluded ?? []), ...excluded];
      const restarts = counted.restarts.filter(isIn);
      if (restarts.length > 0) answer.restarts = [...(answer.restarts ?? []), ...restarts];
      // What is read with its sign turned counts up.
      const times = counted.countsDown ? Math.abs(factor) : factor;
      shareByIntervals(counted, edges.slice(begin, end + 1)).forEach(({ amount, doubted }, k) => {
        answer.values[begin + k] = amount === null ? null : amount * times;
        if (doubted === 0) return;
        answer.doubted ??= edges.slice(1).map(() => 0);
        answer.doubted[begin + k] = doubted * times;
      });
    }
    return answer;
  });
}

/** Where the counters of a question are known to begin anew, also far before its range and after it. */
function restartsOf({ restartsAt, restartsIn, edges }: WindowsQuery): readonly number[] {
  if (restartsIn === undefined) return restartsAt ?? [];
  const reach = FAR_MS + 2 * BESIDE_MS;
  const span = { from: (edges[0] as number) - reach, to: (edges.at(-1) as number) + reach };
  return new Cuts({ count: 1, unit: 'd' }, span, restartsIn).all(span, Number.POSITIVE_INFINITY);
}

/** The readings of a range and of a day at either side, and where there are none, the nearest ones of a day. */
function besideOf(readings: readonly CounterReading[], from: number, to: number): readonly CounterReading[] {
  let begin = readings.findIndex(({ at }) => at >= from - BESIDE_MS);
  if (begin < 0) begin = readings.length;
  let end = readings.findIndex(({ at }) => at >= to + BESIDE_MS);
  if (end < 0) end = readings.length;
  const lacksEarlier = begin > 0 && !((readings[begin]?.at ?? Number.POSITIVE_INFINITY) <= from);
  const lacksLater = end < readings.length && !((readings[end - 1]?.at ?? Number.NEGATIVE_INFINITY) >= to);
  if (lacksEarlier) {
    const nearest = (readings[--begin] as CounterReading).at;
    while (begin > 0 && (readings[begin - 1] as CounterReading).at > nearest - BESIDE_MS) begin--;
  }
  if (lacksLater) {
    const nearest = (readings[end++] as CounterReading).at;
    while (end < readings.length && (readings[end] as CounterReading).at < nearest + BESIDE_MS) end++;
  }
  if (begin === 0 && end === readings.length) return readings;
  // What was left out before the first one lies outside.
  return readings.slice(begin, end).map((one, i) => (i > 0 ? one : { at: one.at, value: one.value }));
}

/** The readings of counters that decide, by the place of their stream. */
async function readCondensed(
  of: WindowsOf,
  query: WindowsQuery,
  span: { from: number; to: number },
  cuts: readonly number[],
  signal?: AbortSignal,
): Promise<(stream: number) => readonly CounterReading[]> {
  const bound = new Bound();
  const readings = readingsOf(query, of.fields, bound);
  const { lines, places } = linesOf(query, readings, bound);
  const starts = bound.add(cuts, 'Array(Int64)');
  const mosts = mostsOf(query, places);
  const most =
    mosts && `, ${bound.add(mosts, 'Array(Float64)')}[least(${lines}, ${mosts.length}) + 1] AS most`;
  const each = eachValue(of, query, readings, bound, span);
  const values = `SELECT d, source, f, t, msg_id, v, roundDown(t, ${starts}) AS piece${most ?? ''} FROM (${each})`;
  const columns = await of.clickhouse.queryColumns(
    `SELECT line, toFloat64(at), value, toFloat64(skipped) FROM (
       SELECT ${lines} AS line, kt, kv, kl FROM (${condensedSql(values, mosts !== null)}))
     ARRAY JOIN kt AS at, kv AS value, kl AS skipped ORDER BY line, at`,
    ['UInt32', 'Float64', 'Float64', 'Float64'],
    reading(bound, signal, { max_result_rows: READINGS }),
  );
  const byPlace = counterReadings(...columns);
  return (stream) => byPlace.get(places[stream] ?? 0) ?? [];
}

/** What can be counted at most, by the place of a stream, per ms; null where none of them says it. */
function mostsOf({ streams, slice }: WindowsQuery, places: readonly number[]): number[] | null {
  if (slice || !streams.some(({ mostPerHour }) => typeof mostPerHour === 'number')) return null;
  const mosts = new Array<number>(Math.max(...places) + 1).fill(Number.MAX_VALUE);
  streams.forEach(({ mostPerHour }, i) => {
    const place = places[i] as number;
    if (typeof mostPerHour === 'number')
      mosts[place] = Math.min(mosts[place] as number, mostPerHour / 3_600_000);
  });
  return mosts;
}

/** The place of a row's stream among those that are read, as SQL; and that of each stream. */
function linesOf({ streams, slice }: WindowsQuery, readings: Readings, bound: Bound) {
  if (slice) return { lines: 'toUInt32(0)', places: [0] };
  const keys = streams.map(({ device, source }, i) =>
    keyOf(device.toLowerCase(), source, readings.of[i] ?? 0),
  );
  const distinct = [...new Set(keys)];
  const places = new Map(distinct.map((key, i) => [key, i]));
  const lines = `transform(concat(d, '\n', toString(f), '\n', toString(source)), ${bound.add(distinct, 'Array(String)')},
    range(toUInt32(${distinct.length})), toUInt32(${NO_LINE}))`;
  return { lines, places: keys.map((key) => places.get(key) as number) };
}
const NO_LINE = 0xffff_ffff;

type Instants = readonly Pick<CounterReading, 'at'>[];

/**
 * Of streams without a reading on one side of the range, those of a day around the nearest one there that is not too far, by
 * the place of the stream: one alone may be a wrong one. `readingsOf` says what is known of each, within `span`.
 */
export async function readNearest(
  of: WindowsOf,
  query: WindowsQuery,
  readingsOf: (stream: number) => Instants,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
): Promise<{ earlier: Map<number, CounterReading[]>; later: Map<number, CounterReading[]> }> {
  const [first, last] = [query.edges[0] as number, query.edges.at(-1) as number];
  const lacking = (isThere: (readings: Instants) => boolean) =>
    [...query.streams.keys()].filter((i) => !isThere(readingsOf(i)));
  const before = lacking((all) => (all[0]?.at ?? Number.POSITIVE_INFINITY) <= first);
  const after = to > Date.now() ? [] : lacking((all) => (all.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= last);
  const [earlier, later] = await Promise.all([
    nearestOf(of, query, before, { from: from - FAR_MS, to: from }, 'argMax', signal),
    nearestOf(of, query, after, { from: to, to: to + FAR_MS }, 'argMin', signal),
  ]);
  return { earlier, later };
}

async function nearestOf(
  of: WindowsOf,
  query: WindowsQuery,
  wanted: readonly number[],
  span: { from: number; to: number },
  pick: 'argMax' | 'argMin',
  signal?: AbortSignal,
): Promise<Map<number, CounterReading[]>> {
  if (wanted.length === 0) return new Map();
  const asked = { ...query, streams: wanted.map((i) => query.streams[i] as WindowStream) };
  const bound = new Bound();
  const readings = readingsOf(asked, of.fields, bound);
  const { lines, places } = linesOf(asked, readings, bound);
  const rows = await of.clickhouse.queryRows<[number, number]>(
    `SELECT ${lines} AS line, toFloat64(${pick}(t, (t, msg_id)))
     FROM (${eachValue(of, asked, readings, bound, span)}) GROUP BY d, source, f`,
    reading(bound, signal),
  );
  if (rows.length === 0) return new Map();
  const nearest = new Map(rows);
  const isEarlier = pick === 'argMax';
  const dayOf = (at: number) =>
    isEarlier ? { from: at - BESIDE_MS + 1, to: at + 1 } : { from: at, to: at + BESIDE_MS };
  const days = [...nearest.values()].map(dayOf);
  const all = { from: Math.min(...days.map((day) => day.from)), to: Math.max(...days.map((day) => day.to)) };
  const found = wanted.flatMap((stream, i) => {
    const at = nearest.get(places[i] as number);
    return at === undefined ? [] : [{ stream, ...dayOf(at) }];
  });
  const some = { ...query, streams: found.map(({ stream }) => query.streams[stream] as WindowStream) };
  // Cut where the day of any of them begins, so that none loses what decides within its own.
  const edges = found.flatMap(({ from, to }) => [from, to]);
  const known = restartsOf(query).filter((at) => at > all.from && at < all.to);
  const cuts = [...new Set([...edges, ...known])].sort((a, b) => a - b);
  const near = await readCondensed(of, some, all, cuts, signal);
  return new Map(
    found.map(({ stream, from, to }, i) => {
      const within = near(i).filter(({ at }) => at >= from && at < to);
      // What was left out before the first one lies outside.
      return [stream, within.map((one, k) => (k > 0 ? one : { at: one.at, value: one.value }))];
    }),
  );
}

const keyOf = (device: string, source: string, f: number): string => `${device}\n${f}\n${source}`;

/** Each way to read an event: a field with a scale. Many streams have the same. */
interface Readings {
  all: { sql: string; isWeight: boolean }[];
  /** The way of each stream, by its place in `all`. */
  of: number[];
}

function readingsOf(query: WindowsQuery, fields: TableFields, bound: Bound): Readings {
  const isPlain = query.operator === 'difference' && query.slice === null;
  const known = new Map<string, number>();
  const all: Readings['all'] = [];
  const of = query.streams.map(({ field, factor, offset, isWeight = false }) => {
    const scale = isPlain ? { factor: 1, offset: 0 } : { factor, offset };
    const key = JSON.stringify([field, scale, isWeight]);
    const place = known.get(key) ?? all.length;
    if (place === all.length) {
      known.set(key, place);
      all.push({ sql: valueSql(query, fields, field, scale, bound), isWeight });
    }
    return place;
  });
  return { all, of };
}

function valueSql(
  { table, operator, states, above, below, during }: WindowsQuery,
  fields: TableFields,
  field: string,
  { factor, offset }: { factor: number; offset: number },
  bound: Bound,
): string {
  const [n, s] = [fields.n.get(field), fields.s.get(field)];
  if (!n && !(s && operator === 'timeInState')) throw new AppError('table.field_unknown', { table, field });
  const raw = n ? `toFloat64(${slotExpression(n, bound)})` : 'NULL';
  const isSame = factor === 1 && offset === 0;
  const value = isSame ? raw : `(${raw} * ${bound.add(factor, 'Float64')} + ${bound.add(offset, 'Float64')})`;
  if (operator !== 'timeInState') return value;
  const numbers = states.map(Number).filter((one) => Number.isFinite(one));
  const ofNumber = [
    ...(numbers.length > 0 ? [`has(${bound.add(numbers, 'Array(Float64)')}, assumeNotNull(${raw}))`] : []),
    ...(above === null && below === null
      ? []
      : [
          `(${above === null ? '1' : `${value} >= ${bound.add(above, 'Float64')}`}
            AND ${below === null ? '1' : `${value} <= ${bound.add(below, 'Float64')}`})`,
        ]),
  ];
  // With nothing but times that count, whatever it says counts.
  const isAny = during !== undefined && states.length === 0 && ofNumber.length === 0;
  const isIn = n
    ? `if(isNull(${raw}), NULL, toNullable(toFloat64(${isAny ? '1' : ofNumber.join(' OR ') || '0'})))`
    : "CAST(NULL, 'Nullable(Float64)')";
  if (!s) return isIn;
  const text = slotExpression(s, bound);
  const texts = bound.add(states.map(String), 'Array(String)');
  const ofText = isAny ? '1' : `has(${texts}, assumeNotNull(${text}))`;
  return `coalesce(${isIn}, if(isNull(${text}), NULL, toNullable(toFloat64(${ofText}))))`;
}

/** Every value: `d`, `source`, `f` (how it is read), `t` (Int64, epoch ms), `msg_id` and `v`. */
function eachValue(
  of: WindowsOf,
  query: WindowsQuery,
  readings: Readings,
  bound: Bound,
  span = {
    from: (query.edges[0] as number) - BESIDE_MS,
    to: (query.edges.at(-1) as number) + BESIDE_MS,
  },
): string {
  const { workgroup, devices, fields } = of;
  const { table, dateField, streams, slice } = query;
  const from = bound.add(span.from, 'Int64');
  const to = bound.add(span.to, 'Int64');
  const slot = fields.n.get(dateField);
  if (dateField !== 'event_time' && slot?.type !== 'date')
    throw invalid('issue.date_field', { field: dateField }, 'dateField');
  const date = dateField !== 'event_time' && slot ? slotExpression(slot, bound) : null;
  const within =
    date === null
      ? `event_time >= fromUnixTimestamp64Milli(${from}, 'UTC') AND event_time < fromUnixTimestamp64Milli(${to}, 'UTC')`
      : `isNotNull(${date}) AND ${date} >= ${from} AND ${date} < ${to}`;
  const t = date === null ? 'toUnixTimestamp64Milli(event_time)' : `assumeNotNull(toInt64(${date}))`;
  const distinct = (all: readonly string[]) => [...new Set(all)];
  const values = readings.all.map(({ sql }, i) => `(${i}, ${sql})`);
  const wanted = `arrayZip(${bound.add(
    streams.map(({ device }) => device.toLowerCase()),
    'Array(UUID)',
  )}, ${bound.add(
    streams.map(({ source }) => source),
    'Array(String)',
  )}, ${bound.add(readings.of, 'Array(UInt16)')})`;
  const read = `SELECT device AS d, source, toUInt16(one.1) AS f, ${t} AS t, msg_id, assumeNotNull(one.2) AS v
    FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
      AND device IN ${bound.add(distinct(streams.map(({ device }) => device.toLowerCase())), 'Array(UUID)')}
      AND source IN ${bound.add(distinct(streams.map(({ source }) => source)), 'Array(String)')}
      AND ${scopeFilter(devices, bound)} AND ${within} AND isNotNull(one.2)
      AND (device, source, toUInt16(one.1)) IN ${wanted}`;
  const each = query.during ? onlyDuring(of, query, query.during, read, bound) : read;
  if (!slice) return `SELECT toString(d) AS d, source, f, t, msg_id, v FROM (${each})`;
  const ms = bound.add(slice.ms, 'Int64');
  const weights = bound.add(
    readings.all.flatMap(({ isWeight }, i) => (isWeight ? [i] : [])),
    'Array(UInt16)',
  );
  const isWeight = `has(${weights}, way)`;
  const combined = `${COMBINE[slice.combine](`NOT ${isWeight}`)}`;
  const weight = `greatest(avgIf(m, ${isWeight}), 0.)`;
  const made = { weight, product: `${combined} * ${weight}` };
  const both = `HAVING countIf(${isWeight}) > 0 AND countIf(NOT ${isWeight}) > 0`;
  return `SELECT '' AS d, '' AS source, toUInt16(0) AS f, s AS t, toUInt64(0) AS msg_id,
      ${slice.weighted ? made[slice.weighted] : combined} AS v
    FROM (SELECT d, source, f AS way, intDiv(t, ${ms}) * ${ms} AS s, avg(v) AS m FROM (${each})
      GROUP BY d, source, f, s)
    GROUP BY s ${slice.weighted ? both : ''}`;
}

/** States that are 0 in the slices in which the mean of the other streams is too low, or unknown. */
function onlyDuring(
  of: WindowsOf,
  query: WindowsQuery,
  { streams, above, ms }: NonNullable<WindowsQuery['during']>,
  states: string,
  bound: Bound,
): string {
  const slices = [...Map.groupBy(streams, ({ table }) => table)].flatMap(([table, ofTable]) => {
    const fields = table === query.table ? of.fields : of.others?.get(table);
    if (!fields) return [];
    const slice = { ms, combine: 'average' as const };
    const asked = { ...query, table, streams: ofTable, slice, during: undefined };
    const question = { ...asked, dateField: 'event_time', operator: 'average' as const };
    return [eachValue({ ...of, fields }, question, readingsOf(question, fields, bound), bound)];
  });
  if (slices.length === 0) return `SELECT d, source, f, t, msg_id, 0. AS v FROM (${states})`;
  const means = `SELECT 1 AS one, t AS s, avg(v) AS m FROM (${slices.join(' UNION ALL ')}) GROUP BY t`;
  const counts = `m >= ${bound.add(above, 'Float64')} AND t - s < ${HELD_MS}`;
  return `SELECT d, source, f, t, msg_id, if(isNotNull(s) AND ${counts}, v, 0.) AS v
    FROM (SELECT *, 1 AS one FROM (${states})) AS states
    ASOF LEFT JOIN (SELECT one, toNullable(s) AS s, s AS since, m FROM (${means})) AS means
      ON states.one = means.one AND states.t >= means.since`;
}

/** The values of a slice as one, of those for which something holds. */
const COMBINE = {
  sum: (holds: string) => `sumIf(m, ${holds})`,
  average: (holds: string) => `avgIf(m, ${holds})`,
  min: (holds: string) => `minIf(m, ${holds})`,
  max: (holds: string) => `maxIf(m, ${holds})`,
  median: (holds: string) => `quantileExactInclusiveIf(0.5)(m, ${holds})`,
  count: (holds: string) => `toFloat64(countIf(${holds}))`,
};

/**
 * One row for each stream and interval. A value belongs to the interval in which it lies (`isOwn`); the time from it to
 * the next one, unless it is a gap, to every interval that it touches (`ms`, and `area` in value times ms).
 */
function windowSql(query: Asked, each: string, bound: Bound): string {
  const { edges, operator, stretches = [edges[0] as number, edges.at(-1) as number] } = query;
  const starts = bound.add(edges.slice(0, -1), 'Array(Int64)');
  const ends = bound.add(edges.slice(1), 'Array(Int64)');
  const first = bound.add(edges[0], 'Int64');
  const last = bound.add(edges.at(-1), 'Int64');
  const places = bound.add(
    edges.slice(1).map((_, i) => i + 1),
    'Array(UInt32)',
  );
  // What lies before the first interval or after the last one is nearest to it.
  const placeAt = (ms: string) => `transform(roundDown(${ms}, ${starts}), ${starts}, ${places}, toUInt32(1))`;
  const height =
    operator === 'timeInState' ? 'v' : 'v + (v2 - v) * ((lo + hi) / 2 - t) / greatest(t2 - t, 1)';
  const { value, known } = VALUES[operator](bound, query);
  const { parts, partOf } = partsSql(edges, stretches, bound);
  return `SELECT d, source, f, toUInt32(e), toNullable(${value}), toFloat64(countIf(isOwn)),
      toFloat64(sumIf(ms, ms > 0)), toFloat64(${known})
    FROM (
      SELECT d, source, f, part, t, msg_id, v, e, isOwn, ms, (${height}) * ms AS area
      FROM (
        SELECT d, source, f, part, t, msg_id, v, v2, t2, e,
          e = e1 AND t >= ${first} AND t < ${last} AS isOwn,
          greatest(t, arrayElement(${starts}, e)) AS lo, least(t2, arrayElement(${ends}, e)) AS hi,
          if(isKnown AND hi > lo, hi - lo, 0) AS ms
        FROM (
          SELECT *, isFollowed AND t2 > t AND t2 - t <= greatest(${GAP_MS}, ${GAP_TIMES} * usual) AS isKnown,
            ${placeAt('t')} AS e1,
            arrayJoin(range(e1, if(isKnown, ${placeAt('t2 - 1')}, e1) + 1)) AS e
          FROM (
            SELECT d, source, f, part, t, msg_id, v, isNotNull(after) AS isFollowed,
              ifNull(after, t) AS t2, ifNull(next, v) AS v2,
              quantileExactIf(0.5)(t2 - t, isFollowed AND t2 > t) OVER (PARTITION BY d, source, f, part) AS usual
            FROM (
              SELECT d, source, f, part, t, msg_id, v, leadInFrame(toNullable(v)) OVER w AS next,
                leadInFrame(toNullable(t)) OVER w AS after
              FROM (SELECT *, arrayJoin(${parts}) AS part FROM (${each}))
              WINDOW w AS (PARTITION BY d, source, f, part ORDER BY t, msg_id
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)))))
      WHERE (isOwn OR ms > 0) AND arrayElement(${partOf}, e) = part)
    GROUP BY d, source, f, e ORDER BY e`;
}

/** Differences go another way. */
type Asked = WindowsQuery & { operator: Exclude<WindowOperator, 'difference'> };

/** The stretches that read an event, and the stretch of each interval. */
function partsSql(edges: readonly number[], stretches: readonly number[], bound: Bound) {
  let part = 0;
  const partOf = edges.slice(0, -1).map((start) => {
    while (part + 2 < stretches.length && start >= (stretches[part + 1] as number)) part++;
    return part;
  });
  const begins = bound.add(
    stretches.slice(0, -1).map((at) => at - BESIDE_MS),
    'Array(Int64)',
  );
  const ends = bound.add(
    stretches.slice(1).map((at) => at + BESIDE_MS),
    'Array(Int64)',
  );
  const all = `range(toUInt32(${stretches.length - 1}))`;
  const reads = `t >= arrayElement(${begins}, p + 1) AND t < arrayElement(${ends}, p + 1)`;
  return {
    parts: stretches.length === 2 ? '[toUInt32(0)]' : `arrayFilter(p -> ${reads}, ${all})`,
    partOf: bound.add(partOf, 'Array(UInt32)'),
  };
}

const own = (value: string) => ({ value, known: 'countIf(isOwn)' });
const overTime = (value: string) => ({ value, known: 'sumIf(ms, ms > 0)' });

/** The value of an interval, and what is 0 where there is none. */
const VALUES: Record<
  Asked['operator'],
  (bound: Bound, query: WindowsQuery) => { value: string; known: string }
> = {
  average: () => own('avgIf(v, isOwn)'),
  min: () => own('minIf(v, isOwn)'),
  max: () => own('maxIf(v, isOwn)'),
  sum: () => own('sumIf(v, isOwn)'),
  count: () => own('toFloat64(countIf(isOwn))'),
  first: () => own('argMinIf(v, (t, msg_id), isOwn)'),
  last: () => own('argMaxIf(v, (t, msg_id), isOwn)'),
  deviation: () => own('stddevPopStableIf(v, isOwn)'),
  percentile: (_bound, { percent }) => own(`quantileExactInclusiveIf(${percent / 100})(v, isOwn)`),
  integral: () => overTime('sumIf(area, ms > 0) / 3600000'),
  timeInState: () => overTime('sumIf(area, ms > 0) / 3600000'),
  timeWeightedAverage: () => overTime('sumIf(area, ms > 0) / sumIf(ms, ms > 0)'),
};
