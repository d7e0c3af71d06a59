import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { changeText, figuresAlike, figureText, sideOf } from './figures.tsx';

const energy = { key: 'production', kind: 'energy', units: 'kWh' } as const;
const performance = { key: 'performance', kind: 'ratio', units: '' } as const;
const deviation = { key: 'deviation', kind: 'ratio', units: '' } as const;
const ratio = { key: 'performanceRatio', kind: 'ratio', units: '' } as const;

test('what was against what should have been is told with its sign', () => {
  expect(figureText(performance, 0.913)).toBe('−8.7 %');
  expect(figureText(performance, 1.05)).toBe('+5.0 %');
  expect(figureText(ratio, 0.83)).toBe('83.0 %');
});

test('a column has one step', () => {
  expect(figuresAlike(energy, [12_345, 950, null]).map(({ number, unit }) => `${number} ${unit}`)).toEqual([
    '12.35 MWh',
    '0.95 MWh',
    '– ',
  ]);
});

test('under is red and over is blue, of a meter outside its band alone', () => {
  expect(sideOf(performance, { performance: 0.9 })).toBe(-1);
  expect(sideOf(performance, { performance: 1.1 })).toBe(1);
  expect(sideOf(deviation, { deviation: -0.02, band: 'within' })).toBe(0);
  expect(sideOf(deviation, { deviation: -0.09, band: 'under' })).toBe(-1);
  expect(sideOf(ratio, { performanceRatio: 0.5 })).toBe(0);
});

test('a change is in percent, of ratios in points, and none where there was nothing', () => {
  expect(changeText(energy, 110, 100)).toBe('+10.0 %');
  expect(changeText(ratio, 0.8, 0.83)).toBe('−3.0 points');
  expect(changeText(energy, 110, 0)).toBeNull();
  expect(changeText(energy, 110, null)).toBeNull();
});
