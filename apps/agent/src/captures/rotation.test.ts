import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { Outbox } from '../outbox/outbox.ts';
import { DynamicTailCapture } from './dynamic-tail.capture.ts';
import type { CaptureFault } from './faults.ts';
import { TailCapture } from './tail.capture.ts';

let root: string;
let outbox: Outbox | null = null;
let capture: TailCapture | DynamicTailCapture | null = null;
const faults: CaptureFault[] = [];
/** A clock for the files, so that what is written later is later on every file system. */
let clock = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-rotation-'));
  mkdirSync(join(root, 'log'));
  faults.length = 0;
  clock = Date.now() / 1000 - 100_000;
});
afterEach(() => {
  stop();
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(root, 'log', name);
function written(name: string): void {
  clock += 10;
  utimesSync(at(name), clock, clock);
}
function put(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  written(name);
}
function add(name: string, text: string): void {
  appendFileSync(at(name), text);
  written(name);
}
const lines = (from: number, to: number, end = '\n') =>
  Array.from({ length: to - from }, (_, n) => `${from + n}${end}`).join('');
const START = Date.parse('2024-03-01T00:00:00Z');
const rows = (from: number, to: number, end = '\n') =>
  Array.from(
    { length: to - from },
    (_, n) => `${new Date(START + (from + n) * 1000).toISOString()},${from + n}${end}`,
  ).join('');
const HEADER = '# Datetime(date),n(integer)\n';

function begin(): Outbox {
  outbox = new Outbox({
    directory: join(root, 'state'),
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('error'),
    commitMs: 20,
  });
  outbox.start();
  return outbox;
}
/** Follows `log/meter.log`, whose lines carry no time and are numbers. */
function tail(): void {
  const scenario = {
    table: 't',
    source: 's',
    file: '/log/meter.log',
    expect: 'integer',
    from: 'start',
  } as const;
  capture = new TailCapture(scenario as never, at('meter.log'), begin(), (fault) => faults.push(fault));
  capture.start();
}
function dynamic(): void {
  capture = new DynamicTailCapture({
    folder: { directory: '/log', filename: 'latest.csv' },
    directory: join(root, 'log'),
    sink: begin(),
    report: (fault) => faults.push(fault),
    onChange: () => {},
  });
  capture.start();
}
function stop(): void {
  capture?.stop();
  outbox?.stop();
  capture = null;
  outbox = null;
}

const numbers = () =>
  (outbox?.newest({ events: 1e6, bytes: 1e9 }, null, () => false) ?? [])
    .sort((a, b) => a.id - b.id)
    .map(({ body }) => JSON.parse(body)[0]);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

async function until(count: number): Promise<void> {
  for (let n = 0; n < 400 && numbers().length < count; n++) await sleep(20);
  // Nothing that was read already comes after it.
  await sleep(300);
  expect(numbers()).toEqual(upTo(count));
}

test('renamed twice while the agent did not run: all three files are read to their end, in order', async () => {
  put('meter.log', lines(0, 50));
  put('other.log', lines(900, 950));
  tail();
  await until(50);
  stop();
  add('meter.log', lines(50, 60));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(60, 160));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(160, 250));
  add('other.log', lines(950, 960));
  tail();
  await until(250);
  stop();
  tail();
  add('meter.log', lines(250, 260));
  await until(260);
  expect(faults).toEqual([]);
});

test('what was read before it was rotated is not read again', async () => {
  put('meter.log', lines(0, 50));
  tail();
  await until(50);
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(50, 60));
  await until(60);
  await sleep(1200);
  stop();
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(60, 70));
  tail();
  await until(70);
});

test('copied and cut, once and again, while the agent did not run', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  add('meter.log', lines(30, 40));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(40, 140));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(140, 150));
  tail();
  await until(150);
});

test('copied and cut while the agent runs, with lines that it has not read yet', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  // All of it between two looks.
  add('meter.log', lines(30, 40));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(40, 45));
  await until(45);
});

for (const [name, end, mark] of [
  ['lines that end in LF', '\n', ''],
  ['lines that end in CR LF', '\r\n', ''],
  ['a byte order mark', '\n', '\uFEFF'],
] as const) {
  test(`several midnights with a copy for each day: ${name}`, async () => {
    const header = mark + HEADER.replace('\n', end);
    const day = (n: number, text: string) => {
      put(`t/s/2024-03-0${n}.csv`, text);
      put('t/s/latest.csv.new', text);
      renameSync(at('t/s/latest.csv.new'), at('t/s/latest.csv'));
    };
    day(1, header + rows(0, 50, end));
    dynamic();
    await until(50);
    stop();
    day(1, header + rows(0, 100, end));
    day(2, header + rows(100, 200, end));
    day(3, header + rows(200, 300, end));
    day(4, header + rows(300, 350, end));
    dynamic();
    await until(350);
    expect(faults).toEqual([]);
  });
}

test('a header further down does not hide what was rotated', async () => {
  put(
    't/s/latest.csv',
    `${HEADER}${rows(0, 10)}# Datetime(date),n(integer),mode(keyword)\n2024-03-01T00:00:10Z,10,on\n`,
  );
  dynamic();
  await until(11);
  stop();
  add('t/s/latest.csv', '2024-03-01T00:00:11Z,11,on\n');
  copyFileSync(at('t/s/latest.csv'), at('t/s/2024-03-01.csv'));
  written('t/s/2024-03-01.csv');
  rmSync(at('t/s/latest.csv'));
  put('t/s/latest.csv', HEADER + rows(12, 20));
  dynamic();
  await until(20);
});

/** As `gzip` does it: another name, the same time. */
function pack(name: string, pack: (bytes: Buffer) => Buffer, end: string): void {
  writeFileSync(at(name + end), pack(readFileSync(at(name))));
  const { atime, mtime } = statSync(at(name));
  utimesSync(at(name + end), atime, mtime);
  rmSync(at(name));
}

for (const [end, packed] of [
  ['.gz', gzipSync],
  ['.zst', zstdCompressSync],
] as const) {
  test(`what was packed (${end}) while the agent did not run is read to its end`, async () => {
    put('meter.log.7', lines(900, 990));
    pack('meter.log.7', packed, end);
    put('meter.log', lines(0, 50));
    tail();
    await until(50);
    stop();
    add('meter.log', lines(50, 60));
    renameSync(at('meter.log'), at('meter.log.3'));
    pack('meter.log.3', packed, end);
    put('meter.log.2', lines(60, 160));
    pack('meter.log.2', packed, end);
    put('meter.log.1', lines(160, 200));
    put('meter.log', lines(200, 250));
    tail();
    await until(250);
    stop();
    tail();
    add('meter.log', lines(250, 260));
    await until(260);
    expect(faults).toEqual([]);
    expect(outbox?.gaps(10)).toEqual([]);
  });
}

const lost = { table: 't', source: 's', cause: 'file_lost', events: null };

test('a packed file that cannot be read is told and declared, and the rest is read', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  renameSync(at('meter.log'), at('meter.log.2'));
  put('meter.log.1.gz', 'no gzip');
  put('meter.log', lines(30, 40));
  tail();
  await until(40);
  expect(faults[0]?.message).toMatch(/meter\.log\.1\.gz came between/);
  expect(outbox?.gaps(10)).toMatchObject([lost]);
});

test('lines that were cut off before they were read are declared', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  add('meter.log', '30\n31\n3');
  await until(32);
  truncateSync(at('meter.log'), 0);
  add('meter.log', '32\n');
  await until(33);
  expect(faults[0]?.message).toMatch(/was cut; 1 bytes/);
  expect(outbox?.gaps(10)).toMatchObject([lost]);
});

test('a file that was replaced and is nowhere to be found is told and declared', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  rmSync(at('meter.log'));
  put('unrelated', '');
  put('meter.log', lines(30, 40));
  tail();
  await until(40);
  expect(faults[0]?.message).toMatch(/was replaced while the agent did not run/);
  expect(outbox?.gaps(10)).toMatchObject([lost]);
  stop();
  // Once, and also over a restart.
  tail();
  expect(outbox?.gaps(10)).toHaveLength(1);
});
