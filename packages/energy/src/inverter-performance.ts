import { energyPerformanceIndex, type Index } from './balance.ts';
import { type Figure, noFigure, ratioOf } from './figure.ts';
import { median } from './statistics.ts';

export interface InverterDays {
  subject: string;
  dcKw: number | null;
  /** Inverters with the same word lie alike; null has no peers. */
  orientation: string | null;
  /** Units: kWh. Gaps: null. */
  days: readonly { energyKwh: number | null; expectedKwh: number | null }[];
}

export interface InverterPerformance {
  subject: string;
  /** Energy by estimate, over the days that have both. */
  ofEstimate: Index;
  /** kWh/kWp over the days with a value. */
  yieldH: Figure;
  /** Yield by the middle yield of those that lie alike, itself included. */
  ofMedian: Figure;
  isBelow: boolean;
}

/** Part of its estimate under which an inverter is counted. */
export const LEAST_PERFORMANCE = 0.8;
/** So many that lie alike, itself included, make a middle. */
const FEWEST_PEERS = 3;

/**
 * How each inverter of a plant did against its estimate and against the others of its orientation.
 *
 * Yields are those of the days on which all of the same orientation have a value, so that a gap of one is no loss of
 * another. `below` counts those under 80 % of their estimate among those that have one (`rated`).
 */
export function inverterPerformance(
  inverters: readonly InverterDays[],
  least = LEAST_PERFORMANCE,
): { inverters: InverterPerformance[]; below: number; rated: number } {
  const alike = Map.groupBy(inverters, ({ orientation, subject }) => orientation ?? `\u0000${subject}`);
  const yields = new Map<string, Figure>();
  const middles = new Map<string, number | null>();
  for (const peers of alike.values()) {
    const common = commonDays(peers);
    const own = peers.map((peer) => yieldOf(peer, common));
    const middle = peers.length >= FEWEST_PEERS ? median(own.map(({ value }) => value)) : null;
    peers.forEach(({ subject }, i) => {
      yields.set(subject, own[i] as Figure);
      middles.set(subject, middle);
    });
  }
  const all = inverters.map(({ subject, days }): InverterPerformance => {
    const ofEstimate = energyPerformanceIndex(days);
    const yieldH = yields.get(subject) ?? noFigure('no_energy');
    const middle = middles.get(subject) ?? null;
    const ofMedian = yieldH.value === null ? yieldH : ratioOf(yieldH.value, middle ?? 0, 'no_peers');
    const isBelow = ofEstimate.index.value !== null && ofEstimate.index.value < least;
    return { subject, ofEstimate, yieldH, ofMedian, isBelow };
  });
  const rated = all.filter(({ ofEstimate }) => ofEstimate.index.value !== null);
  return { inverters: all, below: rated.filter(({ isBelow }) => isBelow).length, rated: rated.length };
}

/** Places of the days on which all have a value. */
const commonDays = (peers: readonly InverterDays[]): number[] =>
  (peers[0]?.days ?? []).flatMap((_, i) =>
    peers.every(({ days }) => (days[i]?.energyKwh ?? null) !== null) ? [i] : [],
  );

function yieldOf({ dcKw, days }: InverterDays, common: readonly number[]): Figure {
  if (dcKw === null || !(dcKw > 0)) return noFigure('no_rating');
  if (common.length === 0) return noFigure('no_energy');
  const energyKwh = common.reduce((sum, i) => sum + (days[i]?.energyKwh ?? 0), 0);
  return { value: energyKwh / dcKw, reason: null };
}

/** Days of a period on which all sources of a device have a value. */
export const daysWithData = (sources: readonly (readonly (number | null)[])[]): number =>
  (sources[0] ?? []).filter((_, i) => sources.every((days) => (days[i] ?? null) !== null)).length;
