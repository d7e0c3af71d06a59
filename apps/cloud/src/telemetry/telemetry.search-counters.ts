import type { Aggregation } from '@albedo/contract/telemetry/search.schema';
import type { CounterReading } from '@albedo/energy/counter-readings';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains } from '@albedo/energy/counters';
import { invalid } from '../errors/request-issues.ts';
import { Bound, type Cell, columnOf } from './telemetry.columns.ts';
import { condensedSql } from './telemetry.counters.ts';
import { Cuts } from './telemetry.cuts.ts';
import { type Group, groupsOf, numbersOf, spanOf } from './telemetry.groups.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { instantIn, type SearchScope, whereIn } from './telemetry.where.ts';
import { BESIDE_MS, FAR_MS } from './telemetry.windows.ts';

/** One value for each group. */
export type GroupValues = { keys: Cell[]; value: number }[];

/** Readings that one difference may look at, one by one. */
const READINGS = 1_000_000;
/** Where pieces begin that lie before the range and after it. */
const [BEFORE, AFTER] = ['-1.', '9e15'];

/** The readings of one stream, oldest first, each with the keys of its groups where they differ within the stream. */
interface Stream {
  device: string;
  source: string;
  readings: CounterReading[];
  keys: Cell[][] | null;
}

/**
 * What counters counted, by group, by the one arithmetic of counters: `packages/energy/src/counters.ts`. Readings of a day
 * before and after the timeframe tell what was counted at its ends. Intervals of the date field share what was counted
 * between two readings by time; of other groups, that of the later reading has it.
 */
export async function readDifference(
  scope: SearchScope,
  aggregation: Aggregation,
  field: string,
  depth: number,
): Promise<GroupValues> {
  const groups = await groupsOf(scope, aggregation, new Bound());
  // What cannot be counted is said first.
  eachReading(scope, field, new Bound());
  const place = groups.findIndex(({ isOnTime }) => isOnTime);
  const cuts = await cutsOf(scope, groups[place]);
  // There is no event that says which intervals there are.
  if (place >= 0 && !cuts) return [];
  const isOfStream = groups.every(({ ofStream }, i) => i === place || ofStream !== null);
  const read: Read = async (some, within) => {
    const bound = new Bound();
    const each = eachReading(some, field, bound);
    return isOfStream
      ? await condensed(some, { ...each, cuts: within }, bound)
      : await oneByOne(some, { ...each, groups: await groupsOf(scope, aggregation, bound) }, bound);
  };
  const near = await read(beside(scope), { cuts, range: scope.query.range });
  const streams = await withNearest(scope, field, near, read);
  const sums = new Sums();
  for (const stream of streams) addStream(sums, stream, { scope, groups, place, cuts, depth });
  return sums.values();
}

/** Pieces in which readings are looked at. */
interface Pieces {
  cuts: Cuts | null;
  range: SearchScope['query']['range'];
}

type Read = (scope: SearchScope, pieces: Pieces) => Promise<Stream[]>;

/** The readings of a search as SQL: what is selected of each, and which. */
function eachReading(scope: SearchScope, field: string, bound: Bound): { each: string; where: string } {
  const value = numbersOf(columnOf(scope.table, scope.fields, field, bound));
  if (value === null) throw invalid('issue.aggregation_numbers', { field }, 'aggs');
  const at = instantIn(scope, scope.query.dateField, bound);
  const where = `${whereIn(scope, bound)} AND isNotNull(${value}) AND isNotNull(${at})`;
  const each = `SELECT toString(device) AS d, toString(source) AS source, msg_id, assumeNotNull(toFloat64(${value})) AS v,
      assumeNotNull(${at}) AS t`;
  return { each, where };
}

const beside = (scope: SearchScope, by = BESIDE_MS): SearchScope => {
  const { from, to } = scope.query.range;
  return over(scope, { from: from === null ? null : from - by, to: to === null ? null : to + by });
};

const over = ({ query, ...scope }: SearchScope, range: Pieces['range']): SearchScope => ({
  ...scope,
  query: { ...query, range },
});

/** Streams with the readings of a day around the nearest one, wherever they lack one on a side of the range. */
async function withNearest(scope: SearchScope, field: string, near: Stream[], read: Read): Promise<Stream[]> {
  const { from, to } = scope.query.range;
  const known = new Map(near.map((stream) => [nameOf(stream), stream]));
  const sides = [
    ...(from === null ? [] : [{ from: from - BESIDE_MS - FAR_MS, to: from - BESIDE_MS, isEarlier: true }]),
    ...(to === null || to + BESIDE_MS > Date.now()
      ? []
      : [{ from: to + BESIDE_MS, to: to + BESIDE_MS + FAR_MS, isEarlier: false }]),
  ];
  const found = await Promise.all(
    sides.map(async ({ isEarlier, ...far }) => {
      const whole = near.filter(({ readings }) =>
        isEarlier ? (readings[0]?.at ?? 0) <= (from ?? 0) : (readings.at(-1)?.at ?? 0) >= (to ?? 0),
      );
      const bound = new Bound();
      const { each, where } = eachReading(over(scope, far), field, bound);
      const lacking = `concat(d, '\n', source) NOT IN ${bound.add(whole.map(nameOf), 'Array(String)')}`;
      const rows = await scope.clickhouse.queryRows<[string, string, number]>(
        `SELECT d, source, toFloat64(${isEarlier ? 'max' : 'min'}(t)) FROM (${each} FROM ${EVENTS} WHERE ${where})
         WHERE ${lacking} GROUP BY d, source`,
        reading(bound, scope.signal),
      );
      if (rows.length === 0) return { isEarlier, streams: [] };
      const days = new Map(
        rows.map(([device, source, at]) => [
          nameOf({ device, source }),
          isEarlier ? { from: at - BESIDE_MS + 1, to: at + 1 } : { from: at, to: at + BESIDE_MS },
        ]),
      );
      const all = [...days.values()];
      const range = {
        from: Math.min(...all.map((day) => day.from)),
        to: Math.max(...all.map((day) => day.to)),
      };
      const streams = await read(over(scope, range), { cuts: null, range });
      return { isEarlier, streams: streams.flatMap((one) => partOfStream(one, days.get(nameOf(one)))) };
    }),
  );
  for (const { isEarlier, streams } of found)
    for (const one of streams) {
      const other = known.get(nameOf(one));
      const [a, b] = isEarlier ? [one, other] : [other, one];
      const keys = a?.keys || b?.keys ? [...(a?.keys ?? []), ...(b?.keys ?? [])] : null;
      const readings = [...(a?.readings ?? []), ...(b?.readings ?? [])];
      known.set(nameOf(one), { device: one.device, source: one.source, readings, keys });
    }
  return [...known.values()];
}

const nameOf = ({ device, source }: Pick<Stream, 'device' | 'source'>): string => `${device}\n${source}`;

/** The readings of a stream in a stretch of time; what was left out before the first one lies outside. */
function partOfStream(stream: Stream, span: { from: number; to: number } | undefined): Stream[] {
  if (!span) return [];
  const isIn = ({ at }: CounterReading) => at >= span.from && at < span.to;
  const keys = stream.keys?.filter((_, i) => isIn(stream.readings[i] as CounterReading)) ?? null;
  const readings = stream.readings.filter(isIn);
  return [
    { ...stream, keys, readings: readings.map((one, i) => (i > 0 ? one : { at: one.at, value: one.value })) },
  ];
}

/** Where the intervals of the date field are cut, wherever something can be counted; null without such ones. */
async function cutsOf(scope: SearchScope, group: Group | undefined): Promise<Cuts | null> {
  if (!group?.interval) return null;
  const { range, dateField, timezone } = scope.query;
  const all = (await spanOf(beside(scope, BESIDE_MS + FAR_MS), dateField, false)) ?? group.span;
  if (!all) return null;
  const from = Math.max(range.from ?? all.from, all.from);
  return new Cuts(group.interval, { from, to: Math.min(range.to ?? all.to, all.to) }, timezone);
}

async function condensed(
  { clickhouse, signal }: SearchScope,
  { each, where, cuts: { cuts, range } }: { each: string; where: string; cuts: Pieces },
  bound: Bound,
): Promise<Stream[]> {
  const ends = [
    ...(range.from === null ? [] : [`t < ${bound.add(range.from, 'Int64')}, ${BEFORE}`]),
    ...(range.to === null ? [] : [`t >= ${bound.add(range.to, 'Int64')}, ${AFTER}`]),
  ];
  const within = cuts ? cuts.sql('t', bound) : '0.';
  const piece = ends.length > 0 ? `multiIf(${ends.join(', ')}, ${within})` : within;
  const values = `SELECT d, source, 0 AS f, t, msg_id, v, ${piece} AS piece FROM (${each} FROM ${EVENTS} WHERE ${where})`;
  const lists = ['kt', 'kv', 'kl'].map(
    (name) => `arrayMap(x -> toFloat64(x), arrayFlatten(groupArray(${name})))`,
  );
  const rows = await clickhouse.queryLists(
    `SELECT d, source, ${lists.join(', ')} FROM (${condensedSql(values)}) GROUP BY d, source`,
    { texts: 2, lists: 3 },
    reading(bound, signal),
  );
  return rows.map(({ texts: [device = '', source = ''], lists: [times, counts, left] }) => {
    const readings = Array.from(times ?? [], (time, i): CounterReading => {
      const skipped = left?.[i] ?? 0;
      return { at: time, value: counts?.[i] ?? 0, ...(skipped > 0 ? { left: skipped } : {}) };
    });
    // Pieces may come in any order; what was left out before a reading stays with it.
    return { device, source, keys: null, readings: readings.sort((a, b) => a.at - b.at) };
  });
}

async function oneByOne(
  { clickhouse, signal }: SearchScope,
  { each, where, groups }: { each: string; where: string; groups: readonly Group[] },
  bound: Bound,
): Promise<Stream[]> {
  const keys = groups.map(({ sql }, i) => `, ${sql} AS g${i}`).join('');
  const names = groups.map((_, i) => `, g${i}`).join('');
  const rows = await clickhouse.queryRows<[string, string, number, number, ...Cell[]]>(
    `SELECT d, source, toFloat64(t), v${names} FROM (${each}${keys} FROM ${EVENTS} WHERE ${where})
     ORDER BY d, source, t, msg_id`,
    reading(bound, signal, { max_result_rows: READINGS }),
  );
  const streams = new Map<string, Stream & { keys: Cell[][] }>();
  for (const [device, source, at, value, ...own] of rows) {
    const name = `${device}\n${source}`;
    const stream = streams.get(name) ?? { device, source, readings: [], keys: [] };
    streams.set(name, stream);
    stream.readings.push({ at, value });
    stream.keys.push(own);
  }
  return [...streams.values()];
}

interface Sharing {
  scope: SearchScope;
  groups: readonly Group[];
  /** Which of the groups are intervals of the date field; -1 for none. */
  place: number;
  cuts: Cuts | null;
  depth: number;
}

/** Adds what one stream counted to its groups. */
function addStream(sums: Sums, stream: Stream, { scope, groups, place, cuts, depth }: Sharing): void {
  const { readings } = stream;
  const { range } = scope.query;
  const [from, to] = [range.from ?? Number.NEGATIVE_INFINITY, range.to ?? Number.POSITIVE_INFINITY];
  const byTime = new Map(stream.keys?.map((keys, i) => [readings[i]?.at, keys]));
  const keysAt = (at: number, start: number | null): Cell[] => {
    const own = byTime.get(at) ?? groups.map(({ ofStream }) => (ofStream ? stream[ofStream] : null));
    return place < 0 || start === null ? own.slice(0, depth) : own.with(place, start).slice(0, depth);
  };
  for (const { at } of readings)
    if (at >= from && at < to) sums.add(keysAt(at, cuts ? cuts.startOf(at) : null), 0);
  const counted = countGains(readings, { usualMs: Number.POSITIVE_INFINITY });
  const first = Math.max(from, counted.gains[0]?.from ?? Number.POSITIVE_INFINITY);
  const last = Math.min(to, counted.gains.at(-1)?.to ?? Number.NEGATIVE_INFINITY);
  if (last <= first) return;
  const starts = cuts ? cuts.all({ from: first, to: last }, Number.POSITIVE_INFINITY) : [first];
  const edges = [first, ...starts.slice(1), last];
  // What differs within the stream goes by the later reading, so that each gain is shared by itself.
  const parts = stream.keys ? counted.gains.map((gain) => [gain]) : [counted.gains];
  for (const gains of parts) {
    // Of all intervals those that it touches: there may be thousands of each.
    const begin = Math.max(0, placeAfter(edges, gains[0]?.from ?? first) - 1);
    const end = placeAfter(edges, gains.at(-1)?.to ?? last) + 1;
    for (const [i, { amount }] of shareByIntervals({ gains, gaps: [] }, edges.slice(begin, end)).entries())
      if (amount !== null)
        sums.add(keysAt(gains.at(-1)?.to ?? 0, cuts ? (starts[begin + i] as number) : null), amount);
  }
}

/** The place of the first of some rising instants that lies after `at`. */
function placeAfter(instants: readonly number[], at: number): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((instants[middle] as number) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Amounts by group. */
class Sums {
  readonly #groups = new Map<string, { keys: Cell[]; value: number }>();

  add(keys: Cell[], value: number): void {
    const id = JSON.stringify(keys);
    const known = this.#groups.get(id);
    if (known) known.value += value;
    else this.#groups.set(id, { keys, value });
  }

  values(): GroupValues {
    return [...this.#groups.values()];
  }
}
