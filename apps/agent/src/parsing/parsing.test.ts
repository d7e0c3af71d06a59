import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCsv } from './csv.ts';
import { parseHeader } from './header.ts';
import { type Fault, RecordParser } from './record.ts';
import { parseDate, parseValue } from './values.ts';

const columnsOf = (line: string) => {
  const header = parseHeader(line);
  return typeof header === 'string' ? header : header.columns;
};

/** As the plugin library writes a column: quoted only when needed, backslash before quotes and backslashes. */
function encode(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return text.includes(',') ? `"${escaped}"` : escaped;
}

test('a line splits into exactly the columns it was written from', () => {
  const column = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r]/.test(text));
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 20 }), (columns) => {
      expect(splitCsv(columns.map(encode).join(','))).toEqual(columns);
    }),
  );
});

test('a header gives back names, types and units, also with quotes, commas and brackets in them', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => text.replace(/[\n\r()]/g, ' ').trim())
    .filter((text) => text !== '');
  const type = fc.constantFrom('keyword', 'integer', 'decimal', 'bool', 'date', 'discard');
  const units = fc.constantFrom('', 'W', '°C', 'm/s', '#', '%', 'W(DC)', 'a,b', 'kWh:net');
  const column = fc.record({ name, type, units });
  fc.assert(
    fc.property(
      fc.uniqueArray(column, { minLength: 1, maxLength: 30, selector: (one) => one.name }),
      (all) => {
        const line = `# ${all
          .map((one) => encode(`${one.name}(${one.type}${one.units ? `:${one.units}` : ''})`))
          .join(',')}`;
        expect(columnsOf(line)).toEqual(
          all.map((one) => ({
            name: one.name,
            expect: one.type,
            ...(one.units ? { units: one.units } : {}),
          })),
        );
      },
    ),
  );
});

test('columns without brackets are keywords, empty units are none, and other names of types are known', () => {
  expect(columnsOf('# Datetime(date),Plain,Status(keyword:),Power (AC)(FLOAT:kW),n(int)')).toEqual([
    { name: 'Datetime', expect: 'date' },
    { name: 'Plain', expect: 'keyword' },
    { name: 'Status', expect: 'keyword' },
    { name: 'Power (AC)', expect: 'decimal', units: 'kW' },
    { name: 'n', expect: 'integer' },
  ]);
});

test('headers that cannot be used say why, and odd ones what is odd', () => {
  expect(columnsOf('Datetime,Power')).toMatch(/must begin with "# "/);
  expect(columnsOf('# "open')).toMatch(/never closed/);
  expect(columnsOf(`# ${'a,'.repeat(5000)}a`)).toMatch(/5001 columns, more than the 4096/);
  const header = parseHeader('# a(decimel:W),b(decimal),b(decimal),(integer)');
  expect(header).toMatchObject({
    columns: [
      { name: 'a(decimel:W)', expect: 'keyword' },
      { name: 'b', expect: 'decimal' },
      { name: 'b', expect: 'discard' },
      { name: '', expect: 'discard' },
    ],
    notes: [
      { message: expect.stringMatching(/"decimel" is not a known type/) },
      { message: expect.stringMatching(/twice/) },
      { message: expect.stringMatching(/no name/) },
    ],
  });
});

test('every finite number is read back, in plain and in exponent notation', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseValue(String(value), 'decimal').value).toBe(Number(String(value)));
      expect(parseValue(value.toExponential(), 'decimal').value).toBe(Number(value.toExponential()));
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(parseValue(String(value), 'integer')).toEqual({ value });
    }),
  );
  expect(parseValue('1.23457e+07', 'integer')).toEqual({ value: 12_345_700 });
  // Beyond what a double holds, as digits.
  for (const digits of ['9007199254740993', '18446744073709551615', '-9223372036854775808'])
    expect(parseValue(digits, 'integer')).toEqual({ value: digits });
  expect(parseValue('+009007199254740993', 'integer')).toEqual({ value: '9007199254740993' });
});

test.each([
  ['decimal', 'abc'],
  ['decimal', '0x10'],
  ['decimal', 'nan'],
  ['decimal', '1e999'],
  ['decimal', '1,5'],
  ['integer', '1.5'],
  ['integer', '99999999999999999999'],
  ['integer', '18446744073709551616'],
  ['integer', '-9223372036854775809'],
  ['integer', '1.8e19'],
  ['bool', 'maybe'],
  ['date', 'yesterday'],
  ['date', '2024-02-30T10:00:00Z'],
  ['date', '2024-01-01T25:00:00Z'],
  ['date', '2024-01-01T10:00:00'],
] as const)('as %s, "%s" is a fault and no value', (expected, text) => {
  const { value, fault } = parseValue(text, expected);
  expect(value).toBe(null);
  expect(fault).toMatch(text);
});

test('an empty text is no value and no fault, whatever is expected', () => {
  for (const expected of ['keyword', 'log', 'integer', 'decimal', 'bool', 'date', 'discard'] as const) {
    expect(parseValue('', expected)).toEqual({ value: null });
  }
});

test('all three shapes of a date mean the same instant', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, offset) => {
        const at = Math.floor(date.getTime() / 1000) * 1000;
        const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
        const sign = offset < 0 ? '-' : '+';
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((one) =>
          String(one).padStart(2, '0'),
        );
        expect(parseDate(`${local}${sign}${hours}${minutes}`)).toBe(at);
        expect(parseDate(`${local}${sign}${hours}:${minutes}`)).toBe(at);
        expect(parseDate(new Date(at).toISOString().replace('.000', ''))).toBe(at);
      },
    ),
  );
});

const parser = new RecordParser([
  { name: 'datetime', expect: 'date' },
  { name: 'Power', expect: 'decimal', units: 'W' },
  { name: 'spare', expect: 'discard' },
  { name: 'Since', expect: 'date' },
  { name: 'On', expect: 'bool' },
]);

function read(line: string) {
  const faults: Fault[] = [];
  return { row: parser.csv(line, 42, (fault) => faults.push(fault)), faults };
}

test('the first date column called Datetime is the time of the event and not stored again', () => {
  expect(parser.fields.map((one) => [one.name, one.type])).toEqual([
    ['Power', 'decimal'],
    ['Since', 'date'],
    ['On', 'bool'],
  ]);
  const { row, faults } = read('1970-01-01T00:00:01Z,5,junk,1970-01-01T00:00:02+0000,True');
  expect(row).toEqual({ eventAt: 1000, values: [5, 2000, 1] });
  expect(faults).toEqual([]);
});

test('a bad value costs its own column only, and a bad time is replaced by the arrival', () => {
  const { row, faults } = read('when?,x,,,1');
  expect(row).toEqual({ eventAt: 42, values: [null, null, 1] });
  expect(faults.map((one) => one.column)).toEqual(['datetime', 'Power']);
  expect(faults[0]?.line).toBe('when?,x,,,1');
});

test('a line with too few or too many columns keeps what it has and says so', () => {
  expect(read('1970-01-01T00:00:01Z,5').row).toEqual({ eventAt: 1000, values: [5, null, null] });
  expect(read('1970-01-01T00:00:01Z,5,,,1,6,7').faults[0]?.message).toMatch(/7 columns where 5/);
  expect(read('rubbish').row).toBe(null);
});

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (line) => {
      read(line);
      parseHeader(line);
      parseHeader(`# ${line}`);
    }),
    { numRuns: 50 },
  );
});

test('columns with names that every record has are told and not stored', () => {
  const header = parseHeader('# Datetime(date),msg_id(integer),source(keyword),event_time(date),AC(decimal)');
  if (typeof header === 'string') throw new Error(header);
  expect(header.columns.map(({ expect: type }) => type)).toEqual([
    'date',
    'discard',
    'discard',
    'discard',
    'decimal',
  ]);
  expect(header.notes.map(({ column, message }) => `${column}: ${message}`)).toEqual(
    ['msg_id', 'source', 'event_time'].map(
      (name) => `${name}: this name is reserved; the column is not stored`,
    ),
  );
});
