import type { Setpoint } from '@albedo/contract/schedules/setpoints';

export interface Sharer {
  name: string;
  ratedW: number;
  isReachable: boolean;
  /** What it may be making while nobody reaches it, W. */
  assumedW: number;
}

/**
 * Limit of each reachable inverter, % of its rating: the plant's value less what the others may be making, by rating.
 *
 * Units: `%` is of the rated power of all inverters, reachable or not.
 */
export function shareActivePower(
  setpoint: Extract<Setpoint, { kind: 'setpoint_activepower' }>,
  inverters: readonly Sharer[],
): Map<string, number> {
  const rated = (list: readonly Sharer[]) => list.reduce((sum, { ratedW }) => sum + ratedW, 0);
  const reachable = inverters.filter(({ isReachable }) => isReachable);
  const targetW = setpoint.unit === '%' ? (setpoint.value * rated(inverters)) / 100 : setpoint.value;
  const othersW = inverters.reduce((sum, one) => sum + (one.isReachable ? 0 : one.assumedW), 0);
  const restW = Math.max(0, targetW - othersW);
  const percent = reachable.length === 0 ? 0 : Math.min(100, (100 * restW) / rated(reachable));
  return new Map(reachable.map(({ name }) => [name, percent]));
}
