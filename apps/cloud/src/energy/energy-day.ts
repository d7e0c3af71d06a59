import type { EnergyMethod } from '@albedo/contract/energy/energy.names';
import type { ReportReason } from '@albedo/contract/energy/energy.schema';
import { inverterAvailability, lostEnergyKwh, plantAvailability } from '@albedo/energy/availability';
import { expectedDays } from '@albedo/energy/expected';
import { performanceSums } from '@albedo/energy/performance';
import { pvwattsDcW } from '@albedo/energy/pvwatts';
import type { SunPath } from '@albedo/energy/sun';
import type { Slot } from '../telemetry/telemetry.service.ts';
import { BEYOND, type CounterReading, countedOn } from './counted.ts';
import type { CounterFaults, PowerBins } from './energy.tables.ts';
import { leftOutOf } from './energy-curtailed.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What a day is looked at in: a pause that is longer is a gap. */
export const SLOT_MS = 15 * MINUTE_MS;
/** A stream that is slower than that stands for its own usual pause, up to so many slots. */
const SLOWEST = 4;
/** So much of the light has to be seen. */
const SEEN = 0.9;
const SLOT_H = SLOT_MS / HOUR_MS;

/** Light and heat of a plant over the slots of a day. Gaps: NaN. */
export interface DaySky {
  poaWm2: Float64Array;
  moduleC: Float64Array;
  /** On the back of the modules, where that is measured. */
  rearWm2?: Float64Array | undefined;
  /** The sun over the slots; null where nobody knows where the plant stands. */
  path: SunPath | null;
  /** False where it is no basis of a performance ratio. */
  isMeasured: boolean;
}

/** What a source may be told its energy by; values in kWh and kW. */
export interface DayStreams {
  /** In the order in which they are tried; readings of the time around the day as well. */
  counters: { method: Exclude<EnergyMethod, 'powerCurve'>; readings: readonly CounterReading[] }[];
  /** Means of slots. Gaps: NaN. */
  powerKW: Float64Array | null;
  dcKW: Float64Array | null;
  /** By something else than the power that runs in `powerKW`. */
  count: number;
  firstAt: number | null;
  lastAt: number | null;
}

export interface DayRules {
  ratedKW: number | null;
  peakKWp: number | null;
  gammaPerK: number;
  systemFactor: number;
  floorWm2: number;
  /** Yield of the back of bifacial modules as a part of that of the front; null for others. */
  bifaciality?: number | null;
  /** `isMissingAvailable`: of what nobody knows it is said that it was available. */
  availability: { thresholdWm2: number; power: number; isWeighted: boolean; isMissingAvailable: boolean };
  /** 1 in the slots that agreements leave out. */
  excluded: Uint8Array;
  /** 1 in the slots in which its power was limited. */
  curtailed: Uint8Array;
}

export interface DayTime {
  from: number;
  to: number;
  now: number;
  /** From here on yesterday's count is gone from a counter that restarts each day. */
  awakeAt: number;
}

/** Everything that reports add up of a source on a day. */
export function dayFigures(time: DayTime, streams: DayStreams, sky: DaySky | null, rules: DayRules) {
  const { from, to, now } = time;
  const { powerKW, dcKW } = streams;
  const hours = Math.max(0, Math.min(now, to) - from) / HOUR_MS;
  const spread = powerKW ? slotsOf(powerKW) : 1;
  const powerCurveKWh = powerKW ? energyOf(powerKW, spread) : null;
  const limitKW = rules.ratedKW ?? rules.peakKWp;
  const told = tell(streams, time, { limitKW, powerCurveKWh });
  const energyKWh = told?.energyKWh ?? null;
  const marks = new Set<ReportReason>(told?.marks);
  if (now < to) marks.add('dayNotOver');
  if (energyKWh !== null && limitKW !== null && energyKWh > limitKW * hours * BEYOND)
    marks.add('beyondRating');
  const dcKWh = dcKW ? energyOf(dcKW, slotsOf(dcKW)) : null;
  // Where power and counter are of one mind, slots are parts of what was counted.
  const share =
    energyKWh !== null && powerCurveKWh !== null && powerCurveKWh > 0 ? energyKWh / powerCurveKWh : 1;
  const sums = skySums(
    time,
    { powerKW, dcKW, spread, scale: share > 0.8 && share < 1.25 ? share : 1 },
    sky,
    rules,
  );
  const [used, missed] = [sums.usedHours ?? 0, sums.missedHours ?? 0];
  if (used + missed > 0 && used < SEEN * (used + missed)) marks.add('lowCoverage');
  const filled = powerKW
    ? Math.min(powerKW.length, powerKW.filter((one) => !Number.isNaN(one)).length * spread)
    : null;
  const slots = Math.max(1, Math.ceil((Math.min(now, to) - from) / SLOT_MS));
  const left = leftOut(rules, powerKW && heldOf(powerKW, slots, spread), sky, slots);
  if (left) marks.add('curtailed');
  return {
    method: told?.method ?? null,
    energyKWh,
    dcKWh,
    powerCurveKWh: told?.method === 'powerCurve' ? null : powerCurveKWh,
    samples: streams.count,
    coverage:
      filled === null
        ? Math.min(1, (told?.coveredMs ?? 0) / Math.max(1, hours * HOUR_MS))
        : Math.min(1, filled / slots),
    firstAt: streams.firstAt,
    lastAt: streams.lastAt,
    ratedKW: rules.ratedKW,
    ratedKWh: rules.ratedKW === null ? null : rules.ratedKW * hours,
    peakKWh: rules.peakKWp === null ? null : rules.peakKWp * hours,
    peakKWp: rules.peakKWp,
    counter: told?.faults ?? null,
    marks: [...marks],
    ...sums,
    curtailedHours: left && Math.min(hours, left.slots * SLOT_H),
    curtailedKWh: left && energyKWh !== null ? energyKWh * left.energy : null,
    curtailedExpectedKWh: left && sums.expectedKWh != null ? sums.expectedKWh * left.expected : null,
    bins: powerKW && dcKW && rules.ratedKW ? binsOf(powerKW, dcKW, rules.ratedKW) : null,
  };
}

/** What its limits take out of the ratios of the slots that have passed. */
function leftOut(rules: DayRules, powerKW: Float64Array | null, sky: DaySky | null, slots: number) {
  const curtailed = rules.curtailed.subarray(0, slots);
  if (!curtailed.includes(1)) return null;
  const expectedKW = sky && expectedOf(sky.poaWm2.subarray(0, slots), sky.moduleC.subarray(0, slots), rules);
  return leftOutOf(curtailed, powerKW, expectedKW);
}

interface Told {
  method: EnergyMethod;
  energyKWh: number;
  coveredMs: number | null;
  marks: ReportReason[];
  faults: CounterFaults;
}

/** The first method that gives a value, from two readings at least. */
function tell(
  { counters, powerKW }: DayStreams,
  { from, to, now, awakeAt }: DayTime,
  { limitKW, powerCurveKWh }: { limitKW: number | null; powerCurveKWh: number | null },
): Told | null {
  const day = { from, to: Math.min(now, to) };
  for (const { method, readings } of counters) {
    const within = readings.filter(({ at }) => at >= from && at < to);
    const before = readings.filter(({ at }) => at < from);
    if (readings.length < 2) continue;
    const counted = countedOn(readings, day, limitKW, method === 'dailyEnergy');
    if (method === 'dailyEnergy') {
      if (within.length === 0) continue;
      const energyKWh = ownDay(within, before.at(-1)?.value ?? null, awakeAt, counted?.energyKWh ?? null);
      if (energyKWh !== null)
        return { method, energyKWh, coveredMs: counted?.coveredMs ?? null, marks: [], faults: null };
    } else if (counted) {
      const { energyKWh, isEstimated, isDoubted, coveredMs, faults } = counted;
      const marks = [
        ...(isEstimated ? ['estimated' as const] : []),
        ...(isDoubted ? ['beyondRating' as const] : []),
      ];
      return { method, energyKWh: Math.max(0, energyKWh), coveredMs, marks, faults };
    }
  }
  if (powerCurveKWh === null || !powerKW) return null;
  if (powerKW.filter((one) => !Number.isNaN(one)).length < 2) return null;
  return { method: 'powerCurve', energyKWh: powerCurveKWh, coveredMs: null, marks: [], faults: null };
}

/**
 * What a counter that restarts each day says of today: its largest value from the morning on. As long as it stands where
 * it stood before midnight, it shows yesterday; it restarts at midnight, when the inverter wakes, or by a clock of its own.
 */
function ownDay(
  within: readonly CounterReading[],
  leftover: number | null,
  awakeAt: number,
  counted: number | null,
): number | null {
  const first = leftover === null ? 0 : within.findIndex(({ value }) => value !== leftover);
  const today = first < 0 ? [] : within.slice(first);
  const morning = today.filter(({ at }) => at >= awakeAt);
  const own = morning.length > 0 ? morning : today;
  if (own.length === 0) return leftover === null ? null : 0;
  const least = Math.min(...today.map(({ value }) => value));
  const most = Math.max(...own.map(({ value }) => value));
  // It never fell: whether it went on from yesterday's value or began anew, its pace tells.
  return leftover !== null && leftover > 0 && least >= leftover ? (counted ?? most - leftover) : most;
}

/** How many slots a value stands for: one, or the usual pause of a stream that is slow. */
export function slotsOf(means: Float64Array): number {
  const filled = [...means.keys()].filter((i) => !Number.isNaN(means[i] as number));
  const pauses = filled
    .slice(1)
    .map((slot, i) => slot - (filled[i] as number))
    .toSorted((a, b) => a - b);
  return Math.min(SLOWEST, Math.max(1, pauses[pauses.length >> 1] ?? 1));
}

/** kWh of means in kW. Gaps count as nothing. */
function energyOf(meansKW: Float64Array, spread: number): number {
  let sum = 0;
  for (const mean of meansKW) if (!Number.isNaN(mean)) sum += mean;
  return Math.max(0, (sum * spread * SLOT_MS) / HOUR_MS);
}

interface SlotPower {
  powerKW: Float64Array | null;
  dcKW: Float64Array | null;
  spread: number;
  scale: number;
}

/** Sums over the slots of a day that have passed; null where they need what is not known. */
function skySums(time: DayTime, slots: SlotPower, sky: DaySky | null, rules: DayRules): SkySums {
  const until = Math.ceil((Math.min(time.now, time.to) - time.from) / SLOT_MS);
  const poaWm2 = sky?.poaWm2.subarray(0, until);
  if (!sky || !poaWm2 || poaWm2.every((g) => Number.isNaN(g))) return NO_SUMS;
  const { peakKWp, ratedKW } = rules;
  const moduleC = sky.moduleC.subarray(0, until);
  const energyKwh = heldOf(slots.powerKW, until, slots.spread).map((kW) => kW * slots.scale * SLOT_H);
  const expectedKW = expectedOf(poaWm2, moduleC, rules);
  const curtailed = rules.curtailed.subarray(0, until);
  const excluded = curtailed.map((one, i) => one | (rules.excluded[i] ?? 0));
  const light = { intervalHours: SLOT_H, poaWm2, excluded };
  const available = availabilityOf(light, energyKwh, rules);
  const performance =
    peakKWp !== null && sky.isMeasured
      ? performanceSums(
          {
            ...{ intervalHours: SLOT_H, energyKwh, poaWm2, moduleC, excluded: curtailed },
            // Sensors that hang were left out before their values were held.
            stuck: new Uint8Array(until),
            ...(sky.rearWm2 ? { rearWm2: sky.rearWm2.subarray(0, until) } : {}),
            ...(slots.dcKW
              ? { dcEnergyKwh: heldOf(slots.dcKW, until, slotsOf(slots.dcKW)).map((kW) => kW * SLOT_H) }
              : {}),
          },
          {
            ...{ dcKw: peakKWp, acKw: ratedKW, coefficientPerK: rules.gammaPerK },
            bifaciality: rules.bifaciality ?? null,
          },
          { floorWm2: rules.floorWm2 },
        )
      : null;
  const { irradiationKWhM2, expectedKWh } = dayOfLight(time, { ...sky, poaWm2, moduleC }, expectedKW, rules);
  return {
    irradiationKWhM2,
    expectedKWh,
    referenceKWh: peakKWp === null || irradiationKWhM2 === null ? null : irradiationKWhM2 * peakKWp,
    ...available,
    lostKWh:
      expectedKW &&
      lostEnergyKwh(
        {
          ...light,
          powerKw: energyKwh.map((kWh) => kWh / SLOT_H),
          expectedKw: expectedKW,
          ratedKw: ratedKW ?? peakKWp ?? 1,
        },
        { thresholdWm2: rules.availability.thresholdWm2 },
      ),
    ...(performance && {
      usedReferenceKWh: performance.referenceKwh,
      usedKWh: performance.energyKwh,
      ...(slots.dcKW && {
        usedDcKWh: performance.dc.dcEnergyKwh,
        usedDcAcKWh: performance.dc.energyKwh,
        usedDcReferenceKWh: performance.dc.referenceKwh,
      }),
      warmKWh: performance.warm.energyKwh,
      warmReferenceKWh: performance.warm.referenceKwh,
      warmthKWhC: performance.warm.referenceKwhC,
      usedHours: performance.hours.used,
      missedHours: performance.hours.missing + performance.hours.implausible,
    }),
  };
}

type SkySums = Partial<
  Record<
    | 'irradiationKWhM2'
    | 'expectedKWh'
    | 'referenceKWh'
    | 'usedReferenceKWh'
    | 'usedKWh'
    | 'usedDcKWh'
    | 'usedDcAcKWh'
    | 'usedDcReferenceKWh'
    | 'warmKWh'
    | 'warmReferenceKWh'
    | 'warmthKWhC'
    | 'usedHours'
    | 'missedHours'
    | 'availableHours'
    | 'unavailableHours'
    | 'contractAvailableHours'
    | 'contractUnavailableHours'
    | 'lostKWh',
    number | null
  >
>;
const NO_SUMS: SkySums = {};

/** Light of a day and what it should have given; null where too much of it is not known. */
function dayOfLight(
  { from }: DayTime,
  { path, poaWm2, moduleC }: DaySky,
  expectedKW: Float64Array | null,
  { peakKWp, ratedKW, gammaPerK, systemFactor }: DayRules,
): { irradiationKWhM2: number | null; expectedKWh: number | null } {
  const sumOf = (list: Float64Array) => list.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0);
  if (!path)
    return {
      irradiationKWhM2: (sumOf(poaWm2) * SLOT_H) / 1000,
      expectedKWh: expectedKW && sumOf(expectedKW) * SLOT_H,
    };
  const [day] = expectedDays(
    { path, intervalHours: SLOT_H, light: { poaWm2, from: 'plane', model: null }, cellsC: moduleC },
    { dcKw: peakKWp ?? 0, acKw: ratedKW, systemFactor, coefficientPerK: gammaPerK },
    [from, from + poaWm2.length * SLOT_MS],
  );
  return {
    irradiationKWhM2: day?.irradiationKwhM2 ?? null,
    expectedKWh: peakKWp === null ? null : (day?.energyKwh ?? null),
  };
}

/** What the modules should have given in each slot, kW, as far as the inverter lets it through. Gaps: NaN. */
function expectedOf(poaWm2: Float64Array, moduleC: Float64Array, rules: DayRules): Float64Array | null {
  const { peakKWp, ratedKW, gammaPerK, systemFactor } = rules;
  if (peakKWp === null) return null;
  return poaWm2.map((g, i) => {
    const c = moduleC[i] as number;
    const kW = pvwattsDcW(peakKWp, g, Number.isNaN(c) ? 25 : c, gammaPerK) * systemFactor;
    return ratedKW === null ? kW : Math.min(kW, ratedKW);
  });
}

/** Hours with and without output while the sun shone, by the rule that was chosen. */
function availabilityOf(
  light: { intervalHours: number; poaWm2: Float64Array; excluded: Uint8Array },
  energyKwh: Float64Array,
  { availability, ratedKW, peakKWp }: DayRules,
) {
  const rules = { thresholdWm2: availability.thresholdWm2, isWeightedByLight: availability.isWeighted };
  const ratedKw = ratedKW ?? peakKWp ?? 0;
  const { technicalSums, contractualSums } =
    availability.isMissingAvailable || ratedKw <= 0
      ? plantAvailability({ ...light, energyKwh }, rules)
      : inverterAvailability(
          { ...light, inverters: [{ powerKw: energyKwh.map((kWh) => kWh / SLOT_H), ratedKw }] },
          { ...rules, leastLoad: availability.power },
        );
  return {
    availableHours: technicalSums.available,
    unavailableHours: technicalSums.unavailable,
    contractAvailableHours: contractualSums.available,
    contractUnavailableHours: contractualSums.unavailable,
  };
}

/** Means over the slots that have passed; a value that stands for several slots fills those after it. Gaps: NaN. */
export function heldOf(means: Float64Array | null, count: number, spread: number): Float64Array {
  const held = new Float64Array(count).fill(Number.NaN);
  means?.forEach((mean, slot) => {
    if (Number.isNaN(mean)) return;
    for (let i = slot; i < Math.min(count, slot + spread); i++)
      if (i === slot || Number.isNaN(held[i] as number)) held[i] = mean;
  });
  return held;
}

/** Where classes of load begin, as parts of the rating: no load of the European or the Californian efficiency is nearer. */
export const LOAD_CLASSES = [0.05, 0.075, 0.15, 0.25, 0.4, 0.625, 0.75, 0.875] as const;

/** Slots that give more than they took say nothing. */
function binsOf(powerKW: Float64Array, dcKW: Float64Array, ratedKW: number): PowerBins {
  const bins = LOAD_CLASSES.map((): [number, number] => [0, 0]);
  powerKW.forEach((ac, i) => {
    const dc = dcKW[i] ?? Number.NaN;
    if (Number.isNaN(ac) || Number.isNaN(dc) || dc <= 0 || ac < 0 || ac > dc) return;
    const bin = bins[LOAD_CLASSES.findLastIndex((from) => dc >= from * ratedKW)];
    if (!bin) return;
    bin[0] += ac * SLOT_H;
    bin[1] += dc * SLOT_H;
  });
  return bins;
}

/** The means of slots as one list over a day, each times a factor. Gaps: NaN. */
export function meansOf(
  slots: readonly Slot[],
  count: number,
  { factor, offset }: { factor: number; offset: number },
) {
  const means = new Float64Array(count).fill(Number.NaN);
  for (const [slot, mean] of slots) if (slot >= 0 && slot < count) means[slot] = mean * factor + offset;
  return means;
}

/** As `meansOf`, of a counter: what it gained since the slot before that has a reading, as power over that time. */
export function gainsOf(slots: readonly Slot[], count: number, { factor }: { factor: number }): Float64Array {
  const gains = new Float64Array(count).fill(Number.NaN);
  for (const [i, [slot, , last, lastMs]] of slots.entries()) {
    const before = slots[i - 1];
    if (!before || slot >= count || slot - before[0] > SLOWEST || last < before[2]) continue;
    const kW = ((last - before[2]) * factor * HOUR_MS) / (lastMs - before[3]);
    gains.fill(kW, before[0] + 1, slot + 1);
  }
  return gains;
}
