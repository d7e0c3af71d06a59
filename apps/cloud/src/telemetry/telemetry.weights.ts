/**
 * How long a value of a stream counts: until the next one, and not at all before a gap.
 *
 * A pause is a gap where it is longer than `GAP_TIMES` what is usual on either side of it, the longer median of three
 * pauses. So one range may hold 5-minute history and 5-second live data. The rule stands here twice, in SQL for
 * everything that is stored and in JavaScript for values that are drawn one by one; a test holds the two together.
 */
const GAP_TIMES = 3;
const AROUND = 3;

/** The pause after the last value, ms. Beside the ends it and zeros stand in for pauses, so that they decide nothing. */
const NEVER = 9_000_000_000_000_000;

/** Which of these pauses are gaps. A lone pause is none. */
export function gapsIn(pauses: readonly number[]): boolean[] {
  return pauses.map((pause, i) => {
    const before = median(pauses.slice(Math.max(0, i - AROUND), i));
    const after = median(pauses.slice(i + 1, i + 1 + AROUND));
    const usual = Math.max(before, after);
    return usual > 0 && pause > GAP_TIMES * usual;
  });
}

/** Whether a pause between two pieces of a stream, whose pauses are so long on average, is a gap. */
export const isGapBetween = (pauseMs: number, before: number, after: number): boolean =>
  Math.max(before, after) > 0 && pauseMs > GAP_TIMES * Math.max(before, after);

/** 0 for nothing; of two, the longer. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * The values of streams with how long each counts, in SQL.
 *
 * `values` selects `d`, `source`, `f` (the three name a stream), `t` (epoch ms), `msg_id` and `v`. The answer selects
 * `d`, `source`, `f`, `t`, `v`, `p` (the pause after the value, ms) and `counts`: false for the last value and before
 * a gap. Of several values of one instant the one with the highest number stands.
 */
export function weightedValues(values: string): string {
  const neighbours = [
    ...['0', '0', NEVER].map((edge, i) => `lagInFrame(p, ${i + 1}, ${edge}) OVER stream AS before${i + 1}`),
    ...['0', '0', '0'].map((edge, i) => `leadInFrame(p, ${i + 1}, ${edge}) OVER stream AS after${i + 1}`),
  ];
  return `SELECT d, source, f, t, v, p, p < ${NEVER} AND NOT (usual > 0 AND p > ${GAP_TIMES} * usual) AS counts
    FROM (SELECT d, source, f, t, v, p, greatest(${median3('before')}, ${median3('after')}) AS usual
      FROM (SELECT d, source, f, t, v, p, ${neighbours.join(', ')}
        FROM (SELECT d, source, f, t, v, leadInFrame(t, 1, t + ${NEVER}) OVER stream - t AS p
          FROM (${values}) WINDOW stream AS (${STREAM} ORDER BY t, msg_id ${WHOLE}))
        WHERE p > 0 WINDOW stream AS (${STREAM} ORDER BY t ${WHOLE})))`;
}

const STREAM = 'PARTITION BY d, source, f';
const WHOLE = 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING';

const median3 = (side: string): string =>
  `greatest(least(${side}1, ${side}2), least(greatest(${side}1, ${side}2), ${side}3))`;
