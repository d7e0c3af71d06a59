// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

const read = (content: string | Uint8Array<ArrayBuffer>, rows = 100) =>
  readCsv(new File([content], 'codes.csv'), { rows });
const cells = async (content: string) => (await read(content)).rows.map((one) => one.cells);

test('comma, semicolon and tab are told apart, and a byte order mark is no part of the first name', async () => {
  for (const sign of [',', ';', '\t']) {
    const table = await read(`\ufeffvalue${sign}en\r\n1${sign}"On${sign} or ""so"""\r\n`);
    expect(table).toEqual({
      columns: ['value', 'en'],
      rows: [{ row: 2, cells: ['1', `On${sign} or "so"`] }],
      faults: [],
    });
  }
});

test('empty rows are left out, short ones filled, and rows are counted as in a spreadsheet', async () => {
  const table = await read('value,en,de\n\n1,On\n,,\n2, Off ,Aus\n');
  expect(table.rows).toEqual([
    { row: 3, cells: ['1', 'On', ''] },
    { row: 5, cells: ['2', 'Off', 'Aus'] },
  ]);
});

test('what is wrong names its row', async () => {
  const faults = async (content: string | Uint8Array<ArrayBuffer>, rows?: number) =>
    (await read(content, rows)).faults.map(({ kind, row }) => [kind, row]);
  expect(await faults('')).toEqual([['empty', null]]);
  expect(await faults('value,en\n1,On\n2,Off,Aus\n')).toEqual([['columns', 3]]);
  expect(await faults('value,,en\n1,2,3\n')).toEqual([['header_empty', 1]]);
  expect(await faults('value,en,en\n1,2,3\n')).toEqual([['header_twice', 1]]);
  expect(await faults('value,en\n1,On\n2,"Off\n')).toEqual([['quotes', 3]]);
  expect(await faults(`${Array.from({ length: 200_000 }, (_, n) => `c${n}`).join(',')}\n1,2\n`)).toEqual([
    ['too_wide', 1],
  ]);
  expect(await faults('value\n1\n2\n3\n', 2)).toEqual([['too_many_rows', null]]);
  expect(await faults(new Uint8Array([...'value,de\n1,'].map((c) => c.charCodeAt(0)).concat(0xfc)))).toEqual([
    ['encoding', 2],
  ]);
});

test('lines that end otherwise than those before them are lines', async () => {
  expect(await cells('value,en\r\n1,On\r\n2,Off\n3,"Stand-by"\n')).toEqual([
    ['1', 'On'],
    ['2', 'Off'],
    ['3', 'Stand-by'],
  ]);
});

test('a field with line breaks is one cell', async () => {
  expect(await cells('value,en\n1,"two\nlines"\n')).toEqual([['1', 'two\nlines']]);
});

test('a file of several chunks is read whole', async () => {
  const long = 'x'.repeat(1000);
  const rows = Array.from({ length: 10_600 }, (_, i) => `${i},${long}`);
  const table = await read(`value,en\n${rows.join('\n')}\n`, 20_000);
  expect(table.faults).toEqual([]);
  expect(table.rows.map((one) => one.cells[0])).toEqual(rows.map((_, i) => String(i)));
});
