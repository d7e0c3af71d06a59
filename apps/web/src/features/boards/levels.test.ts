import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { textOf, textsTogether } from './levels.ts';

const watts = (...values: (number | string | null)[]) => values.map((value) => ({ value, units: 'W' }));

test('figures of a column have the unit and the decimals of the largest, and one that stands alone its own', () => {
  expect(textsTogether(watts(1_200_000, 250_000, null, 'off'))).toEqual(['1.20 MW', '0.25 MW', '–', 'off']);
  expect(textOf(250_000, 'W')).toBe('250.00 kW');
  const ratios = [0.84, 1].map((value) => ({ value, units: null }));
  expect(textsTogether(ratios)).toEqual(['0.84', '1.00']);
});

test('a unit and decimals of the settings stand before those of the column', () => {
  expect(textsTogether(watts(1_200_000, 5), { unit: 'W', decimals: 0 })).toEqual(['1,200,000 W', '5 W']);
  expect(textsTogether(watts(5, 7.25), { decimals: 1 })).toEqual(['5.0 W', '7.3 W']);
  expect(textsTogether(watts(1_200_000, 5), { decimals: 1 })).toEqual(['1.20 MW', '0.00 MW']);
});

test('what measures something else keeps its own unit', () => {
  const mixed = [...watts(2000), { value: 50, units: 'Hz' }, { value: 49.98, units: 'Hz' }];
  expect(textsTogether(mixed)).toEqual(['2.00 kW', '50.00 Hz', '49.98 Hz']);
});
