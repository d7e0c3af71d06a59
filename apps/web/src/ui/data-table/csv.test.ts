import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

const column = {
  id: 'a',
  title: 'Name, full',
  width: 1,
  value: (row: { a: string | number | null }) => row.a,
};

test('separators, quotes and line ends are kept inside a cell', () => {
  expect(toCsv([column], [{ a: 'say "hi",\nbye' }])).toBe('\uFEFF"Name, full"\r\n"say ""hi"",\nbye"\r\n');
});

test('a text that a spreadsheet would run gets an apostrophe, a negative number stays one', () => {
  expect(
    toCsv([column], [{ a: '=HYPERLINK(1)' }, { a: -5 }, { a: null }])
      .split('\r\n')
      .slice(1, 4),
  ).toEqual(["'=HYPERLINK(1)", '-5', '']);
});
