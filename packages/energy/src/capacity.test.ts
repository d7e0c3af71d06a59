import { expect, test } from 'vitest';
import { capacityFactor, capacityFactorOf } from './capacity.ts';

const HOUR = 3_600_000;
const day = (index: number, energyKwh: number | null, hours = 24) => ({
  from: index * 24 * HOUR,
  to: index * 24 * HOUR + hours * HOUR,
  energyKwh,
});

test('2158 kWh in a day are 18.0 % of 500 kW DC and 22.5 % of 400 kW AC', () => {
  expect(capacityFactor([day(0, 2158)], 500).factor.value).toBeCloseTo(0.18, 3);
  expect(capacityFactor([day(0, 2158)], 400).factor.value).toBeCloseTo(0.225, 3);
});

test('a day of a clock change has its own hours, and a year is 8760 of them', () => {
  expect(capacityFactor([day(0, 230, 23)], 10).factor.value).toBe(1);
  expect(capacityFactor([day(0, 250, 25)], 10).factor.value).toBe(1);
  expect(capacityFactor([day(0, 230, 23), day(1, 250, 25)], 10).factor.value).toBe(1);
  expect(
    capacityFactor(
      Array.from({ length: 365 }, (_, i) => day(i, 1)),
      1,
    ).hours,
  ).toBe(8760);
});

test('a day without a value leaves energy and hours together, and is told', () => {
  const { factor, hours, completeness } = capacityFactor([day(0, 120), day(1, null)], 10);
  expect(factor.value).toBe(0.5);
  expect(hours).toBe(24);
  expect(completeness.value).toBe(0.5);
});

test('without rating, days or values there is no figure', () => {
  expect(capacityFactor([day(0, 120)], 0).factor).toEqual({ value: null, reason: 'no_rating' });
  expect(capacityFactor([day(0, 120)], null).factor.reason).toBe('no_rating');
  expect(capacityFactor([day(0, null)], 10).factor.reason).toBe('no_energy');
  expect(capacityFactor([], 10)).toMatchObject({ factor: { value: null }, completeness: { value: null } });
});

test('several systems are their energies by their ratings and hours', () => {
  const systems = [
    { energyKwh: 120, hours: 24, ratedKw: 10 },
    { energyKwh: 480, hours: 48, ratedKw: 40 },
  ];
  expect(capacityFactorOf(systems).value).toBeCloseTo(600 / (240 + 1920), 9);
  expect(capacityFactorOf([...systems, { energyKwh: 1, hours: 1, ratedKw: null }]).reason).toBe('no_rating');
});
