import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';

/** A time through which a state held, epoch ms; `to` is where the next one began, or the values ended. */
export interface Segment {
  from: number;
  to: number;
  value: number;
}

/** What is missing for longer than this many steps is not bridged. */
const BRIDGED_STEPS = 3;

/**
 * The states of a line as segments: equal values beside each other are one, and a gap is none.
 *
 * Gaps: a step without a value keeps the state for up to three steps, since a device may report more slowly than the
 * screen has pixels; what is missing for longer is left out.
 */
export function segmentsOf({
  times,
  avg,
  stepMs,
}: Pick<SeriesPoints, 'times' | 'avg' | 'stepMs'>): Segment[] {
  const segments: Segment[] = [];
  const step = stepMs > 0 ? stepMs : Math.max(1, (times[1] ?? 0) - (times[0] ?? 0));
  for (const [at, time] of times.entries()) {
    const value = avg[at];
    if (value === null || value === undefined) continue;
    const last = segments.at(-1);
    const isClose = last !== undefined && time - last.to <= step * BRIDGED_STEPS;
    if (isClose) last.to = time;
    if (isClose && last.value === value) last.to = time + step;
    else segments.push({ from: time, to: time + step, value });
  }
  return segments;
}
