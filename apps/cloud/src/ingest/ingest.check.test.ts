import { expect, test } from 'vitest';
import { checkStream } from './ingest.check.ts';

const NOW = Date.UTC(2026, 5, 1);

/** What becomes of a row with one value of the type; the row is JSON, as it comes from a device. */
function judged(type: string, value: string) {
  const rows = JSON.parse(`[[7,${NOW},${value}]]`);
  const fields = [{ name: 'n', type }];
  const { streams, poison } = checkStream({ table: 't', source: 's', fields, rows }, NOW);
  return poison[0]?.reason ?? streams[0]?.rows[0]?.[2];
}

test.each([
  ['integer', '9007199254740991', 9007199254740991],
  ['integer', '-9007199254740991', -9007199254740991],
  ['integer', '9007199254740993', 'a whole number is too large to be stored as it is'],
  ['integer', '-1e300', 'a whole number is too large to be stored as it is'],
  ['integer', '"9007199254740993"', 9007199254740992],
  ['integer', '"18446744073709551615"', 18446744073709552000],
  ['integer', '"-9223372036854775808"', -(2 ** 63)],
  ['integer', '"18446744073709551616"', 'a text stands in a field of numbers'],
  ['integer', '"007"', 'a text stands in a field of numbers'],
  ['integer', '" 7"', 'a text stands in a field of numbers'],
  ['decimal', '"9007199254740993"', 'a text stands in a field of numbers'],
  ['decimal', '1e300', 1e300],
  ['decimal', '1e309', 'a value is not a finite number'],
  ['decimal', '-0', -0],
  ['decimal', '5e-324', 5e-324],
  ['decimal', '"0x10"', 'a text stands in a field of numbers'],
  ['decimal', '"NaN"', 'a text stands in a field of numbers'],
  ['keyword', '"0x10"', '0x10'],
  ['keyword', '16', 'a number stands in a field of texts'],
] as const)(
  'a value of the type %s that is %s is stored as it is, or set aside with the reason',
  (type, value, wanted) => {
    expect(judged(type, value)).toBe(wanted);
  },
);

test('whole numbers beyond 2^53 keep their digits beside the number, those of a clock that is ahead too', () => {
  const fields = [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'keyword' },
  ];
  const far = NOW + 1e10;
  const rows = [
    [1, NOW, '9007199254740993', 'x'],
    [2, NOW, 5, 'y'],
    [3, NOW, null, 'z'],
    [4, far, '9007199254740995', 'x'],
  ];
  const { streams, poison } = checkStream({ table: 't', source: 's', fields, rows }, NOW);
  expect(poison).toEqual([]);
  const digits = { name: 'a', type: 'keyword' };
  expect(streams).toEqual([
    {
      table: 't',
      source: 's',
      fields: [...fields, digits],
      rows: [
        [1, NOW, 9007199254740992, 'x', '9007199254740993'],
        [2, NOW, 5, 'y', null],
        [3, NOW, null, 'z', null],
      ],
    },
    {
      table: 't',
      source: 's',
      fields: [...fields, digits, { name: 'device_time', type: 'date' }],
      rows: [[4, NOW, 9007199254740996, 'x', '9007199254740995', far]],
    },
  ]);
});

test.each(['9007199254740993', '-1', '0', '1.5', '1e309', '"7"', 'null', '{"__proto__":1}'])(
  'a row with the number %s has none',
  (id) => {
    const rows = JSON.parse(`[[${id},${NOW},1]]`);
    const stream = { table: 't', source: '__proto__', fields: [{ name: 'n', type: 'integer' }], rows };
    expect(checkStream(stream, NOW)).toMatchObject({
      streams: [],
      poison: [{ reason: 'the row has no number' }],
    });
  },
);

test('fields and sources with names that every object has are stored like others, tables are not', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  for (const name of names) {
    const stream = { table: 't', source: name, fields: [{ name, type: 'integer' }], rows: [[1, NOW, 5]] };
    expect(checkStream(stream, NOW).streams).toEqual([stream]);
    expect(checkStream({ ...stream, table: name }, NOW)).toMatchObject({
      streams: [],
      poison: [{ table: name, reason: 'the stream has no usable table name', msgIds: [1] }],
    });
  }
});

const DAY_MS = 86_400_000;
const WILD = [
  [1, NOW, 1],
  [2, NOW + 2 * 365 * DAY_MS, 2],
  [3, NOW + 30 * 3_600_000, 3],
  [4, NOW + DAY_MS, 4],
  [5, Date.UTC(2000, 0), 5],
  [6, 12_000, 6],
];
const wild = () => ({
  table: 't',
  source: 's',
  fields: [{ name: 'n', type: 'integer' }],
  rows: structuredClone(WILD),
});

test('each event that is more than a day ahead gets the time of its arrival, and moves no other', () => {
  const { streams, poison } = checkStream(wild(), NOW);
  expect(streams.map(({ rows }) => rows)).toEqual([
    [WILD[0], WILD[3], WILD[4]],
    [
      [2, NOW, 2, WILD[1]?.[1]],
      [3, NOW, 3, WILD[2]?.[1]],
    ],
  ]);
  expect(streams[1]?.fields.at(-1)).toEqual({ name: 'device_time', type: 'date' });
  expect(poison).toMatchObject([{ msgIds: [6], reason: 'the time of the event is before 2000' }]);
});

test('a device that sends its own device_time keeps that of its clock there', () => {
  const fields = [
    { name: 'device_time', type: 'date' },
    { name: 'n', type: 'integer' },
  ];
  const far = NOW + 10 * DAY_MS;
  const { streams } = checkStream({ table: 't', source: 's', fields, rows: [[1, far, 7, 8]] }, NOW);
  expect(streams).toMatchObject([
    { fields: [{ name: 'n' }, { name: 'device_time' }], rows: [[1, NOW, 8, far]] },
  ]);
});

test('in a table of forecasts every event stands at its own time, but for a clock that runs wild', () => {
  const far = [7, Date.UTC(2150, 0), 7];
  const stream = { ...wild(), rows: [...wild().rows.slice(0, 5), far] };
  const { streams } = checkStream(stream, NOW, (table) => table === 't');
  expect(streams.map(({ rows }) => rows)).toEqual([WILD.slice(0, 5), [[7, NOW, 7, far[1]]]]);
});
