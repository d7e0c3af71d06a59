import type { BulkGates, BulkStop } from '@albedo/contract/bulk-actions/bulk-actions.schema';

/** Data that is younger is fresh, ms. */
export const FRESH_MS = 10 * 60_000;
/** Power is compared once there is so much of it after the change, ms. */
export const ENERGY_AFTER_MS = 5 * 60_000;
/** A device whose power was below this before says nothing, W. */
const POWER_BEFORE_W = 50;

/** What was known of a device at one moment: crashes of its agent so far, and whether it sent data (1) or not (0). */
export type Baseline = readonly [crashes: number | null, isFresh: 0 | 1];
/** By device; `at` is epoch ms. */
export interface BaselineOf {
  at: number;
  devices: Record<string, Baseline>;
}
export interface Baselines {
  start: BaselineOf;
  wave: BaselineOf;
}

/** One device before and after. Power: means, W; null where it generates nothing that is known. */
export interface Measured {
  crashes: number;
  wasFresh: boolean;
  isFresh: boolean;
  beforeW: number | null;
  afterW: number | null;
}

/**
 * What the touched devices do worse than the rest, by more than a gate allows; null where nothing is. Without a rest,
 * they are compared with no crash and no stale device, and their power with nothing.
 *
 * Crashes are means over devices. Freshness counts devices that were fresh before. Energy compares what is left of the
 * power before, summed over devices, so that dusk takes the same from both sides.
 */
export function judge(
  touched: readonly Measured[],
  rest: readonly Measured[],
  gates: BulkGates,
): Omit<BulkStop, 'wave'> | null {
  if (touched.length === 0) return null;
  const { crashes, stalePercent, energyPercent } = gates;
  const crashed = [meanCrashes(touched), meanCrashes(rest)] as const;
  if (crashes !== null && crashed[0] - crashed[1] > crashes) return verdict('crashes', crashed, crashes);
  const stale = [staleShare(touched), staleShare(rest)] as const;
  if (stalePercent !== null && stale[0] - stale[1] > stalePercent)
    return verdict('stale', stale, stalePercent);
  const left = [powerLeft(touched), powerLeft(rest)] as const;
  const [ofTouched, ofRest] = left;
  if (energyPercent === null || ofTouched === null || ofRest === null) return null;
  return ofRest - ofTouched > energyPercent ? verdict('energy', [ofTouched, ofRest], energyPercent) : null;
}

const verdict = (
  gate: BulkStop['gate'],
  [touched, rest]: readonly [number, number],
  limit: number,
): Omit<BulkStop, 'wave'> => ({ gate, touched: rounded(touched), rest: rounded(rest), limit });

const meanCrashes = (all: readonly Measured[]): number =>
  all.length === 0 ? 0 : all.reduce((sum, { crashes }) => sum + crashes, 0) / all.length;

/** Of those that were fresh, those that are not any more, %. */
function staleShare(all: readonly Measured[]): number {
  const were = all.filter(({ wasFresh }) => wasFresh);
  return were.length === 0 ? 0 : (100 * were.filter(({ isFresh }) => !isFresh).length) / were.length;
}

/** What is left of the power before, %; null where there was none. A device that is silent now gives nothing. */
function powerLeft(all: readonly Measured[]): number | null {
  const known = all.filter(({ beforeW }) => beforeW !== null && beforeW >= POWER_BEFORE_W);
  const before = known.reduce((sum, { beforeW }) => sum + (beforeW ?? 0), 0);
  const after = known.reduce((sum, { afterW }) => sum + (afterW ?? 0), 0);
  return before === 0 ? null : (100 * after) / before;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
