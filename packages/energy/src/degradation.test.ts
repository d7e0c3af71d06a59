import { expect, test } from 'vitest';
import { degradationPerYear } from './degradation.ts';

const DAY = 86_400_000;

/** Days from 2012 as in the tests of RdTools: a straight fall with noise of half a thousandth. */
const days = (perYear: number, length: number, every = 1, season = 0) =>
  Array.from({ length: Math.floor(length / every) }, (_, i) => {
    const day = i * every;
    const noise = (((day * 7919) % 1000) / 1000 - 0.5) / 1000;
    const value = 1 + (perYear / 365) * day + noise + season * Math.sin((2 * Math.PI * day) / 365.25);
    return { at: Date.UTC(2012, 0, 1) + day * DAY, value };
  });

test.each([1, 7])('half a per cent a year is found again, every %d days', (every) => {
  const { perYear, interval, pairs } = degradationPerYear(days(-0.005, 1097, every));
  expect(perYear.value).toBeCloseTo(-0.005, 3);
  expect(interval?.low).toBeLessThanOrEqual(perYear.value ?? 0);
  expect(interval?.high).toBeGreaterThanOrEqual(perYear.value ?? 0);
  expect(pairs).toBeGreaterThan(700 / every);
});

test('months are compared with the same months', () => {
  const all = days(-0.005, 1461, 1, 0.1);
  const months = Array.from({ length: 48 }, (_, i) => Date.UTC(2012, i, 1));
  const firsts = all.filter(({ at }) => months.includes(at));
  expect(degradationPerYear(firsts).perYear.value).toBeCloseTo(-0.005, 3);
  expect(degradationPerYear(firsts).pairs).toBe(36);
});

test('summer and winter, missing days and their order do not matter', () => {
  const all = days(-0.008, 1461, 1, 0.1);
  const some = all.filter((_, i) => (i * 31) % 100 >= 20);
  const gaps = all.map((day, i) => ((i * 31) % 100 >= 20 ? day : { ...day, value: null }));
  const result = degradationPerYear(some);
  expect(result.perYear.value).toBeCloseTo(-0.008, 3);
  expect(degradationPerYear(gaps)).toEqual(result);
  expect(degradationPerYear(some.toReversed())).toEqual(result);
});

test('it is a part of the first year, so the scale does not matter', () => {
  const scaled = days(-0.005, 1097).map(({ at, value }) => ({ at, value: value * 0.8 }));
  expect(degradationPerYear(scaled).perYear.value).toBeCloseTo(-0.005, 3);
});

test('a day is compared with that of a year before, not with an older one', () => {
  const all = days(-0.005, 1097, 1, 0.1);
  // Of the second year there is only December; the first days of the third still reach the end of the first year.
  const some = all.filter(({ at }) => at < Date.UTC(2013, 0, 1) || at >= Date.UTC(2013, 11, 1));
  const { perYear, pairs } = degradationPerYear(some);
  expect(perYear.value).toBeCloseTo(-0.005, 3);
  expect(pairs).toBe(31 + 31 + 8 + 1);
});

test('less than two years give no figure', () => {
  expect(degradationPerYear(days(-0.005, 700)).perYear).toEqual({ value: null, reason: 'too_short' });
  expect(degradationPerYear(days(-0.005, 731)).perYear.value).toBeCloseTo(-0.005, 3);
  expect(degradationPerYear([]).perYear.reason).toBe('too_short');
  const dark = days(0, 800).map(({ at }) => ({ at, value: 0 }));
  expect(degradationPerYear(dark).perYear.reason).toBe('no_energy');
});
