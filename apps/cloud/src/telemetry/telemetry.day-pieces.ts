import { type CounterReading, placesOf, roundTo } from '@albedo/energy/counter-readings';
import { partOf } from '@albedo/energy/counter-shares';
import type { WindowOperator, WindowValues } from './telemetry.windows.ts';

/**
 * What one stream measured in one stretch of time, such as a day, in the order of these columns. `n` values from `firstAt`
 * to `lastAt` (epoch ms), with `first` and `last`; `falls` of them are less than the one before; `area` (value times ms, straight between two values) and `ms` are of the pauses that are no longer than `SHORT_GAP_MS`. Of all `pauses`,
 * `usual` are no longer than `USUAL_MS`.
 */
export const PIECE_COLUMNS = [
  'n',
  'total',
  'low',
  'high',
  'firstAt',
  'first',
  'lastAt',
  'last',
  'falls',
  'area',
  'ms',
  'pauses',
  'usual',
] as const;
export type PieceColumn = (typeof PIECE_COLUMNS)[number];

/** A pause that is longer is a gap, unless the stream is slow, ms. */
export const SHORT_GAP_MS = 900_000;
/** Where most pauses are no longer than this, `SHORT_GAP_MS` is what makes a gap: 2.5 times this. */
export const USUAL_MS = 360_000;

/** Operators whose values follow from days that lie side by side, with the columns that each needs. */
const COLUMNS_OF: Partial<Record<WindowOperator, readonly PieceColumn[]>> = {
  count: [],
  sum: ['total'],
  average: ['total'],
  min: ['low', 'high'],
  max: ['low', 'high'],
  first: ['first'],
  last: ['last'],
  difference: ['first', 'last', 'falls'],
  integral: ['first', 'last', 'area'],
  timeWeightedAverage: ['first', 'last', 'area'],
};
const ALWAYS: readonly PieceColumn[] = ['n', 'firstAt', 'lastAt', 'ms', 'pauses', 'usual'];

/** The columns that an operator needs; null for one that has to see every value. */
export function columnsFor(operator: WindowOperator): readonly PieceColumn[] | null {
  const own = COLUMNS_OF[operator];
  return own ? [...ALWAYS, ...own] : null;
}

/**
 * The columns of a stream as SQL, in the order of `PIECE_COLUMNS`: `d`, `source`, `f`, `piece` and then `c0`, `c1`, …
 * `values` selects `d`, `source`, `f`, `piece`, `t` (epoch ms), `msg_id` and `v`.
 */
export function piecesSql(values: string): string {
  const pairs = 'arrayPopBack(ts), arrayPopFront(ts)';
  const both = `${pairs}, arrayPopBack(vs), arrayPopFront(vs)`;
  const columns: Record<PieceColumn, string> = {
    n: 'toFloat64(length(ts))',
    total: 'arraySum(vs)',
    low: 'arrayMin(vs)',
    high: 'arrayMax(vs)',
    firstAt: 'toFloat64(ts[1])',
    first: 'vs[1]',
    lastAt: 'toFloat64(ts[-1])',
    last: 'vs[-1]',
    falls: 'toFloat64(arrayCount((x, y) -> y < x, arrayPopBack(vs), arrayPopFront(vs)))',
    area: `arraySum((a, b, x, y) -> if(b - a <= ${SHORT_GAP_MS}, (x + y) / 2 * (b - a), 0.), ${both})`,
    ms: `toFloat64(arraySum((a, b) -> if(b - a <= ${SHORT_GAP_MS}, b - a, 0), ${pairs}))`,
    pauses: `toFloat64(arrayCount((a, b) -> b > a, ${pairs}))`,
    usual: `toFloat64(arrayCount((a, b) -> b > a AND b - a <= ${USUAL_MS}, ${pairs}))`,
  };
  const list = PIECE_COLUMNS.map((name, i) => `${columns[name]} AS c${i}`);
  return `SELECT d, source, f, piece, ${list.join(', ')}
    FROM (SELECT d, source, f, piece, tupleElement(k, 1) AS ts, tupleElement(k, 3) AS vs
      FROM (SELECT d, source, f, piece, arraySort(groupArray((t, msg_id, toFloat64(v)))) AS k
        FROM (${values}) GROUP BY d, source, f, piece))`;
}

/** The pieces of one stream, a list of each column; a piece without values has `n` 0. */
export type StreamPieceLists = Partial<Record<PieceColumn, Float64Array>> & Record<'n', Float64Array>;

/** How the pieces of a range become its intervals. Instants are epoch ms. */
export interface PiecePlan {
  /** Where the pieces begin, and last where the last one ends. */
  cuts: readonly number[];
  /** The interval of each piece; -1 for what lies beside the range. */
  intervals: readonly number[];
  /** How many intervals there are. */
  count: number;
}

/**
 * What an operator makes of a stream, from its pieces; the same as `readWindows` makes of its values. Null for a slow
 * stream: which of its pauses are gaps cannot be told from pieces.
 */
export function windowsOfPieces(
  operator: Exclude<WindowOperator, 'difference'>,
  { cuts, intervals, count }: PiecePlan,
  lists: StreamPieceLists,
  { factor, offset }: { factor: number; offset: number },
): WindowValues | null {
  const none = lists.n;
  const of = (name: PieceColumn) => lists[name] ?? none;
  const [n, firstAt, lastAt, ms] = [of('n'), of('firstAt'), of('lastAt'), of('ms')];
  const [first, last, area] = [of('first'), of('last'), of('area')];
  const [total, low, high] = [of('total'), of('low'), of('high')];
  const [pausesOf, usualOf] = [of('pauses'), of('usual')];
  const counts = new Float64Array(count);
  const covered = new Float64Array(count);
  const made = new Float64Array(count);
  const add = (all: Float64Array, at: number, value: number) => {
    if (at >= 0) all[at] = (all[at] as number) + value;
  };
  const hasArea = isArea(operator);
  const one = (value: number) => value * factor + offset;
  let [pauses, usual] = [0, 0];
  let before = -1;
  for (let p = 0; p < n.length; p++) {
    const size = n[p] as number;
    if (size <= 0) continue;
    const at = intervals[p] as number;
    pauses += pausesOf[p] as number;
    usual += usualOf[p] as number;
    add(covered, at, ms[p] as number);
    if (before >= 0) {
      const [t1, t2] = [lastAt[before] as number, firstAt[p] as number];
      const [v1, v2] = [last[before] as number, first[p] as number];
      if (t2 > t1) {
        pauses++;
        if (t2 - t1 <= USUAL_MS) usual++;
      }
      if (t2 - t1 <= SHORT_GAP_MS)
        for (let piece = before; piece <= p; piece++) {
          const lo = Math.max(t1, cuts[piece] as number);
          const hi = Math.min(t2, cuts[piece + 1] as number);
          if (hi <= lo) continue;
          const interval = intervals[piece] as number;
          add(covered, interval, hi - lo);
          add(
            made,
            interval,
            hasArea ? (v1 + (v2 - v1) * (((lo + hi) / 2 - t1) / (t2 - t1))) * (hi - lo) : 0,
          );
        }
    }
    before = p;
    if (at < 0) continue;
    const isFresh = counts[at] === 0;
    counts[at] = (counts[at] as number) + size;
    switch (operator) {
      case 'integral':
      case 'timeWeightedAverage':
        add(made, at, area[p] as number);
        break;
      case 'sum':
      case 'average':
        add(made, at, total[p] as number);
        break;
      case 'first':
        if (isFresh) made[at] = one(first[p] as number);
        break;
      case 'last':
        made[at] = one(last[p] as number);
        break;
      case 'min':
      case 'max': {
        const isLow = (operator === 'min') === factor >= 0;
        const value = one((isLow ? low : high)[p] as number);
        const pick = operator === 'min' ? Math.min : Math.max;
        made[at] = isFresh ? value : pick(made[at] as number, value);
        break;
      }
      default:
        made[at] = counts[at] as number;
    }
  }
  // As many usual pauses as have the median among them.
  if (pauses > 0 && usual <= Math.floor(pauses / 2)) return null;
  const answer = {
    values: new Array<number | null>(count).fill(null),
    counts: new Array<number>(count).fill(0),
    coveredMs: new Array<number>(count).fill(0),
  };
  // Cell by cell: `Array.from` takes four times as long, and this is done for a thousand streams.
  for (let i = 0; i < count; i++) {
    const size = counts[i] as number;
    const length = covered[i] as number;
    answer.counts[i] = size;
    answer.coveredMs[i] = length;
    const isKnown = hasArea ? length > 0 : size > 0;
    if (isKnown)
      answer.values[i] = resultOf(operator, made[i] as number, { size, length }, { factor, offset });
  }
  return answer;
}

/**
 * What a counter that never falls counted in each interval, from its pieces and the readings next to them; the same as
 * `countGains` makes of its readings. Null for one that falls, or begins at zero: how it goes on cannot be told from pieces.
 */
export function differencesOfPieces(
  { cuts, intervals, count }: PiecePlan,
  lists: StreamPieceLists,
  { before, after, factor }: { before?: CounterReading; after?: CounterReading; factor: number },
): (number | null)[] | null {
  const none = lists.n;
  const of = (name: PieceColumn) => lists[name] ?? none;
  const [n, firstAt, lastAt, first, last, falls] = [
    ...[of('n'), of('firstAt'), of('lastAt')],
    ...[of('first'), of('last'), of('falls')],
  ] as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const made = new Float64Array(count);
  const digits = new Int8Array(count).fill(-1);
  const add = (interval: number, amount: number, places: number) => {
    if (interval < 0) return;
    made[interval] = (made[interval] as number) + amount;
    if (digits[interval] === -1 || places < (digits[interval] as number)) digits[interval] = places;
  };
  let [t1, v1] = [before?.at ?? Number.NaN, before?.value ?? Number.NaN];
  let piece = 0;
  /** The way from the last reading to the next one, shared by time. */
  const step = (t2: number, v2: number, until: number) => {
    const places = placesOf(v1, v2);
    const amount = roundTo(v2 - v1, places);
    for (let p = piece; p <= until; p++) {
      const lo = Math.max(t1, cuts[p] as number);
      const hi = Math.min(t2, cuts[p + 1] as number);
      if (hi > lo) add(intervals[p] as number, partOf(amount, places, { from: t1, to: t2 }, lo, hi), places);
    }
  };
  for (let p = 0; p < n.length; p++) {
    if ((n[p] as number) <= 0) continue;
    const [v2, v3] = [first[p] as number, last[p] as number];
    const isFirst = Number.isNaN(v1);
    if (falls[p] !== 0 || v2 < v1 || (isFirst ? v2 : v1) <= 0) return null;
    if (!isFirst) step(firstAt[p] as number, v2, p);
    if ((lastAt[p] as number) > (firstAt[p] as number)) {
      const places = placesOf(v2, v3);
      add(intervals[p] as number, roundTo(v3 - v2, places), places);
    }
    [t1, v1, piece] = [lastAt[p] as number, v3, p];
  }
  if (after && !Number.isNaN(v1)) {
    if (after.value < v1 || v1 <= 0) return null;
    step(after.at, after.value, n.length - 1);
  }
  return Array.from(made, (amount, i) =>
    digits[i] === -1 ? null : roundTo(amount, digits[i] as number) * factor,
  );
}

/** What was added up in an interval with values, of which there were `size` and which cover `length` ms. */
function resultOf(
  operator: WindowOperator,
  value: number,
  { size, length }: { size: number; length: number },
  { factor, offset }: { factor: number; offset: number },
): number {
  switch (operator) {
    case 'integral':
      return (value * factor + offset * length) / 3_600_000;
    case 'timeWeightedAverage':
      return (value * factor) / length + offset;
    case 'sum':
      return value * factor + offset * size;
    case 'average':
      return (value * factor) / size + offset;
    default:
      return value;
  }
}

const isArea = (operator: WindowOperator): boolean =>
  operator === 'integral' || operator === 'timeWeightedAverage';
