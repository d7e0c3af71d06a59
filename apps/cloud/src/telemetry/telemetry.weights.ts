/**
 * How long a value of a stream counts: until the next one, and not at all before a gap.
 *
 * A pause is a gap where it is longer than `GAP_TIMES` what is usual on either side of it, the longer median of three
 * pauses. So one range may hold 5-minute history and 5-second live data. The rule stands here in SQL for
 * everything that is stored, as arrays and as windows, and in JavaScript for values that are drawn one by one; tests hold them
 * together.
 */
const GAP_TIMES = 3;
const AROUND = 3;

/** The pause after the last value, ms. Beside the ends it and zeros stand in for pauses, so that they decide nothing. */
const NEVER = '9000000000000000';

/** Which of these pauses are gaps. A lone pause is none. A chart of many series asks this of every point, so it makes no lists. */
export function gapsIn(pauses: readonly number[]): boolean[] {
  return pauses.map((pause, i) => {
    const before = median(pauses, Math.max(0, i - AROUND), i);
    const after = median(pauses, i + 1, Math.min(pauses.length, i + 1 + AROUND));
    const usual = Math.max(before, after);
    return usual > 0 && pause > GAP_TIMES * usual;
  });
}

/** Whether a pause between two pieces of a stream, whose pauses are so long on average, is a gap. */
export const isGapBetween = (pauseMs: number, before: number, after: number): boolean =>
  Math.max(before, after) > 0 && pauseMs > GAP_TIMES * Math.max(before, after);

/** Of the pauses from `from` to `to`, three at most; 0 for none, of two the longer. */
function median(pauses: readonly number[], from: number, to: number): number {
  const a = pauses[from] ?? 0;
  const b = pauses[from + 1] ?? 0;
  const c = pauses[from + 2] ?? 0;
  if (to - from < 2) return to > from ? a : 0;
  return to - from === 2 ? Math.max(a, b) : Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * The values of streams with how long each counts, in SQL.
 *
 * `values` selects `d`, `s`, `f` (the three name a stream), `t` (epoch ms), `msg_id` and `v`. The answer selects
 * `d`, `s`, `f`, `t`, `v`, `p` (the pause after the value, ms, 0 after the last) and `isGap`, whether that pause is
 * a gap. Of several values of one instant the one with the highest number stands.
 *
 * Arrays, a stream each, took half the time that window functions took. Each step is a query of its own, since
 * the engine writes out a name wherever it is used again.
 */
export function weightedValues(values: string): string {
  const steps = [
    `SELECT d, s, f, groupArray(bitShiftLeft(toUInt128(t), 64) + msg_id) AS k, groupArray(v) AS vs
      FROM (${values}) GROUP BY d, s, f`,
    `SELECT d, s, f, arrayMap(one -> toInt64(bitShiftRight(one, 64)), arraySort(k)) AS every,
      arraySort((one, key) -> key, vs, k) AS vs`,
    `SELECT d, s, f, every, vs, arrayMap((at, next) -> at != next, every, ${next('every', 'every[-1] + 1')}) AS stays`,
    `SELECT d, s, f, arrayFilter((one, is) -> is, every, stays) AS ts,
      arrayFilter((one, is) -> is, vs, stays) AS vs`,
    `SELECT d, s, f, ts, vs, arrayMap((at, next) -> next - at, ts, ${next('ts', 'ts[-1]')}) AS ps`,
    // The last one is no pause, so it stands in nobody's neighbourhood.
    `SELECT d, s, f, ts, vs, ps, arrayResize(arrayPopBack(ps), length(ps), ${NEVER}) AS own`,
    `SELECT d, s, f, ts, vs, ps, ${before('own', NEVER)} AS b1, ${next('own', '0')} AS a1`,
    `SELECT d, s, f, ts, vs, ps, b1, a1, ${before('b1', '0')} AS b2, ${next('a1', '0')} AS a2`,
    `SELECT d, s, f, ts, vs, ps, b1, a1, b2, a2, ${before('b2', '0')} AS b3, ${next('a2', '0')} AS a3`,
    `SELECT d, s, f, ts, vs, ps,
      arrayMap((a, b, c, x, y, z) -> greatest(${median3('a', 'b', 'c')}, ${median3('x', 'y', 'z')}), b1, b2, b3, a1, a2, a3)
      AS usual`,
    `SELECT d, s, f, t, v, p, u > 0 AND p > ${GAP_TIMES} * u AS isGap`,
  ];
  const last = ' ARRAY JOIN ts AS t, vs AS v, ps AS p, usual AS u';
  return `${steps.reduce((query, step) => `${step} FROM (${query})`)}${last}`;
}

/**
 * The same where the values are rows of a window `w` over one stream without repeats of an instant, in SQL: whether the
 * pause `p` after a value is a gap. `p` is null after the last one.
 */
export function isGapInWindow(p: string, w: string): string {
  const side = (function_: string) => {
    const [a, b, c] = [1, 2, 3].map((far) => `${function_}(${p}, ${far}) OVER ${w}`) as [
      string,
      string,
      string,
    ];
    const [x, y, z] = [a, b, c].map((one) => `assumeNotNull(${one})`) as [string, string, string];
    return `multiIf(isNull(${a}), 0, isNull(${b}), ${x}, isNull(${c}), greatest(${x}, ${y}), ${median3(x, y, z)})`;
  };
  const usual = `greatest(${side('lagInFrame')}, ${side('leadInFrame')})`;
  return `(${usual} > 0 AND assumeNotNull(${p}) > ${GAP_TIMES} * ${usual})`;
}

/** The elements moved by one place; `edge` stands where there is none. */
const next = (array: string, edge: string): string =>
  `arrayResize(arrayPopFront(${array}), length(${array}), toInt64(${edge}))`;
const before = (array: string, edge: string): string =>
  `arrayPopBack(arrayPushFront(${array}, toInt64(${edge})))`;

const median3 = (a: string, b: string, c: string): string =>
  `greatest(least(${a}, ${b}), least(greatest(${a}, ${b}), ${c}))`;
