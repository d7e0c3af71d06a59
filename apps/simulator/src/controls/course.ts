/**
 * How one setpoint of an inverter goes on from the moment it was written: a ramp, the value itself, and after the
 * inverter's own timer either a fallback or nothing.
 */
export interface Course {
  /** Epoch ms. */
  from: number;
  /** Value in force at `from`, and the one it ramps to. */
  start: number;
  target: number;
  rampMs: number;
  /** When the timer of the inverter ends it, epoch ms; null without one. */
  endsAt: number | null;
  /** What holds after the end; null releases the setpoint. */
  fallback: number | null;
  /** It is what holds after the end of another one. */
  isFallback?: boolean;
}

/** Value in force while the course lasts; what comes after its end is not its business. */
export function courseAt(course: Course, at: number): number {
  const { from, start, target, rampMs } = course;
  if (rampMs <= 0 || at >= from + rampMs) return target;
  return start + ((target - start) * Math.max(0, at - from)) / rampMs;
}
