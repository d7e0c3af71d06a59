import { type Figure, noFigure, ratioOf } from './figure.ts';

/** Loads and weights of a weighted efficiency; loads are parts of the rating. */
export interface EfficiencyWeights {
  loads: readonly number[];
  weights: readonly number[];
}

/** Source: European efficiency of the Joint Research Centre in Ispra, for the light of central Europe. */
export const EUROPEAN: EfficiencyWeights = {
  loads: [0.05, 0.1, 0.2, 0.3, 0.5, 1],
  weights: [0.03, 0.06, 0.13, 0.1, 0.48, 0.2],
};

/** Source: California Energy Commission, Guidelines for the Emerging Renewables Program. */
export const CEC: EfficiencyWeights = {
  loads: [0.1, 0.2, 0.3, 0.5, 0.75, 1],
  weights: [0.04, 0.05, 0.12, 0.21, 0.53, 0.05],
};

/** What an inverter made of its DC power at one load. */
export interface EfficiencyBin {
  /** The load that it stands for, and the mean one that was seen; null where none was. */
  load: number;
  meanLoad: number | null;
  intervals: number;
  /** Sum of AC by sum of DC. */
  efficiency: Figure;
}

export interface InverterEfficiency {
  european: Figure;
  cec: Figure;
  europeanBins: EfficiencyBin[];
  cecBins: EfficiencyBin[];
  /** Sum of AC by sum of DC over all that counts. */
  overall: Figure;
  /** Intervals that gave more than they took; their instruments err. */
  discarded: number;
}

export interface EfficiencyRules {
  /** Fewest intervals that make a bin known. Default 1. */
  leastIntervals?: number;
}

/** Below so much of its rating an inverter is starting. */
const LEAST_LOAD = 0.05;

/**
 * Efficiencies of an inverter from intervals of its operation.
 *
 * Shapes: both lists alike. Units: kW, means over the interval; the load is DC power by `ratedKw`, the DC power at which
 * it gives its rated AC power (or that AC power, where only this is known). Gaps: NaN. Intervals under 5 % of load and
 * those that give more than they take do not count. Each interval belongs to the nearest load. Where a load was never
 * seen there is no weighted figure, as the others cannot say it.
 */
export function inverterEfficiency(
  dcKw: ArrayLike<number>,
  acKw: ArrayLike<number>,
  ratedKw: number | null,
  { leastIntervals = 1 }: EfficiencyRules = {},
): InverterEfficiency {
  const european = emptyBins(EUROPEAN);
  const cec = emptyBins(CEC);
  const all = { dc: 0, ac: 0, count: 0 };
  let discarded = 0;
  const isRated = ratedKw !== null && ratedKw > 0;
  for (let i = 0; isRated && i < dcKw.length; i++) {
    const [dc, ac] = [dcKw[i] as number, acKw[i] ?? Number.NaN];
    const load = dc / ratedKw;
    if (Number.isNaN(ac) || !(load >= LEAST_LOAD) || ac < 0) continue;
    if (ac > dc) {
      discarded += 1;
      continue;
    }
    for (const sum of [all, nearest(european, load), nearest(cec, load)]) {
      sum.dc += dc;
      sum.ac += ac;
      sum.count += 1;
    }
  }
  const binOf = (bin: Bin): EfficiencyBin => ({
    load: bin.load,
    meanLoad: bin.count > 0 ? bin.dc / bin.count / (ratedKw ?? 1) : null,
    intervals: bin.count,
    efficiency: bin.count >= leastIntervals ? ratioOf(bin.ac, bin.dc, 'empty_bin') : noFigure('empty_bin'),
  });
  const [europeanBins, cecBins] = [european.map(binOf), cec.map(binOf)];
  return {
    european: isRated ? weighted(europeanBins, EUROPEAN) : noFigure('no_rating'),
    cec: isRated ? weighted(cecBins, CEC) : noFigure('no_rating'),
    europeanBins,
    cecBins,
    overall: isRated ? ratioOf(all.ac, all.dc, 'no_dc_energy') : noFigure('no_rating'),
    discarded,
  };
}

interface Bin {
  load: number;
  dc: number;
  ac: number;
  count: number;
}

const emptyBins = ({ loads }: EfficiencyWeights): Bin[] =>
  loads.map((load) => ({ load, dc: 0, ac: 0, count: 0 }));

const nearest = (bins: readonly Bin[], load: number): Bin =>
  bins.reduce((best, bin) => (Math.abs(bin.load - load) < Math.abs(best.load - load) ? bin : best));

function weighted(bins: readonly EfficiencyBin[], { weights }: EfficiencyWeights): Figure {
  let sum = 0;
  for (const [i, { efficiency }] of bins.entries()) {
    if (efficiency.value === null) return efficiency;
    sum += efficiency.value * (weights[i] as number);
  }
  return { value: sum, reason: null };
}
