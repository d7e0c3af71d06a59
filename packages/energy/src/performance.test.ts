import { describe, expect, test } from 'vitest';
import { exclusionMask, stuckMask } from './hygiene.ts';
import {
  isHorizontalFit,
  type PerformanceSeries,
  performanceFigures,
  performanceSums,
  sumOverSystems,
  sumOverTime,
  withoutPlaneLight,
} from './performance.ts';
import { sapmCellC, weightedMeanC } from './temperature.ts';

const NONE = Number.NaN;
const SYSTEM = { dcKw: 500, acKw: 450, coefficientPerK: -0.0037 };
const hours = (
  poaWm2: number[],
  energyKwh: number[],
  more: Partial<PerformanceSeries> = {},
): PerformanceSeries => ({
  intervalHours: 1,
  poaWm2,
  energyKwh,
  ...more,
});
const figures = (series: PerformanceSeries, rating = SYSTEM) =>
  performanceFigures(performanceSums(series, rating));

describe('published figures', () => {
  test('500 kWp, 5.2 kWh/m² and 2158 kWh are a yield of 4.316 h and a ratio of 0.830', () => {
    const poa = [400, 700, 900, 1000, 900, 700, 600];
    const energy = poa.map((one) => (2158 * one) / 5200);
    const { finalYieldH, referenceYieldH, performanceRatio } = figures(hours(poa, energy));
    expect(finalYieldH.value).toBeCloseTo(4.316, 9);
    expect(referenceYieldH.value).toBeCloseTo(5.2, 9);
    expect(performanceRatio.value).toBeCloseTo(0.83, 9);
  });

  test('three warm hours have a ratio of 0.828, and of 0.897 at 25 °C', () => {
    const all = figures(hours([300, 800, 600], [128, 326, 250], { moduleC: [30, 52, 45] }));
    expect(all.performanceRatio.value).toBeCloseTo(704 / 850, 9);
    expect(all.temperatureCorrectedRatio.value).toBeCloseTo(704 / 785.07, 4);
    expect(all.temperatureCorrectedRatio.value).toBeCloseTo(0.897, 3);
    expect(all.weatherCorrectedRatio).toEqual({ value: null, reason: 'no_reference_temperature' });
  });

  test('the example of pvanalytics, whose reference is its own mean, is the plain ratio', () => {
    const poa = [921.75575, 916.11225, 914.8590833, 914.86375, 913.6426667, 889.6296667, 751.4611667];
    const air = [28.89891667, 29.69258333, 30.21441667, 30.5815, 31.14808333, 31.5445, 31.63208333];
    const wind = [1.796333333, 2.496916667, 2.413333333, 2.023666667, 1.844416667, 1.605583333, 1.18625];
    const power = [39389.6625, 39425.3525, 39460.9625, 39125.315, 38888.59, 37520.8925, 27303.8025];
    const mount = { a: -3.58, b: -0.113, cellAboveBackK: 3 };
    const moduleC = poa.map((one, i) => sapmCellC(one, air[i] as number, wind[i] as number, mount));
    const rating = { dcKw: 61.056, acKw: null, coefficientPerK: -0.0028 };
    const sums = performanceSums(
      hours(
        poa,
        power.map((watts) => watts / 1000),
        { moduleC },
      ),
      rating,
    );
    const own = performanceFigures(sums, { referenceC: weightedMeanC(poa, moduleC) });
    expect(own.weatherCorrectedRatio.value).toBeCloseTo(0.6873059, 6);
    expect(own.performanceRatio.value).toBeCloseTo(own.weatherCorrectedRatio.value ?? 0, 9);
    const typical = performanceFigures(sums, { referenceC: 45 });
    expect(typical.weatherCorrectedRatio.value).not.toBeCloseTo(0.6873, 3);
  });
});

test('the losses are what lies between the yields', () => {
  const all = figures(hours([500, 1000], [180, 400], { dcEnergyKwh: [190, 420] }));
  expect(all.arrayYieldH.value).toBeCloseTo(1.22, 9);
  expect(all.captureLossH.value).toBeCloseTo(0.28, 9);
  expect(all.bosLossH.value).toBeCloseTo(0.06, 9);
  const { referenceYieldH: r, finalYieldH: f, captureLossH: c, bosLossH: b } = all;
  expect((f.value ?? 0) + (c.value ?? 0) + (b.value ?? 0)).toBeCloseTo(r.value ?? 0, 9);
});

describe('an interval leaves energy and light together', () => {
  const whole = figures(hours([500, 800], [200, 320]));

  test.each([
    ['without energy', hours([500, 800, 900], [200, 320, NONE]), { missing: 1 }],
    ['without light', hours([500, 800, NONE], [200, 320, 360]), { missing: 1 }],
    ['with light that cannot be', hours([500, 800, 1600], [200, 320, 360]), { implausible: 1 }],
    ['with power that cannot be', hours([500, 800, 900], [200, 320, 496]), { implausible: 1 }],
    ['that is excluded', hours([500, 800, 900], [200, 320, 0], { excluded: [0, 0, 1] }), { excluded: 1 }],
    ['of night', hours([500, 800, 19], [200, 320, 4]), { night: 1 }],
    ['of night with a sensor under zero', hours([500, 800, -4], [200, 320, -1]), { night: 1 }],
    ['of night by the sun', hours([500, 800, NONE], [200, 320, -1], { sunUp: [1, 1, -0.2] }), { night: 1 }],
  ])('%s', (_, series, expected) => {
    const sums = performanceSums(series, SYSTEM);
    expect(sums.hours).toMatchObject({ used: 2, ...expected });
    expect(performanceFigures(sums).performanceRatio).toEqual(whole.performanceRatio);
  });

  test('and completeness says how much of the light is left', () => {
    const all = figures(hours([500, 800, 900, 10], [200, 320, NONE, 0], { excluded: [1, 0, 0, 0] }));
    expect(all.completeness.value).toBeCloseTo(0.5, 9);
  });

  test('and what is used at night is shown apart', () => {
    expect(performanceSums(hours([500, 0, -2], [200, -1, -2]), SYSTEM).nightKwh).toBe(-3);
  });
});

test('a sensor that hangs is no light', () => {
  const stuck = Array.from({ length: 12 }, () => 640);
  expect([...stuckMask([300, ...stuck, 700], 1 / 12)]).toEqual([0, ...stuck.map(() => 1), 0]);
  expect([...stuckMask([0, 0, 0, 0, 0, 0], 1)]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...stuckMask(stuck.slice(1), 1 / 12)].some(Boolean)).toBe(false);
  const sums = performanceSums(hours([500, 640, 640, 640, 640], [200, 1, 2, 3, 4]), SYSTEM);
  expect(sums.hours).toMatchObject({ used: 1, implausible: 4 });
});

test('an exclusion takes the intervals that it touches', () => {
  const times = [0, 1, 2, 3].map((hour) => hour * 3_600_000);
  const mask = exclusionMask(times, 1, [{ from: 5_400_000, to: 7_200_000, reason: 'grid outage' }]);
  expect([...mask]).toEqual([0, 1, 0, 0]);
});

test('the light of the back counts by its yield, and without a sensor the front side stands alone', () => {
  const bifacial = { ...SYSTEM, bifaciality: 0.7 };
  const both = performanceSums(hours([800], [330], { rearWm2: [100] }), bifacial);
  expect(both.referenceKwh).toBeCloseTo((500 * 870) / 1000, 9);
  expect(both.isFrontSideOnly).toBe(false);
  const front = performanceSums(hours([800], [330]), bifacial);
  expect(front.referenceKwh).toBeCloseTo(400, 9);
  expect(front.isFrontSideOnly).toBe(true);
  expect(performanceSums(hours([800], [330], { rearWm2: [NONE] }), bifacial).hours.missing).toBe(1);
  expect(performanceSums(hours([800], [330], { rearWm2: [100] }), SYSTEM).referenceKwh).toBeCloseTo(400, 9);
});

describe('no figure says why', () => {
  test('a dark day has no ratio, though it has a yield', () => {
    const dark = figures(hours([41], [26.2]));
    expect(dark.performanceRatio).toEqual({ value: null, reason: 'too_little_irradiation' });
    expect(dark.finalYieldH.value).toBeCloseTo(0.0524, 9);
  });

  test('nor have systems without rating, light, energy, temperature or coefficient', () => {
    const rated = { ...SYSTEM, dcKw: 0 };
    expect(figures(hours([500], [200]), rated).performanceRatio.reason).toBe('no_rating');
    expect(figures(hours([500], [200]), rated).finalYieldH.reason).toBe('no_rating');
    expect(figures(hours([0], [0])).performanceRatio.reason).toBe('no_irradiation');
    expect(figures(hours([500], [NONE])).performanceRatio.reason).toBe('no_energy');
    expect(figures(hours([500], [200])).temperatureCorrectedRatio.reason).toBe('no_temperature');
    expect(figures(hours([500], [200])).arrayYieldH.reason).toBe('no_dc_energy');
    const blind = performanceSums(hours([500], [200], { moduleC: [40] }), {
      ...SYSTEM,
      coefficientPerK: null,
    });
    expect(performanceFigures(blind).temperatureCorrectedRatio.reason).toBe('no_coefficient');
    expect(performanceFigures(blind).performanceRatio.value).toBeCloseTo(0.8, 9);
    expect(figures(hours([], [])).completeness.reason).toBe('no_irradiation');
  });

  test('light on the ground gives no ratio of tilted modules', () => {
    expect(isHorizontalFit([{ tiltDeg: 2, azimuthDeg: 0 }])).toBe(true);
    expect(isHorizontalFit([{ tiltDeg: 10, azimuthDeg: 180 }])).toBe(false);
    const marked = withoutPlaneLight(figures(hours([500], [200])));
    expect(marked.performanceRatio).toEqual({ value: null, reason: 'horizontal_sensor' });
    expect(marked.finalYieldH.value).toBeCloseTo(0.4, 9);
  });
});

describe('parts make the whole', () => {
  /** Numbers that look random and are the same in every run. */
  const random = (seed: number) => () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  const seriesOf = (seed: number, length: number) => {
    const next = random(seed);
    const column = (make: () => number) => Array.from({ length }, () => (next() < 0.05 ? NONE : make()));
    return hours(
      column(() => next() * 1200 - 50),
      column(() => next() * 450),
      { moduleC: column(() => next() * 60), dcEnergyKwh: column(() => next() * 480) },
    );
  };
  const slice = (series: PerformanceSeries, from: number, to: number) => {
    const cut = (list: ArrayLike<number> | undefined) => Array.from(list ?? []).slice(from, to);
    const { poaWm2, energyKwh, moduleC, dcEnergyKwh } = series;
    return hours(cut(poaWm2), cut(energyKwh), { moduleC: cut(moduleC), dcEnergyKwh: cut(dcEnergyKwh) });
  };
  const close = (a: object, b: object) => {
    const [left, right] = [Object.entries(a), b as Record<string, { value: number | null }>];
    for (const [key, one] of left) expect(one.value, key).toBeCloseTo(right[key]?.value ?? Number.NaN, 9);
  };

  test.each([1, 2, 3, 4, 5])('a time is the sum of its parts in any order (%d)', (seed) => {
    const series = seriesOf(seed, 200);
    const whole = performanceSums(series, SYSTEM);
    const parts = [0, 50, 90, 160].map((from, i) =>
      performanceSums(slice(series, from, [50, 90, 160, 200][i] as number), SYSTEM),
    );
    const rules = { referenceC: 42 };
    close(performanceFigures(sumOverTime(parts), rules), performanceFigures(whole, rules));
    close(performanceFigures(sumOverTime(parts.toReversed()), rules), performanceFigures(whole, rules));
  });

  test.each([6, 7, 8])(
    'equal systems together have the ratio of one, and others their weighted mean (%d)',
    (seed) => {
      const series = seriesOf(seed, 60);
      const own = performanceSums(series, SYSTEM);
      close(
        performanceFigures(sumOverSystems([own, own, own]), { referenceC: 42 }),
        performanceFigures(own, { referenceC: 42 }),
      );
      const other = performanceSums(seriesOf(seed + 100, 60), { ...SYSTEM, dcKw: 100 });
      const both = performanceFigures(sumOverSystems([own, other])).performanceRatio.value;
      expect(both).toBeCloseTo(
        (own.energyKwh + other.energyKwh) / (own.referenceKwh + other.referenceKwh),
        9,
      );
      const swapped = performanceFigures(sumOverSystems([other, own])).performanceRatio.value;
      expect(swapped).toBeCloseTo(both ?? 0, 12);
    },
  );

  test('a system that grew keeps the light of its parts', () => {
    const small = performanceSums(hours([1000, 1000], [400, 400]), SYSTEM);
    const large = performanceSums(hours([1000], [800]), { ...SYSTEM, dcKw: 1000, acKw: 900 });
    const { referenceYieldH, performanceRatio } = performanceFigures(sumOverTime([small, large]));
    expect(referenceYieldH.value).toBeCloseTo(3, 9);
    expect(performanceRatio.value).toBeCloseTo(0.8, 9);
  });
});
