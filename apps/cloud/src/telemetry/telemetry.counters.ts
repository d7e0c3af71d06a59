import type { CounterReading } from '@albedo/energy/counter-readings';

/** A jump is at least so much of the whole way. Source: packages/energy/src/counters.ts, `condense`, which this is in SQL. */
const JUMP = 0.75;

/**
 * The readings of counters that decide what all of them come to, piece by piece: `d`, `source`, `f`, `piece`, and the lists
 * `kt` (epoch ms), `kv` and `kl` (how many were left out before each).
 *
 * `values` selects `d`, `source`, `f`, `piece`, `t`, `msg_id` and `v`. Each step is a query of its own, since the engine
 * writes out a name wherever it is used again. `hasMost`: `values` selects `most` too, what can be counted in a ms; steps that
 * are steeper stay.
 */
export function condensedSql(values: string, hasMost = false): string {
  const pairs = 'arrayPopBack(vs), arrayPopFront(vs)';
  const bottom = 'if(b > 0, greatest(0., lows[r + 1]), lows[r + 1])';
  const isJump = `b - a >= ${JUMP} * (b - ${bottom}) OR b - a >= ${JUMP} * (highs[r + 1] - a) OR (a <= 0 AND b > 0)`;
  const of = `d, source, f, piece${hasMost ? ', most' : ''}`;
  const isSteep = hasMost ? ' OR b - a > most * (until - since)' : '';
  const steps = [
    `SELECT ${of}, arraySort(groupArray((t, msg_id, toFloat64(v)))) AS k FROM (${values}) GROUP BY ${of}`,
    `SELECT ${of}, tupleElement(k, 1) AS every, tupleElement(k, 3) AS all`,
    // Of several readings of one instant the last one stands.
    `SELECT ${of}, every, all, arrayMap((at, next) -> at != next, every, arrayPushBack(arrayPopFront(every), every[-1] + 1)) AS isLast`,
    `SELECT ${of}, arrayFilter((at, is) -> is, every, isLast) AS ts, arrayFilter((v, is) -> is, all, isLast) AS vs`,
    `SELECT ${of}, ts, vs, arrayMap((a, b) -> b < a, ${pairs}) AS falls`,
    `SELECT ${of}, ts, vs, arrayPushFront(falls, 1) AS starts, arrayPushBack(falls, 1) AS ends, arrayCumSum(falls) AS run`,
    `SELECT ${of}, ts, vs, starts, ends, run, arrayFilter((v, is) -> is, vs, starts) AS lows,
      arrayFilter((v, is) -> is, vs, ends) AS highs`,
    `SELECT ${of}, ts, vs, starts, ends, arrayMap((a, b, r, since, until) -> b > a AND (${isJump}${isSteep}),
      ${pairs}, run, arrayPopBack(ts), arrayPopFront(ts)) AS jumps`,
    // What stands still stays with its first reading where a jump follows it.
    `SELECT ${of}, ts, vs, starts, ends, jumps, arrayMap((a, b) -> a != b, ${pairs}) AS moves`,
    `SELECT ${of}, ts, vs, starts, ends, jumps, arrayPushFront(moves, 1) AS since,
      arrayReverseFill((j, is) -> is, arrayPushBack(jumps, 0), arrayPushBack(moves, 1)) AS jumpNext`,
    `SELECT ${of}, ts, vs, arrayMap((a, b, c, d, e, f) -> (a OR b OR c OR d OR (e AND f)), starts, ends,
      arrayPushFront(jumps, 0), arrayPushBack(jumps, 0), since, jumpNext) AS stays`,
    `SELECT ${of}, arrayFilter((t, is) -> is, ts, stays) AS kt, arrayFilter((v, is) -> is, vs, stays) AS kv,
      arrayFilter((i, is) -> is, arrayEnumerate(stays), stays) AS places`,
    `SELECT ${of}, kt, kv, arrayMap((i, before) -> i - before - 1, places, arrayPushFront(arrayPopBack(places), 0)) AS kl`,
  ];
  return steps.reduce((query, step) => `${step} FROM (${query})`);
}

/** Columns of `condensedSql` as readings: the rows of each line stand together, oldest first. */
export function readingsOf(
  lines: Uint32Array,
  times: Float64Array,
  values: Float64Array,
  left: Float64Array,
): Map<number, CounterReading[]> {
  const found = new Map<number, CounterReading[]>();
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row] as number;
    let readings = found.get(line);
    if (!readings) {
      readings = [];
      found.set(line, readings);
    }
    const reading: CounterReading = { at: times[row] as number, value: values[row] as number };
    if (left[row]) reading.left = left[row] as number;
    readings.push(reading);
  }
  return found;
}
