import type { StatePoints } from '@albedo/contract/boards/answers.schema';

/** A time through which a state held, epoch ms; `to` is where the next one began, or the values ended. */
export interface Segment {
  from: number;
  to: number;
  value: number | string;
}

/** What is missing for longer than this many steps is not bridged. */
const BRIDGED_STEPS = 3;

/**
 * The states of a line as segments: equal values beside each other are one, and a gap is none.
 *
 * Gaps: where a step or two have no value the state before stays, since a device may report more slowly than the screen
 * has pixels; what is missing for longer is left out.
 */
export function segmentsOf({ times, values, stepMs }: StatePoints): Segment[] {
  const segments: Segment[] = [];
  for (const [at, time] of times.entries()) {
    const value = values[at];
    if (value === undefined) continue;
    const last = segments.at(-1);
    const isClose = last !== undefined && time - last.to <= stepMs * BRIDGED_STEPS;
    if (isClose) last.to = time;
    if (isClose && last.value === value) last.to = time + stepMs;
    else segments.push({ from: time, to: time + stepMs, value });
  }
  return segments;
}
