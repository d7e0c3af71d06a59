import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Span } from '../time-range/time-range.ts';

/** Steps that a span is cut into. */
const STEPS = 360;

/** Something that holds for a time, epoch ms; one without an end still does. */
export interface Held {
  from: number;
  to: number | null;
}

/**
 * How many of them held at once, the most of each step.
 *
 * Shapes: one point a step, at its beginning. Gaps: none; where nothing held it is 0.
 */
export function openOverTime(all: readonly Held[], { from, to }: Span, now: number): SeriesPoints {
  const stepMs = Math.max(60_000, Math.ceil((to - from) / STEPS / 60_000) * 60_000);
  const count = Math.max(1, Math.ceil((to - from) / stepMs));
  // Up with each that begins, down with each that ends; what began before the span is there from the first step on.
  const changes = all
    .flatMap((one) => [
      { at: one.from, by: 1 },
      { at: Math.max(one.from + 1, one.to ?? Math.max(now, to)), by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  const times = Array.from({ length: count }, (_, step) => from + step * stepMs);
  let [open, next] = [0, 0];
  const most = times.map((time) => {
    let highest = open;
    for (let change = changes[next]; change && change.at < time + stepMs; change = changes[next]) {
      open += change.by;
      highest = change.at > time ? Math.max(highest, open) : open;
      next += 1;
    }
    return highest;
  });
  const sum = most.reduce((total, one) => total + one, 0);
  return {
    stepMs,
    times,
    min: most,
    avg: most,
    max: most,
    stats: {
      count,
      min: Math.min(...most),
      avg: sum / count,
      max: Math.max(...most),
      last: most.at(-1) ?? null,
    },
  };
}
