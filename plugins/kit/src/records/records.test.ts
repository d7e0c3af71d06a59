import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataLine, headerLine, timestamp } from './csv-format.ts';
import { type Column, columnType, type PluginRecord, sourceName } from './record.ts';
import { recordText } from './record-text.ts';
import { RecordWriter } from './record-writer.ts';
import { Samples } from './samples.ts';
import { parseSourceMap } from './source-map.ts';

const NOON = new Date(2026, 2, 1, 12).getTime();
const DAY_MS = 86_400_000;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-records-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const record = (values: PluginRecord['values'], names = ['AC Power', 'Mode']): PluginRecord => ({
  table: 'solar',
  source: ['10.0.0.5', 502, 3],
  columns: names.map((name, index) =>
    index === 0 ? { name, type: 'decimal', units: 'W' } : { name, type: 'keyword' },
  ),
  values,
});
const folder = () => join(root, 'solar/10.0.0.5/502/3');
const latest = () => readFileSync(join(folder(), 'latest.csv'), 'utf8').trimEnd().split('\n');

test('the header names type and units, and quotes a name with a comma', () => {
  expect(
    headerLine([
      { name: 'AC Power', type: 'decimal', units: 'W' },
      { name: 'Current, total', type: 'decimal' },
    ]),
  ).toBe('# Datetime(date),AC Power(decimal:W),"Current, total(decimal)"');
});

test('numbers keep all their digits, what was not measured is empty', () => {
  const values = [12_345_678.9, 0.1 + 0.2, null, Number.NaN, true, new Date(0), 1e21];
  expect(dataLine(0, values, 330)).toBe(
    '1970-01-01T05:30:00+0530,12345678.9,0.30000000000000004,,,1,1970-01-01T00:00:00Z,1e+21',
  );
});

test('a time stamp carries the offset without a colon, east and west', () => {
  expect(timestamp(Date.UTC(2026, 2, 1, 9, 15), 60)).toBe('2026-03-01T10:15:00+0100');
  expect(timestamp(Date.UTC(2026, 2, 1, 9, 15), -210)).toBe('2026-03-01T05:45:00-0330');
});

test('events of one second keep their milliseconds, and whole seconds are written without', () => {
  const second = Date.UTC(2026, 2, 1, 9, 15, 12);
  expect([100, 250, 251, 0].map((ms) => timestamp(second + ms, 60))).toEqual([
    '2026-03-01T10:15:12.100+0100',
    '2026-03-01T10:15:12.250+0100',
    '2026-03-01T10:15:12.251+0100',
    '2026-03-01T10:15:12+0100',
  ]);
  expect(dataLine(0, [new Date(second + 7)], 0)).toContain(',2026-03-01T09:15:12.007Z');
});

test('the time of writing has whole seconds, that of a machine all it says, and the same is not told twice', () => {
  const writer = new RecordWriter(root);
  writer.write(record([1, 'on']), NOON + 250);
  const told = { ...record([2, 'on']), at: NOON + 999 };
  expect([writer.write(told, NOON + 1000), writer.write(told, NOON + 2000)]).toEqual([true, false]);
  expect(new RecordWriter(root).write(told, NOON + 3000)).toBe(false);
  expect(latest().map((line) => line.slice(11, 23))).toEqual([
    ...[latest()[0]?.slice(11, 23), expect.stringMatching(/^12:00:00[+-]/), '12:00:00.999'],
  ]);
});

test('texts with commas, quotes, backslashes and line breaks are read back by Python with the same dialect', () => {
  const texts = [
    'plain',
    'a,b',
    'say "hi", then',
    'say "hi"',
    'C:\\temp',
    'two\nlines',
    '',
    ' ü°C ',
    '\\',
    'end\\"',
  ];
  const program = `import csv, json, sys
print(json.dumps(next(csv.reader(sys.stdin, doublequote=False, escapechar='\\\\'))[1:]))`;
  const read = JSON.parse(
    execFileSync('python3', ['-c', program], { input: `${dataLine(0, texts, 0)}\n` }).toString(),
  );
  expect(read).toEqual(texts.map((text) => text.replace('\n', ' ')));
});

test('what a machine says stays on its line and does not steer a terminal', () => {
  const said = ['\u001b[31mred\u009b0m', 'a\nTable  forged', 'x\u2028y\u0000'];
  const columns = ['Mode\u001b]0;owned\u0007', 'B', 'C'].map((name): Column => ({ name, type: 'keyword' }));
  const text = recordText({ table: 't', source: ['s'], columns, values: said });
  expect(text.split('\n')).toHaveLength(5);
  for (const one of [text.replaceAll('\n', ''), headerLine(columns), dataLine(0, said, 0)])
    expect(one).not.toMatch(/[\p{Cc}\u2028]/u);
  expect(dataLine(0, said, 0)).toContain(', [31mred 0m,a Table  forged,x y ');
});

test('a record goes to latest.csv and to the archive of the local day', () => {
  const writer = new RecordWriter(root);
  writer.write(record([1.5, 'on']), NOON);
  writer.write(record([2, 'on']), NOON + 1000);
  expect(readdirSync(folder()).sort()).toEqual(['2026-03-01.csv', 'latest.csv']);
  expect(latest()).toHaveLength(3);
  expect(readFileSync(join(folder(), '2026-03-01.csv'), 'utf8')).toBe(`${latest().join('\n')}\n`);
});

test('the folder names the plugin that writes there', () => {
  new RecordWriter(root, { writtenBy: 'modbus' }).write(record([1, 'on']), NOON);
  expect(readFileSync(join(folder(), '.written-by'), 'utf8')).toBe('modbus');
  new RecordWriter(root, { writtenBy: 'sunspec' }).write(record([1, 'on']), NOON);
  expect(readFileSync(join(folder(), '.written-by'), 'utf8')).toBe('sunspec');
});

test('a new day starts a new latest.csv, as another file', () => {
  const writer = new RecordWriter(root);
  writer.write(record([1, 'on']), NOON);
  const before = statSync(join(folder(), 'latest.csv'), { bigint: true });
  writer.write(record([2, 'on']), NOON + DAY_MS);
  expect(latest()).toHaveLength(2);
  expect(statSync(join(folder(), 'latest.csv'), { bigint: true }).birthtimeNs).not.toBe(before.birthtimeNs);
  expect(readdirSync(folder()).sort()).toEqual(['2026-03-01.csv', '2026-03-02.csv', 'latest.csv']);
});

test('a changed header sets the archive aside and never overwrites an older one', () => {
  const writer = new RecordWriter(root);
  writer.write(record([1, 'on']), NOON);
  writer.write(record([1, 'on'], ['AC Power', 'State']), NOON + 1000);
  writer.write(record([1, 'on']), NOON + 2000);
  expect(readdirSync(folder()).sort()).toEqual([
    '2026-03-01.csv',
    '2026-03-01.csv.1',
    '2026-03-01.csv.2',
    'latest.csv',
  ]);
  expect(latest()[0]).toContain('Mode(keyword)');
  expect(latest()).toHaveLength(2);
});

test('another process goes on in the same files, after a line that was torn', () => {
  new RecordWriter(root).write(record([1, 'on']), NOON);
  appendFileSync(join(folder(), 'latest.csv'), '2026-03-01T12:0');
  new RecordWriter(root).write(record([2, 'on']), NOON + 5000);
  expect(latest()).toHaveLength(4);
  expect(latest().at(-1)).toContain(',2,on');
});

test('with changes only, equal values are written once, also after a restart', () => {
  const write = (value: number, at: number) =>
    new RecordWriter(root, { changesOnly: true }).write(record([value, 'on']), at);
  expect([write(1, NOON), write(1, NOON + 1000), write(2, NOON + 2000), write(2, NOON + DAY_MS)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('a latest.csv that somebody deleted is made again and the archive stays', () => {
  const writer = new RecordWriter(root);
  writer.write(record([1, 'on']), NOON);
  rmSync(join(folder(), 'latest.csv'));
  writer.write(record([2, 'on']), NOON + 1000);
  expect(readdirSync(folder()).sort()).toEqual(['2026-03-01.csv', 'latest.csv']);
});

test('the first rule of a source map that fits from the start wins, with its groups', () => {
  const map = parseSourceMap(
    ' 10\\.0\\.0\\.([0-9]+)/502/([0-9]+) , plant-\\1/inv-\\2 \n\n10\\.0,other\n',
    'map',
  );
  expect(map.rename('10.0.0.7/502/12')).toBe('plant-7/inv-12');
  expect(map.rename('10.0.9.1/1')).toBe('other');
  expect(map.rename('x10.0.0.7/502/12')).toBe('x10.0.0.7/502/12');
});

test.each([
  ['a,b,c', /line 1.*exactly one comma/],
  ['ok,fine\nalone', /line 2.*exactly one comma/],
  [',b', /line 1.*empty/],
  ['(,b', /line 1.*group/],
])('the source map %j is refused with its line', (text, message) => {
  expect(() => parseSourceMap(text, 'map')).toThrow(message);
});

test('sources lose a leading /dev, types have aliases', () => {
  expect(sourceName(['/dev/ttyS0', 3])).toBe('ttyS0/3');
  expect(sourceName(['/device/x', '//y'])).toBe('device/x/y');
  expect(['Float', 'INT', 'str', 'boolean', 'date', 'what'].map(columnType)).toEqual([
    'decimal',
    'integer',
    'keyword',
    'bool',
    'date',
    null,
  ]);
});

test('samples become means; counters, texts and what changes its kind keep their newest value', () => {
  const samples = new Samples();
  const columns: PluginRecord['columns'] = [
    { name: 'AC Power', type: 'decimal', units: 'W' },
    { name: 'Level', type: 'integer', units: 'mm' },
    { name: 'Total Energy', type: 'decimal', units: 'Wh' },
    { name: 'Status', type: 'keyword' },
  ];
  const add = (source: string, values: PluginRecord['values']) =>
    samples.add({ table: 'solar', source: [source], columns, values });
  add('roof', [100, 1, 5000, 'MPPT']);
  add('yard', [7, 7, '18446744073709551615', 'Off']);
  add('roof', [null, 2, 5001, 'MPPT']);
  add('roof', [200, 2, 5002, 'Throttled']);
  expect(samples.take().map(({ source, values }) => [...source, ...values])).toEqual([
    ['roof', 150, 2, 5002, 'Throttled'],
    ['yard', 7, 7, '18446744073709551615', 'Off'],
  ]);
  expect(samples.take()).toEqual([]);
});
