import type { CounterReading } from '@albedo/energy/counter-readings';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains } from '@albedo/energy/counters';

export type { CounterReading } from '@albedo/energy/counter-readings';

/** More than the plant can give in the time, with some tolerance. */
export const BEYOND = 1.2;

/**
 * What a counter counted on a day; `readings` of the hours around it too. Null where no gain lies in it. `isOfDays`: it begins
 * anew at midnight.
 */
export function countedOn(
  readings: readonly CounterReading[],
  { from, to }: { from: number; to: number },
  limitKW: number | null,
  isOfDays = false,
) {
  const counted = countGains(readings, {
    mostPerHour: limitKW === null ? null : limitKW * BEYOND,
    ...(isOfDays ? { restartsAt: [from] } : {}),
  });
  const [share] = shareByIntervals(counted, [from, to]);
  if (!share || share.amount === null) return null;
  const isWithin = ({ at }: { at: number }) => at >= from && at < to;
  const [excluded, restarts] = [counted.excluded.filter(isWithin), counted.restarts.filter(isWithin)];
  return {
    energyKWh: share.amount,
    isEstimated: share.estimated > share.amount * 0.01,
    isDoubted: share.doubted > 0,
    coveredMs: share.coveredMs,
    faults: excluded.length + restarts.length > 0 ? { excluded, restarts } : null,
  };
}
