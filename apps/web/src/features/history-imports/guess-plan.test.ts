import { expect, test } from 'vitest';
import { firstPlan, guessField, guessTimeFormat, guessType } from './guess-plan.ts';

test.each([
  [['2024-03-31T01:00:00Z'], 'iso'],
  [['2024-03-31 01:00'], 'iso'],
  [['31.03.2024 01:00'], 'dmy'],
  [['03/04/2024', '03/31/2024 1:00'], 'mdy'],
  [['03/04/2024'], 'dmy'],
  [['1711846800'], 'epoch_s'],
  [['1711846800.5'], 'epoch_s'],
  [['1711846800000'], 'epoch_ms'],
  [['1711846800000000'], 'epoch_us'],
  [['1711846800000000000'], 'epoch_ns'],
  [['yesterday'], null],
  [[], null],
])('times such as %j are written as %s', (texts, format) => {
  expect(guessTimeFormat(texts)).toBe(format);
});

test.each([
  [['1', '2,5', '-3e4'], 'decimal'],
  [['true', 'false'], 'bool'],
  [['1', 'Fault'], 'keyword'],
  [[], 'decimal'],
])('values such as %j are %s', (texts, type) => {
  expect(guessType(texts)).toBe(type);
});

test.each([
  ['AC power (W)', { name: 'AC power', units: 'W' }],
  ['Leistung [kW]', { name: 'Leistung', units: 'kW' }],
  ['energy_kwh', { name: 'energy', units: 'kWh' }],
  ['Module (2)', {}],
  ['power', {}],
  ['_kwh', {}],
])('the header %j says the unit of its numbers, or none', (column, more) => {
  expect(guessField(column, ['1.5'])).toEqual({ type: 'decimal', ...more });
});

test('words have no unit', () => {
  expect(guessField('State (V)', ['on', 'faulty'])).toEqual({ type: 'keyword' });
});

test('the first plan of a file reads its times as they are written, past empty ones', () => {
  const records = [{ Zeitstempel: '' }, { Zeitstempel: '31.03.2024 01:00' }];
  const { mapping } = firstPlan(
    { format: 'csv', name: 'P V.csv' },
    { columns: ['P', 'Zeitstempel'], records },
  );
  expect(mapping).toMatchObject({ table: 'p_v', timeColumn: 'Zeitstempel', timeFormat: 'dmy' });
});
