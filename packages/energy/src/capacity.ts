import { type Figure, noFigure, ratioOf } from './figure.ts';

const HOUR_MS = 3_600_000;

/** A local day: its beginning and its end, epoch ms. It has 23 or 25 hours where clocks change. */
export interface DaySpan {
  from: number;
  to: number;
}

export const hoursOf = ({ from, to }: DaySpan): number => (to - from) / HOUR_MS;

export interface CapacityFactor {
  /** Energy by what the rating would give in the same hours, as a part of 1. */
  factor: Figure;
  energyKwh: number;
  /** Hours of the days that have a value. */
  hours: number;
  /** Days with a value among all days, as a part of 1. */
  completeness: Figure;
}

/**
 * Capacity factor over local days: sum(E) / (rating * sum of hours).
 *
 * The rating is the AC or the DC one, kW; the caller says which beside the figure. A day without a value (null) leaves
 * energy and hours together. Days that lie partly ahead are cut by the caller.
 */
export function capacityFactor(
  days: readonly (DaySpan & { energyKwh: number | null })[],
  ratedKw: number | null,
): CapacityFactor {
  let [energyKwh, hours, known] = [0, 0, 0];
  for (const day of days) {
    if (day.energyKwh === null) continue;
    energyKwh += day.energyKwh;
    hours += hoursOf(day);
    known += 1;
  }
  const factor =
    ratedKw === null || !(ratedKw > 0)
      ? noFigure('no_rating')
      : known === 0
        ? noFigure('no_energy')
        : ratioOf(energyKwh, ratedKw * hours, 'no_hours');
  return { factor, energyKwh, hours, completeness: ratioOf(known, days.length, 'no_hours') };
}

/** Several systems over one time: energies through what the ratings would give in the hours of each. */
export function capacityFactorOf(
  systems: readonly { energyKwh: number; hours: number; ratedKw: number | null }[],
): Figure {
  if (systems.some(({ ratedKw }) => ratedKw === null || !(ratedKw > 0))) return noFigure('no_rating');
  const upper = systems.reduce((sum, { energyKwh }) => sum + energyKwh, 0);
  const lower = systems.reduce((sum, { hours, ratedKw }) => sum + hours * (ratedKw ?? 0), 0);
  return ratioOf(upper, lower, 'no_energy');
}
