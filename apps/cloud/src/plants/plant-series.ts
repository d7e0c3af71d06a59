import type { RolePlace } from '@albedo/contract/field-roles/source-roles';
import type { BucketPoints } from '../telemetry/telemetry.service.ts';

/** Steps of equal width from `from` on, epoch ms. */
export interface Grid {
  from: number;
  stepMs: number;
  count: number;
}

/** A stretch over which a value holds; the end is not included. */
interface Stretch {
  from: number;
  to: number;
  value: number;
}

/**
 * What a series says between its points: each value holds until the next one, and not over a gap. The last one holds
 * for its own step.
 */
function stretchesOf(
  { times, avg, stepMs }: BucketPoints,
  { factor, offset }: RolePlace,
  now: number,
): Stretch[] {
  return times.flatMap((from, i) => {
    const value = avg[i] ?? null;
    if (value === null) return [];
    const to = Math.min(now, times[i + 1] ?? from + stepMs);
    return to > from ? [{ from, to, value: value * factor + offset }] : [];
  });
}

/** Means of the steps of a grid, weighted by time. Gaps: null. `now`: values after it do not exist yet. */
export function meansOf(points: BucketPoints, place: RolePlace, grid: Grid, now: number): (number | null)[] {
  const areas = new Float64Array(grid.count);
  const lengths = new Float64Array(grid.count);
  for (const { from, to, value } of stretchesOf(points, place, now)) {
    const first = Math.max(0, Math.floor((from - grid.from) / grid.stepMs));
    for (let i = first; i < grid.count; i++) {
      const begin = grid.from + i * grid.stepMs;
      if (begin >= to) break;
      const length = Math.min(to, begin + grid.stepMs) - Math.max(from, begin);
      if (length <= 0) continue;
      areas[i] = (areas[i] ?? 0) + value * length;
      lengths[i] = (lengths[i] ?? 0) + length;
    }
  }
  return Array.from(areas, (area, i) => ((lengths[i] ?? 0) > 0 ? area / (lengths[i] as number) : null));
}

const HOUR_MS = 3_600_000;

/** Integral over time from an instant on, in the role's unit times hours; null without any value. */
export function integralOf(points: BucketPoints, place: RolePlace, from: number, now: number): number | null {
  const within = stretchesOf(points, place, now).filter((one) => one.to > from);
  if (within.length === 0) return null;
  return within.reduce((sum, one) => sum + (one.value * (one.to - Math.max(from, one.from))) / HOUR_MS, 0);
}

/** Sums step by step of those that have a value. Gaps: null where none has. */
export function sumOf(lists: readonly (readonly (number | null)[])[], count: number): (number | null)[] {
  return Array.from({ length: count }, (_, i) => {
    const known = lists.flatMap((one) => one[i] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}
