import type { HistoryColumn } from '@albedo/contract/history-imports/history-imports.schema';
import { expect, test } from 'vitest';
import { guessField } from '../../app/mapping/guess-field.ts';
import { firstPlan, guessTimeFormat } from './guess-plan.ts';

const WHOLE = { isWhole: true };
const column = (change: Partial<HistoryColumn>): HistoryColumn => ({
  name: 'P',
  units: null,
  filled: 3,
  kind: 'number',
  decimal: null,
  timeFormat: null,
  example: '1',
  ...change,
});

test.each([
  ['AC power (W)', { name: 'AC power', units: 'W' }],
  ['Leistung [kW]', { name: 'Leistung', units: 'kW' }],
  ['energy_kwh', { name: 'energy', units: 'kWh' }],
  ['Module (2)', {}],
  ['power', {}],
  ['_kwh', {}],
])('the header %j says the unit of its numbers, or none', (name, more) => {
  expect(guessField(name, column({ name }), WHOLE)).toEqual({ type: 'decimal', decimal: '.', ...more });
});

test('numbers have the unit of its line and the decimal sign of all their values, or are left to choose', () => {
  expect(guessField('P', column({ units: 'kW', decimal: ',' }), WHOLE)).toEqual({
    type: 'decimal',
    units: 'kW',
    decimal: ',',
  });
  expect(guessField('P', column({ decimal: 'unclear' }), WHOLE)).toEqual({ type: 'decimal' });
});

test('words, times and yes and no are no numbers', () => {
  expect(guessField('State (V)', column({ kind: 'text' }), WHOLE)).toEqual({ type: 'keyword' });
  expect(guessField('On', column({ kind: 'bool' }), WHOLE)).toEqual({ type: 'bool' });
  expect(guessField('Since', column({ kind: 'time' }), WHOLE)).toEqual({ type: 'date' });
});

test('the first plan of a file has the times as they were found, in the zone of the device', () => {
  const beginning = {
    columns: ['Datum', 'Zeit', 'P'],
    profiles: [
      column({ name: 'Datum', kind: 'time', timeFormat: 'dmy' }),
      column({ name: 'Zeit', kind: 'clock' }),
    ],
    layout: null,
    isWhole: true,
    timeColumn: 'Datum',
    clockColumn: 'Zeit',
  };
  const { mapping } = firstPlan({ format: 'csv', name: 'P V.csv' }, beginning, 'Europe/Berlin');
  expect(mapping).toMatchObject({
    table: 'p_v',
    timeColumn: 'Datum',
    clockColumn: 'Zeit',
    timeFormat: 'dmy',
    timezone: 'Europe/Berlin',
  });
  const unclear = {
    ...beginning,
    profiles: [column({ name: 'Datum', kind: 'time', timeFormat: 'unclear' })],
  };
  expect(guessTimeFormat(unclear, 'Datum')).toBeNull();
});

test('a file that was seen in part leaves the sign of its decimals and the format of its times to the import', () => {
  const profiles = [
    column({ name: 'Datum', kind: 'time', timeFormat: 'dmy' }),
    column({ name: 'P', decimal: ',' }),
  ];
  const part = { isWhole: false, profiles };
  const beginning = {
    ...part,
    columns: ['Datum', 'P'],
    layout: null,
    timeColumn: 'Datum',
    clockColumn: null,
  };
  expect(firstPlan({ format: 'csv', name: 'a.csv' }, beginning, 'UTC').mapping.timeFormat).toBeNull();
  expect(guessTimeFormat(part, 'Datum')).toBeNull();
  expect(guessField('P', profiles[1], part)).toEqual({ type: 'decimal' });
});
