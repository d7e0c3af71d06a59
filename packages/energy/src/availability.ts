import { type Figure, noFigure, ratioOf } from './figure.ts';
import { plausibleIrradianceWm2 } from './hygiene.ts';

/** Light over which a system has to produce, W/m². */
export const AVAILABILITY_THRESHOLD_WM2 = 100;

/** Sums of time, in hours or in hours weighted by light or power. Added up first, divided last. */
export interface AvailabilitySums {
  available: number;
  unavailable: number;
}

export interface Availability {
  /** All downtime counts. */
  technical: Figure;
  /** Less the exclusions that were agreed. */
  contractual: Figure;
  technicalSums: AvailabilitySums;
  contractualSums: AvailabilitySums;
  /** Hours of too little light, and hours whose light is not known; neither is rated. */
  unratedHours: number;
  unknownLightHours: number;
  excludedHours: number;
}

export interface AvailabilitySeries {
  /** Length of an interval, h. */
  intervalHours: number;
  /** In the plane, W/m². Gaps: NaN. */
  poaWm2: ArrayLike<number>;
  /** 1 where an agreed exclusion applies. */
  excluded?: ArrayLike<number>;
}

export interface AvailabilityRules {
  /** Default 100 W/m². */
  thresholdWm2?: number;
  /** Each interval has the weight of its light. Default false. */
  isWeightedByLight?: boolean;
}

/**
 * Availability of a plant from its energy: in each interval with light over the threshold it either gave some or not.
 *
 * Energy that is missing counts as available, as a lost connection is no lost production. Low light is not rated. The
 * current day is not asked for. Shapes: all lists alike. Gaps: NaN.
 */
export function plantAvailability(
  series: AvailabilitySeries & { energyKwh: ArrayLike<number> },
  rules: AvailabilityRules = {},
): Availability {
  return rated(series, rules, (i) => (isNothing(series.energyKwh[i]) ? 0 : 1));
}

/** Energy that is there and is none, or is drawn. */
const isNothing = (energy: number | undefined) => energy !== undefined && energy <= 0;

/** One inverter: power in each interval, kW, and its rating. Gaps: NaN. */
export interface InverterPower {
  powerKw: ArrayLike<number>;
  ratedKw: number;
}

/** Part of its rating over which an inverter works. */
const LEAST_LOAD = 0.005;

/**
 * Availability of a plant from its inverters: in each interval the rating of those that work by that of all whose power
 * is known, then the mean of the intervals.
 *
 * An inverter whose power is missing leaves both. `leastLoad` is the part of its rating over which it works, 0.005.
 */
export function inverterAvailability(
  series: AvailabilitySeries & { inverters: readonly InverterPower[] },
  rules: AvailabilityRules & { leastLoad?: number } = {},
): Availability {
  const least = rules.leastLoad ?? LEAST_LOAD;
  return rated(series, rules, (i) => {
    let [working, known] = [0, 0];
    for (const { powerKw, ratedKw } of series.inverters) {
      const power = powerKw[i] ?? Number.NaN;
      if (Number.isNaN(power) || !(ratedKw > 0)) continue;
      known += ratedKw;
      if (power / ratedKw > least) working += ratedKw;
    }
    return known > 0 ? working / known : Number.NaN;
  });
}

/** `partAt` is the part that was available in an interval, 0..1; NaN where nobody knows. */
function rated(
  { intervalHours, poaWm2, excluded }: AvailabilitySeries,
  { thresholdWm2 = AVAILABILITY_THRESHOLD_WM2, isWeightedByLight = false }: AvailabilityRules,
  partAt: (i: number) => number,
): Availability {
  const technicalSums = { available: 0, unavailable: 0 };
  const contractualSums = { available: 0, unavailable: 0 };
  let [unratedHours, unknownLightHours, excludedHours] = [0, 0, 0];
  for (let i = 0; i < poaWm2.length; i++) {
    const light = plausibleIrradianceWm2(poaWm2[i] as number);
    if (Number.isNaN(light)) unknownLightHours += intervalHours;
    if (light <= thresholdWm2) unratedHours += intervalHours;
    if (!(light > thresholdWm2)) continue;
    const part = partAt(i);
    if (Number.isNaN(part)) {
      unratedHours += intervalHours;
      continue;
    }
    const weight = intervalHours * (isWeightedByLight ? light : 1);
    add(technicalSums, part, weight);
    if (excluded?.[i]) excludedHours += intervalHours;
    else add(contractualSums, part, weight);
  }
  return {
    technical: availabilityOf(technicalSums),
    contractual: availabilityOf(contractualSums),
    technicalSums,
    contractualSums,
    unratedHours,
    unknownLightHours,
    excludedHours,
  };
}

function add(sums: AvailabilitySums, part: number, weight: number): void {
  sums.available += part * weight;
  sums.unavailable += (1 - part) * weight;
}

export const availabilityOf = ({ available, unavailable }: AvailabilitySums): Figure =>
  ratioOf(available, available + unavailable, 'nothing_rated');

/**
 * Availability of one device over many days: hours in which it ran through those in which it had light.
 *
 * Source: sum first, divide last; a day without light asks for nothing.
 */
export const deviceAvailability = (days: readonly { upHours: number; expectedHours: number }[]): Figure =>
  ratioOf(
    days.reduce((sum, { upHours, expectedHours }) => sum + Math.min(upHours, expectedHours), 0),
    days.reduce((sum, { expectedHours }) => sum + expectedHours, 0),
    'nothing_rated',
  );

/** Availability of many devices: their mean by peak power. A device without a figure leaves both sums. */
export function devicesAvailability(devices: readonly { availability: Figure; peakKw: number }[]): Figure {
  let [upper, lower] = [0, 0];
  for (const { availability, peakKw } of devices) {
    if (availability.value === null || !(peakKw > 0)) continue;
    upper += availability.value * peakKw;
    lower += peakKw;
  }
  return ratioOf(upper, lower, 'nothing_rated');
}

/** Availability by energy: E / (E + lost). Source: IEC TS 63019, energy-based availability. */
export function energyAvailability(energyKwh: number | null, lostKwh: number | null): Figure {
  if (energyKwh === null) return noFigure('no_energy');
  if (lostKwh === null) return noFigure('no_expected');
  return ratioOf(Math.max(0, energyKwh), Math.max(0, energyKwh) + Math.max(0, lostKwh), 'no_energy');
}

export interface LostEnergySeries extends AvailabilitySeries {
  /** What the system gave, kW. Gaps: NaN. */
  powerKw: ArrayLike<number>;
  /** What it should have given, kW: from irradiance or from healthy neighbours. Gaps: NaN. */
  expectedKw: ArrayLike<number>;
  ratedKw: number;
  /** Part of each interval in which it was known to be down, 0..1, for outages shorter than an interval. Gaps: NaN. */
  downPart?: ArrayLike<number>;
}

/** Part of the modules' power over which the sun is taken to shine when the light is not known. */
const SHINING_LOAD = 0.01;

/**
 * Energy that was lost while a system was down, kWh: what it should have given less what it gave.
 *
 * Down is an interval in which it works at less than 0.5 % of its rating although the sun shines: light over the
 * threshold or, where the light is not known, more than 1 % of the rating in the interval before the outage. Where the
 * down part of an interval is known it decides, and the expectation counts for that part only. Where nothing is expected
 * or known, nothing is lost; excluded intervals are not down.
 */
export function lostEnergyKwh(
  { intervalHours, poaWm2, excluded, powerKw, expectedKw, ratedKw, downPart }: LostEnergySeries,
  { thresholdWm2 = AVAILABILITY_THRESHOLD_WM2 }: AvailabilityRules = {},
): number {
  let [lost, lastLoad] = [0, 0];
  for (let i = 0; i < powerKw.length; i++) {
    const power = powerKw[i] as number;
    if (Number.isNaN(power)) continue;
    const isIdle = power / ratedKw <= LEAST_LOAD;
    const known = downPart?.[i] ?? Number.NaN;
    const part = Number.isNaN(known) ? (isIdle ? 1 : 0) : known;
    if (!isIdle) lastLoad = power / ratedKw;
    if (part <= 0 || excluded?.[i]) continue;
    const light = plausibleIrradianceWm2(poaWm2[i] ?? Number.NaN);
    const isShining = Number.isNaN(light) ? lastLoad > SHINING_LOAD : light > thresholdWm2;
    const expected = expectedKw[i] ?? Number.NaN;
    if (!isShining || !(expected > power)) continue;
    lost += Math.min(part * expected, expected - Math.max(0, power)) * intervalHours;
  }
  return lost;
}

/**
 * What a time was, after the categories of IEC TS 63019, the first that applies. Those marked do not count against a
 * contract.
 */
export const TIME_CATEGORIES = [
  { category: 'information_unavailable', isExcused: true },
  { category: 'force_majeure', isExcused: true },
  { category: 'suspended', isExcused: true },
  { category: 'forced_outage', isExcused: false },
  { category: 'planned_outage', isExcused: true },
  { category: 'out_of_specification', isExcused: true },
  { category: 'service_set_point', isExcused: true },
  { category: 'partial_performance', isExcused: false },
  { category: 'full_performance', isExcused: false },
] as const;
export type TimeCategory = (typeof TIME_CATEGORIES)[number]['category'];
