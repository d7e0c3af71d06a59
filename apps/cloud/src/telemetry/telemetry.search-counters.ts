import type { Aggregation } from '@albedo/contract/telemetry/search.schema';
import { type CounterReading, countGains, shareByIntervals } from '@albedo/energy/counters';
import { invalid } from '../errors/request-issues.ts';
import { Bound, type Cell, columnOf } from './telemetry.columns.ts';
import { condensedSql } from './telemetry.counters.ts';
import { Cuts } from './telemetry.cuts.ts';
import { type Group, groupsOf, numbersOf, spanOf } from './telemetry.groups.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { instantIn, type SearchScope, whereIn } from './telemetry.where.ts';
import { BESIDE_MS } from './telemetry.windows.ts';

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
  const bound = new Bound();
  const groups = await groupsOf(scope, aggregation, bound);
  const value = numbersOf(columnOf(scope.table, scope.fields, field, bound));
  if (value === null) throw invalid('issue.aggregation_numbers', { field }, 'aggs');
  const at = instantIn(scope, scope.query.dateField, bound);
  const where = `${whereIn(beside(scope), bound)} AND isNotNull(${value}) AND isNotNull(${at})`;
  const each = `SELECT toString(device) AS d, toString(source) AS source, msg_id, assumeNotNull(toFloat64(${value})) AS v,
      assumeNotNull(${at}) AS t`;
  const place = groups.findIndex(({ isOnTime }) => isOnTime);
  const cuts = await cutsOf(scope, groups[place]);
  // There is no event that says which intervals there are.
  if (place >= 0 && !cuts) return [];
  const isOfStream = groups.every(({ ofStream }, i) => i === place || ofStream !== null);
  const streams = isOfStream
    ? await condensed(scope, { each, where, cuts }, bound)
    : await oneByOne(scope, { each, where, groups }, bound);
  const sums = new Sums();
  for (const stream of streams) addStream(sums, stream, { scope, groups, place, cuts, depth });
  return sums.values();
}

const beside = ({ query, ...scope }: SearchScope): SearchScope => ({
  ...scope,
  query: {
    ...query,
    range: {
      from: query.range.from === null ? null : query.range.from - BESIDE_MS,
      to: query.range.to === null ? null : query.range.to + BESIDE_MS,
    },
  },
});

/** Where the intervals of the date field are cut, wherever something can be counted; null without such ones. */
async function cutsOf(scope: SearchScope, group: Group | undefined): Promise<Cuts | null> {
  if (!group?.interval || !group.span) return null;
  const { range, dateField, timezone } = scope.query;
  const all = (await spanOf(beside(scope), dateField, false)) ?? group.span;
  const from = Math.max(range.from ?? all.from, all.from);
  return new Cuts(group.interval, { from, to: Math.min(range.to ?? all.to, all.to) }, timezone);
}

async function condensed(
  { clickhouse, query: { range }, signal }: SearchScope,
  { each, where, cuts }: { each: string; where: string; cuts: Cuts | null },
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
