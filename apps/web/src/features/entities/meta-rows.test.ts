import { expect, test } from 'vitest';
import { emptyRow, metaOfRows, rowsOfMeta } from './meta-rows.ts';

test('facts come back from their lines as they were', () => {
  const meta = {
    kWp: 61.6,
    site: 'Hill 7',
    isOwn: true,
    $ref: 'a.b',
    tariff: [
      { from: null, value: 0.1 },
      { from: '2026-01-01', value: 0.2 },
    ],
    nested: { a: [1, 2] },
  };
  expect(metaOfRows(rowsOfMeta(meta))).toEqual(meta);
});

test('lines of one name are in the order of their days, and lines without a name are none', () => {
  const line = (name: string, value: string, from = '') => ({ ...emptyRow(), name, value, from });
  expect(metaOfRows([line('kWp', '70', '2026-05-01'), line('kWp', '60'), line(' ', 'x')])).toEqual({
    kWp: [
      { from: null, value: 60 },
      { from: '2026-05-01', value: 70 },
    ],
  });
});
