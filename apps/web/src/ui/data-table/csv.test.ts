import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { tableOf } from './csv.ts';

interface Row {
  a: string | number | null;
}
const column: Column<Row> = { id: 'a', title: 'Name, full', width: 1, value: ({ a }) => a };
const written = (columns: readonly Column<Row>[], rows: readonly Row[], style: object = {}) => {
  const table = tableOf(columns, rows);
  return csvText(table.columns, table.rows, csvStyle.parse(style));
};

test('separators, quotes and line ends are kept inside a cell', () => {
  expect(written([column], [{ a: 'say "hi",\nbye' }])).toBe('"Name, full"\r\n"say ""hi"",\nbye"\r\n');
});

test('a text that a spreadsheet would run gets an apostrophe, a negative number stays one', () => {
  const lines = written([column], [{ a: '=HYPERLINK(1)' }, { a: -5 }, { a: null }]).split('\r\n');
  expect(lines.slice(1, 4)).toEqual(["'=HYPERLINK(1)", '-5', '']);
});

test('numbers of a unit and instants are what they are, however the table shows them', () => {
  const energy = { ...column, title: 'Energy', units: 'Wh', text: () => '324,51 MWh' };
  const seen = { ...column, title: 'Seen', isTime: true, text: () => 'just now' };
  const style = { delimiter: ';', decimal: ',', times: 'clock', timezone: 'Europe/Berlin' };
  expect(written([energy], [{ a: 324_512_345.5 }], style)).toBe('Energy [Wh]\r\n324512345,5\r\n');
  expect(written([seen], [{ a: Date.UTC(2026, 6, 1) }, { a: 0 }], style)).toBe(
    'Seen;Seen offset\r\n2026-07-01 02:00:00;UTC+02:00\r\n;\r\n',
  );
});
