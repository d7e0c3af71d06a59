import { type Figure, noFigure, ratioOf } from './figure.ts';

/** Days of energy of which two sources know; null where one of them does not. */
interface Pair {
  a: number;
  b: number;
}

/** Sums over the days that both know; a day that one lacks leaves both. */
function paired(
  days: readonly (readonly [number | null | undefined, number | null | undefined])[],
): Pair & { days: number } {
  let [a, b, known] = [0, 0, 0];
  for (const [one, other] of days) {
    if (one === null || one === undefined || other === null || other === undefined) continue;
    a += one;
    b += other;
    known += 1;
  }
  return { a, b, days: known };
}

export interface Index {
  index: Figure;
  energyKwh: number;
  referenceKwh: number;
  /** Days that both sums rest on, and all that were asked for. */
  days: number;
  ofDays: number;
}

/**
 * Energy performance index: energy by what measured weather lets expect. Days without either leave both sums, so that a
 * plant that is offline does not look weak.
 */
export function energyPerformanceIndex(
  days: readonly { energyKwh: number | null; expectedKwh: number | null }[],
): Index {
  return indexOf(
    days.map(({ energyKwh, expectedKwh }) => [energyKwh, expectedKwh] as const),
    'no_expected',
  );
}

/** Budget index: energy by what was planned. Days without either leave both sums. */
export function budgetIndex(days: readonly { energyKwh: number | null; budgetKwh: number | null }[]): Index {
  return indexOf(
    days.map(({ energyKwh, budgetKwh }) => [energyKwh, budgetKwh] as const),
    'no_budget',
  );
}

function indexOf(
  days: readonly (readonly [number | null, number | null])[],
  reason: 'no_expected' | 'no_budget',
): Index {
  const sums = paired(days);
  const hasEnergy = days.some(([energy]) => energy !== null);
  const index = hasEnergy ? ratioOf(sums.a, sums.b, reason) : noFigure('no_energy');
  return { index, energyKwh: sums.a, referenceKwh: sums.b, days: sums.days, ofDays: days.length };
}

/** How far a meter may lie from the inverters; parts of 1. Cables and transformers take 1 to 3 %. */
export interface Band {
  least: number;
  most: number;
}
export const USUAL_BAND: Band = { least: -0.04, most: 0.005 };

export interface Reconciliation {
  meterKwh: number;
  productionKwh: number;
  differenceKwh: number;
  /** (meter - production) / meter. */
  deviation: Figure;
  /** Null where there is no deviation. */
  verdict: 'within' | 'below' | 'above' | null;
  days: number;
  ofDays: number;
}

/**
 * What a production meter counted beside what its inverters did, over the days that both know.
 *
 * Units: kWh; both positive. Only meters that count production belong here: import and export include the site's load.
 */
export function reconcile(
  days: readonly { meterKwh: number | null; productionKwh: number | null }[],
  band: Band = USUAL_BAND,
): Reconciliation {
  const sums = paired(days.map(({ meterKwh, productionKwh }) => [meterKwh, productionKwh] as const));
  const hasMeter = days.some(({ meterKwh }) => meterKwh !== null);
  const differenceKwh = sums.a - sums.b;
  const reason = hasMeter ? 'no_energy' : 'no_meter';
  const deviation = sums.days > 0 ? ratioOf(differenceKwh, sums.a, 'no_meter') : noFigure(reason);
  const { value } = deviation;
  const verdict =
    value === null ? null : value < band.least ? 'below' : value > band.most ? 'above' : 'within';
  return {
    meterKwh: sums.a,
    productionKwh: sums.b,
    differenceKwh,
    deviation,
    verdict,
    days: sums.days,
    ofDays: days.length,
  };
}

/**
 * A month's budget spread over its days, kWh, evenly or by a profile; the days make the month.
 *
 * `profile` has a weight for each day, such as the clear-sky irradiation; what sums to 0 is spread evenly.
 */
export function spreadBudget(monthKwh: number, days: number, profile?: readonly number[]): number[] {
  const total = profile?.reduce((sum, weight) => sum + weight, 0) ?? 0;
  return Array.from({ length: days }, (_, day) =>
    total > 0 ? (monthKwh * (profile?.[day] ?? 0)) / total : monthKwh / days,
  );
}
