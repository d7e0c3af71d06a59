import type { SeriesPoints, SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';

/** A pause is longer than this many usual steps between two values, and than `SHORTEST_GAP_MS`. */
const GAP_STEPS = 5;
const SHORTEST_GAP_MS = 5 * 60_000;

/** One value; `at` is epoch ms. */
export interface Sample {
  at: number;
  value: number;
}

/** What the lines of one chart share: all their times, rising, and from which pause on a line is broken, ms. */
export interface Frame {
  times: readonly number[];
  gapMs: number;
}

/** A pause is far longer than the usual step of all lines. */
export function frameOf(lines: readonly (readonly Sample[])[]): Frame {
  const steps = lines
    .flatMap((samples) => {
      const times = samples.map(({ at }) => at).toSorted((a, b) => a - b);
      return times.slice(1).map((at, i) => at - (times[i] ?? at));
    })
    .filter((step) => step > 0)
    .toSorted((a, b) => a - b);
  const usual = steps[Math.floor(steps.length / 2)] ?? 0;
  const times = [...new Set(lines.flatMap((samples) => samples.map(({ at }) => at)))].toSorted(
    (a, b) => a - b,
  );
  return { times, gapMs: Math.max(SHORTEST_GAP_MS, GAP_STEPS * usual) };
}

/**
 * Samples as a chart draws them, oldest first. Gaps: a pause breaks the line, at each of the times that other lines have in
 * it. The average weighs each value by the time until the next one, as charts of devices do; pauses count nothing.
 */
export function pointsOf(samples: readonly Sample[], { times: all, gapMs }: Frame): SeriesPoints {
  const sorted = samples.toSorted((a, b) => a.at - b.at);
  const times: number[] = [];
  const values: (number | null)[] = [];
  const put = (at: number, value: number | null) => {
    times.push(at);
    values.push(value);
  };
  let next = 0;
  for (const { at, value } of sorted) {
    const before = times.at(-1);
    if (before === at) {
      values[values.length - 1] = value;
      continue;
    }
    const isGap = before !== undefined && at - before > gapMs;
    if (isGap) put(before + 1, null);
    for (; (all[next] ?? at) < at; next++)
      if (isGap && (all[next] ?? 0) > before + 1) put(all[next] ?? at, null);
    put(at, value);
  }
  return { stepMs: 0, times, min: values, avg: values, max: values, stats: statsOf(sorted, gapMs) };
}

function statsOf(sorted: readonly Sample[], gapMs: number): SeriesStats {
  if (sorted.length === 0) return { count: 0, min: null, avg: null, max: null, last: null };
  let [weighted, whole, sum] = [0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, { at, value }] of sorted.entries()) {
    const step = (sorted[i + 1]?.at ?? at) - at;
    if (step <= gapMs) {
      weighted += value * step;
      whole += step;
    }
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const avg = whole > 0 ? weighted / whole : sum / sorted.length;
  return { count: sorted.length, min, avg, max, last: sorted.at(-1)?.value ?? null };
}
