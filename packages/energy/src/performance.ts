import { type Figure, figureOf, noFigure, ratioOf } from './figure.ts';
import {
  isPlausiblePower,
  NIGHT_WM2,
  plausibleIrradianceWm2,
  plausibleModuleC,
  stuckMask,
} from './hygiene.ts';
import type { PlaneOrientation } from './sun.ts';

/**
 * What a system gave and what light it had, interval by interval.
 *
 * Shapes: all lists alike. Units: kWh in the interval, W/m² and °C as its mean. Gaps: NaN; never read as zero.
 */
export interface PerformanceSeries {
  /** Length of an interval, h. */
  intervalHours: number;
  /** Out of the system, AC. */
  energyKwh: ArrayLike<number>;
  /** In the plane of the array, front side; of several planes their mean by shares. */
  poaWm2: ArrayLike<number>;
  /** On the back of bifacial modules. Left out where no sensor is there: the figures are then of the front side only. */
  rearWm2?: ArrayLike<number>;
  /** Of the array, before the inverter. */
  dcEnergyKwh?: ArrayLike<number>;
  /** Of modules, for the temperature-corrected ratio, or of cells, for the weather-corrected one. */
  moduleC?: ArrayLike<number>;
  /** Sine of the sun's elevation: tells night from a gap of the light sensor. Without it, such a gap counts as day. */
  sunUp?: ArrayLike<number>;
  /** 1 where an interval does not count. */
  excluded?: ArrayLike<number>;
  /** 1 where the light sensor hangs. Without it that is told by the values, each of which has to be one of its own. */
  stuck?: ArrayLike<number>;
}

export interface SystemRating {
  /** Name plate of the modules at standard test conditions, kWp. */
  dcKw: number;
  /** Of the inverters, kW; null where not known. */
  acKw: number | null;
  /** Of the power, per K, negative; null where not known. */
  coefficientPerK: number | null;
  /** Yield of the back as a part of that of the front, of bifacial modules; null for others. */
  bifaciality?: number | null;
}

/**
 * Sums from which all ratios come. They are added up first and divided last, over time and over systems, so that a month
 * is what its days are. An interval is in all sums of a ratio or in none.
 */
export interface PerformanceSums {
  dcKw: number;
  energyKwh: number;
  /** What the rated modules would make of the light without any loss: P0 H. */
  referenceKwh: number;
  /** Of the intervals that have DC energy too. */
  dc: { dcEnergyKwh: number; energyKwh: number; referenceKwh: number };
  /**
   * Of the intervals that have a temperature too: the reference by itself and times the temperature, then the same times
   * the coefficient, and the reference of systems whose coefficient is not known.
   */
  warm: {
    energyKwh: number;
    referenceKwh: number;
    referenceKwhC: number;
    slopeKwhPerK: number;
    slopeKwhCPerK: number;
    withoutCoefficientKwh: number;
  };
  /** Energy of the night, mostly the system's own use; in no ratio, shown apart. */
  nightKwh: number;
  /** Hours by what became of them. */
  hours: { used: number; night: number; excluded: number; missing: number; implausible: number };
  /** Bifacial modules whose back has no sensor. */
  isFrontSideOnly: boolean;
}

export interface PerformanceRules {
  /** Below it an interval is night, W/m². It changes the ratio, so it stands beside the figure. Default 20. */
  floorWm2?: number;
}

export const noSums = (dcKw: number): PerformanceSums => ({
  dcKw,
  energyKwh: 0,
  referenceKwh: 0,
  dc: { dcEnergyKwh: 0, energyKwh: 0, referenceKwh: 0 },
  warm: {
    energyKwh: 0,
    referenceKwh: 0,
    referenceKwhC: 0,
    slopeKwhPerK: 0,
    slopeKwhCPerK: 0,
    withoutCoefficientKwh: 0,
  },
  nightKwh: 0,
  hours: { used: 0, night: 0, excluded: 0, missing: 0, implausible: 0 },
  isFrontSideOnly: false,
});

/**
 * Sums of one system over its intervals.
 *
 * Left out, with energy and light together: what is excluded, night, gaps, and what cannot be (irradiance outside -10 to
 * 1500 W/m² or of a sensor that hangs, power over 1.1 times the AC rating). `hours` says how much each took.
 * Source: IEC 61724-1:2021 for the quantities.
 */
export function performanceSums(
  series: PerformanceSeries,
  rating: SystemRating,
  { floorWm2 = NIGHT_WM2 }: PerformanceRules = {},
): PerformanceSums {
  const { intervalHours, energyKwh, poaWm2, rearWm2, dcEnergyKwh, moduleC, sunUp, excluded } = series;
  const { dcKw, acKw, coefficientPerK, bifaciality = null } = rating;
  const sums = noSums(dcKw);
  sums.isFrontSideOnly = bifaciality !== null && !rearWm2;
  const stuck = series.stuck ?? stuckMask(poaWm2, intervalHours);
  const { hours, dc, warm } = sums;
  for (let i = 0; i < energyKwh.length; i++) {
    const energy = energyKwh[i] as number;
    const shown = poaWm2[i] ?? Number.NaN;
    const front = stuck[i] ? Number.NaN : plausibleIrradianceWm2(shown);
    if (excluded?.[i]) {
      hours.excluded += intervalHours;
      continue;
    }
    const isDark = Number.isNaN(front) ? (sunUp?.[i] ?? 1) <= 0 : front < floorWm2;
    if (isDark) {
      hours.night += intervalHours;
      if (!Number.isNaN(energy) && isPlausiblePower(energy / intervalHours, acKw)) sums.nightKwh += energy;
      continue;
    }
    const back = bifaciality !== null && rearWm2 ? plausibleIrradianceWm2(rearWm2[i] ?? Number.NaN) : 0;
    if (Number.isNaN(energy) || Number.isNaN(shown) || Number.isNaN(back)) {
      hours.missing += intervalHours;
      continue;
    }
    if (Number.isNaN(front) || !isPlausiblePower(energy / intervalHours, acKw)) {
      hours.implausible += intervalHours;
      continue;
    }
    const reference = (dcKw * (front + (bifaciality ?? 0) * back) * intervalHours) / 1000;
    hours.used += intervalHours;
    sums.energyKwh += energy;
    sums.referenceKwh += reference;
    const array = dcEnergyKwh?.[i] ?? Number.NaN;
    if (!Number.isNaN(array)) {
      dc.dcEnergyKwh += array;
      dc.energyKwh += energy;
      dc.referenceKwh += reference;
    }
    const degrees = plausibleModuleC(moduleC?.[i] ?? Number.NaN);
    if (!Number.isNaN(degrees)) {
      const slope = reference * (coefficientPerK ?? 0);
      warm.energyKwh += energy;
      warm.referenceKwh += reference;
      warm.referenceKwhC += reference * degrees;
      warm.slopeKwhPerK += slope;
      warm.slopeKwhCPerK += slope * degrees;
      if (coefficientPerK === null) warm.withoutCoefficientKwh += reference;
    }
  }
  return sums;
}

/**
 * Several times of one system. Where its rating changed in between, the one that belongs to the whole light is used, so
 * that the reference yield stays the sum of those of the parts.
 */
export function sumOverTime(parts: readonly PerformanceSums[]): PerformanceSums {
  const total = added(parts);
  const lightH = parts.reduce((sum, { referenceKwh, dcKw }) => sum + (dcKw > 0 ? referenceKwh / dcKw : 0), 0);
  const newest = parts.at(-1)?.dcKw ?? 0;
  return { ...total, dcKw: lightH > 0 ? total.referenceKwh / lightH : newest };
}

/** Several systems over one time; each has the weight of its rating. Hours become hours of systems. */
export function sumOverSystems(parts: readonly PerformanceSums[]): PerformanceSums {
  return { ...added(parts), dcKw: parts.reduce((sum, { dcKw }) => sum + dcKw, 0) };
}

function added(parts: readonly PerformanceSums[]): PerformanceSums {
  const total = noSums(0);
  for (const part of parts) {
    total.energyKwh += part.energyKwh;
    total.referenceKwh += part.referenceKwh;
    total.nightKwh += part.nightKwh;
    total.isFrontSideOnly ||= part.isFrontSideOnly;
    addTo(total.dc, part.dc);
    addTo(total.warm, part.warm);
    addTo(total.hours, part.hours);
  }
  return total;
}

function addTo<Key extends string>(total: Record<Key, number>, part: Record<Key, number>): void {
  for (const key of Object.keys(total) as Key[]) total[key] += part[key];
}

export interface FigureRules {
  /**
   * Temperature to which the weather-corrected ratio is brought, °C: the irradiance-weighted mean of a typical year.
   * Never that of the evaluated period, which would give the plain ratio again. Null where none is set.
   */
  referenceC?: number | null;
  /** Below so much light in the plane there are no ratios, kWh/m². Default 0.1. */
  leastIrradiationKwhM2?: number;
}

export interface PerformanceFigures {
  /** Yf, Yr and Ya of IEC 61724-1, h (kWh/kWp). */
  finalYieldH: Figure;
  referenceYieldH: Figure;
  arrayYieldH: Figure;
  /** Yr - Ya: what modules and their surroundings lose, h. Of the intervals that have DC energy. */
  captureLossH: Figure;
  /** Ya - Yf: what inverters, cables and transformers lose, h. Of the same intervals. */
  bosLossH: Figure;
  performanceRatio: Figure;
  /** PR25: brought to 25 °C. */
  temperatureCorrectedRatio: Figure;
  weatherCorrectedRatio: Figure;
  /** Irradiance-weighted mean temperature of the period, °C. */
  meanModuleC: Figure;
  /** Part of the hours of light that the figures rest on; excluded hours are not asked for. */
  completeness: Figure;
}

const USUAL_LEAST_KWH_M2 = 0.1;

/** The ratios of IEC 61724-1 from sums of one system or many, over any time. */
export function performanceFigures(sums: PerformanceSums, rules: FigureRules = {}): PerformanceFigures {
  const { dcKw, energyKwh, referenceKwh, dc, warm, hours } = sums;
  const least = rules.leastIrradiationKwhM2 ?? USUAL_LEAST_KWH_M2;
  const yieldOf = (kwh: number, isThere: boolean, reason: Parameters<typeof noFigure>[0]): Figure =>
    dcKw > 0 ? (isThere ? figureOf(kwh / dcKw, reason) : noFigure(reason)) : noFigure('no_rating');
  const over = (upper: number, lower: number, reference: number, otherwise: Figure | null): Figure => {
    if (!(dcKw > 0)) return noFigure('no_rating');
    if (hours.used === 0) return noFigure(hours.missing > 0 ? 'no_energy' : 'no_irradiation');
    if (otherwise) return otherwise;
    if (reference / dcKw < least) return noFigure('too_little_irradiation');
    return ratioOf(upper, lower, 'no_irradiation');
  };
  const correctedTo = (degrees: number | null): Figure => {
    const otherwise =
      warm.referenceKwh <= 0
        ? noFigure('no_temperature')
        : warm.withoutCoefficientKwh > 0
          ? noFigure('no_coefficient')
          : degrees === null
            ? noFigure('no_reference_temperature')
            : null;
    const corrected = warm.referenceKwh + warm.slopeKwhCPerK - warm.slopeKwhPerK * (degrees ?? 0);
    return over(warm.energyKwh, corrected, warm.referenceKwh, otherwise);
  };
  const hasDc = dc.referenceKwh > 0;
  return {
    finalYieldH: yieldOf(energyKwh, hours.used > 0, 'no_energy'),
    referenceYieldH: yieldOf(referenceKwh, hours.used > 0, 'no_irradiation'),
    arrayYieldH: yieldOf(dc.dcEnergyKwh, hasDc, 'no_dc_energy'),
    captureLossH: yieldOf(dc.referenceKwh - dc.dcEnergyKwh, hasDc, 'no_dc_energy'),
    bosLossH: yieldOf(dc.dcEnergyKwh - dc.energyKwh, hasDc, 'no_dc_energy'),
    performanceRatio: over(energyKwh, referenceKwh, referenceKwh, null),
    temperatureCorrectedRatio: correctedTo(25),
    weatherCorrectedRatio: correctedTo(rules.referenceC ?? null),
    meanModuleC: ratioOfSigned(warm.referenceKwhC, warm.referenceKwh),
    completeness: ratioOf(hours.used, hours.used + hours.missing + hours.implausible, 'no_irradiation'),
  };
}

const ratioOfSigned = (upper: number, lower: number): Figure => ratioOf(upper, lower, 'no_temperature');

/** Modules so flat see nearly the light of the ground, degrees. */
const FLAT_DEG = 3;

/** Whether light that was measured flat on the ground may stand for that in these planes. */
export const isHorizontalFit = (planes: readonly PlaneOrientation[]): boolean =>
  planes.every(({ tiltDeg }) => tiltDeg <= FLAT_DEG);

/** The figures without those that light on the ground cannot give for tilted modules; they say so. */
export function withoutPlaneLight(figures: PerformanceFigures): PerformanceFigures {
  const none = noFigure('horizontal_sensor');
  return {
    ...figures,
    referenceYieldH: none,
    captureLossH: none,
    performanceRatio: none,
    temperatureCorrectedRatio: none,
    weatherCorrectedRatio: none,
  };
}
