import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { expect, test } from 'vitest';
import { codeOf, uploadOf } from './table-from-csv.ts';
import { wordsOf } from './words.ts';

const table = (values: LookupTable['values'], ...codes: string[]): LookupTable => ({
  _id: crypto.randomUUID(),
  code: 'states',
  name: 'States',
  fields: codes.map((code) => ({ code, name: code, type: 'String' })),
  values,
});
const states = table(
  [
    { value: '1', field: 'Status', fields: { en: 'Running', de: 'In Betrieb' } },
    { value: '04', field: 'Status', fields: { en: 'Fault' } },
    { value: 'A', field: 'Mode', fields: { en: 'Automatic' } },
    { value: '9', field: null, fields: { en: 'Nowhere' } },
  ],
  'en',
  'de',
);

test('a code of a field becomes a word in the language, or in the first one that has a text', () => {
  const german = wordsOf([states], 'de');
  expect(german('Status', 1)).toBe('In Betrieb');
  expect(german('Status', 4)).toBe('Fault');
  expect(german('Mode', 'A')).toBe('Automatic');
  expect(wordsOf([states], 'es')('Status', '1')).toBe('Running');
});

test('what no table names has no word, whatever the field is called', () => {
  const words = wordsOf([states, table([{ value: '1', field: 'Odd', fields: {} }], 'constructor')], 'en');
  expect([
    words('Power', 1),
    words('Status', 9),
    words('Status', null),
    words('Odd', 1),
    words('constructor', 1),
  ]).toEqual([null, null, null, null, null]);
});

const uploaded = (columns: string[], ...cells: string[][]) =>
  uploadOf({ columns, rows: cells.map((one, i) => ({ row: i + 2, cells: one })), faults: [] });

test('columns other than value and field become fields of texts', () => {
  const { fields, values, faults } = uploaded(['Value', 'en', 'field'], ['1', 'On', 'Status'], ['1', '', '']);
  expect(fields).toEqual([{ code: 'en', name: 'en', type: 'String' }]);
  expect(values).toEqual([
    { value: '1', field: 'Status', fields: { en: 'On' } },
    { value: '1', field: null, fields: {} },
  ]);
  expect(faults).toEqual([]);
});

test('what is wrong with an upload names its row', () => {
  const faultsOf = (...given: Parameters<typeof uploaded>) =>
    uploaded(...given).faults.map(({ kind, row }) => [kind, row]);
  expect(faultsOf(['code', 'en'], ['1', 'On'], ['2', 'Off'])).toEqual([['no_value_column', 1]]);
  expect(faultsOf(['value', 'field'], ['1', 'Status'])).toEqual([['no_text_column', 1]]);
  expect(faultsOf(['value', 'en'], ['1', 'On'], ['', 'Off'], ['1', 'x'.repeat(501)])).toEqual([
    ['value_empty', 3],
    ['value_twice', 4],
    ['text_long', 4],
  ]);
});

test('a name leads to a code', () => {
  expect([codeOf('Zustände (neu)'), codeOf('  '), codeOf('状態')]).toEqual(['zustande-neu', '', '']);
});
