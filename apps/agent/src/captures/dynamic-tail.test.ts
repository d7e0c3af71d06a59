import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { StoredEvent } from '../outbox/outbox.events.ts';
import { Outbox } from '../outbox/outbox.ts';
import { DynamicTailCapture } from './dynamic-tail.capture.ts';

const HEADER = '# Datetime(date),n(integer)\n';
const START = Date.parse('2024-03-01T00:00:00Z');

let root: string;
let outbox: Outbox;
let capture: DynamicTailCapture | null = null;
let changes = 0;
const faults: CaptureFault[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-dynamic-'));
  faults.length = 0;
});
afterEach(() => {
  stop();
  rmSync(root, { recursive: true, force: true });
});

const logs = () => join(root, 'opt/albedo/logs');
const path = (...parts: string[]) => join(logs(), ...parts, 'latest.csv');
const line = (n: number) => `${new Date(START + n * 1000).toISOString().slice(0, 19)}+0000,${n}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => line(from + at)).join('');

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function start(): void {
  outbox = new Outbox({
    directory: join(root, 'var/lib/albedo'),
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('error'),
    commitMs: 20,
  });
  outbox.start();
  capture = new DynamicTailCapture({
    folder: { directory: '/opt/albedo/logs', filename: 'latest.csv' },
    directory: logs(),
    sink: outbox,
    report: (fault) => faults.push(fault),
    onChange: () => changes++,
  });
  capture.start();
}

function stop(): void {
  capture?.stop();
  if (capture) outbox.stop();
  capture = null;
}

function events(of = outbox): StoredEvent[] {
  return of.newest({ events: 1e6, bytes: 1e9 }, null, () => false).sort((a, b) => a.id - b.id);
}

/** The first values of all events that could be read, in the order of capture. */
const numbers = (of = outbox) =>
  events(of)
    .map((one) => JSON.parse(one.body)[0])
    .filter((value) => typeof value === 'number');
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

async function until(claim: () => boolean, what: string): Promise<void> {
  for (let n = 0; n < 500; n++) {
    if (claim()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

test('the first folder is the table and the others are the source; other files and shallow ones are left', async () => {
  put(path('meter', 'incomer'), HEADER + line(1));
  put(path('hydro', 'unit2', 'pump1', 'bearing'), HEADER + line(2));
  put(join(logs(), 'meter/incomer/2024-03-01.csv'), HEADER + line(3));
  put(path('alone'), HEADER + line(4));
  put(path('a.b', 'c'), HEADER + line(5));
  put(path('agent_errors', 'forged'), HEADER + line(7));
  put(path('audit_logs', 'cloud'), HEADER + line(8));
  start();
  await until(() => events().length === 2, 'both files');
  const names = events().map((one) => `${one.shape.table} ${one.shape.source}`);
  expect(names.sort()).toEqual(['hydro unit2/pump1/bearing', 'meter incomer']);
  expect(faults.map((one) => one.message).sort()).toEqual([
    expect.stringMatching(/agent_errors\/forged\/latest\.csv: no file writes into the table "agent_errors"/),
    expect.stringMatching(/needs at least two folders/),
    expect.stringMatching(/no file writes into the table "audit_logs"/),
    expect.stringMatching(/"a\.b" cannot be a table/),
  ]);
  put(path('late', 'comer'), HEADER + line(6));
  await until(() => events().length === 3, 'a file that came later');
  expect(capture?.scenarios().length).toBe(3);
});

test('a half-written line waits for its newline', async () => {
  const file = path('t', 's');
  put(file, HEADER + line(0) + line(1).slice(0, 10));
  start();
  await until(() => numbers().length === 1, 'the whole line');
  appendFileSync(file, line(1).slice(10, -1));
  appendFileSync(file, `\n${line(2)}`);
  await until(() => numbers().length === 3, 'the rest');
  expect(numbers()).toEqual([0, 1, 2]);
  expect(faults).toEqual([]);
});

test('reading goes on exactly after a restart, and lines that came meanwhile are read', async () => {
  const file = path('t', 's');
  put(file, HEADER + lines(0, 10));
  start();
  await until(() => numbers().length === 10, 'the beginning');
  stop();
  appendFileSync(file, lines(10, 20));
  start();
  await until(() => numbers().length === 20, 'the rest');
  appendFileSync(file, line(20));
  await until(() => numbers().length === 21, 'one more');
  expect(numbers()).toEqual(upTo(21));
});

test('a file that is deleted and made again is read to its end first, while running', async () => {
  const file = path('t', 's');
  put(file, HEADER + lines(0, 5));
  start();
  await until(() => numbers().length === 5, 'the old file');
  appendFileSync(file, lines(5, 8));
  rmSync(file);
  put(file, HEADER + lines(8, 10));
  await until(() => numbers().length === 10, 'the new file');
  renameSync(file, join(dirname(file), 'old.csv'));
  appendFileSync(join(dirname(file), 'old.csv'), line(10));
  put(file, HEADER + line(11));
  await until(() => numbers().length === 12, 'the third file');
  expect(numbers()).toEqual(upTo(12));
});

test('a file that was replaced while the agent was down is read to its end in the copy of the day', async () => {
  const file = path('t', 's');
  put(file, HEADER + lines(0, 5));
  start();
  await until(() => numbers().length === 5, 'the old file');
  stop();
  appendFileSync(file, lines(5, 8));
  copyFileSync(file, join(dirname(file), '2024-03-01.csv'));
  rmSync(file);
  put(file, HEADER + lines(8, 10));
  start();
  await until(() => numbers().length === 10, 'everything');
  expect(numbers()).toEqual(upTo(10));
});

test('a file that was cut, or rewritten in place, begins at its start', async () => {
  const file = path('t', 's');
  put(file, HEADER + lines(0, 50));
  start();
  await until(() => numbers().length === 50, 'the first content');
  truncateSync(file, 0);
  appendFileSync(file, HEADER + lines(50, 52));
  await until(() => numbers().length === 52, 'the second content');
  writeFileSync(file, HEADER + lines(52, 200));
  await until(() => numbers().length === 200, 'the third content, which is longer');
  expect(numbers()).toEqual(upTo(200));
});

test('a header that changes in the middle of a file counts from there on', async () => {
  const file = path('t', 's');
  put(file, `${HEADER}${line(0)}# just a remark\n${line(1)}`);
  start();
  await until(() => numbers().length === 2, 'the first header');
  const before = changes;
  appendFileSync(file, '# Datetime(date),Power(decimal:W),n(integer)\n2024-03-01T00:00:02Z,5.5,2\n');
  await until(() => numbers().length === 3, 'the second header');
  expect(events().at(-1)).toMatchObject({
    body: '[5.5,2]',
    shape: { fields: [{ name: 'Power', units: 'W' }, { name: 'n' }] },
  });
  expect(changes).toBeGreaterThan(before);
  stop();
  appendFileSync(file, '2024-03-01T00:00:03Z,6.5,3\n');
  start();
  await until(() => numbers().length === 4, 'the line after a restart');
  expect(events().at(-1)?.body).toBe('[6.5,3]');
});

test('without a header nothing is read or lost, and it is read once the header is there', async () => {
  const file = path('t', 's');
  put(file, lines(0, 3));
  start();
  await until(() => faults.length > 0, 'the fault');
  expect(faults[0]).toMatchObject({ table: 't', source: 's', message: expect.stringMatching(/no header/) });
  expect(capture?.unreadBytes()).toBeGreaterThan(0);
  writeFileSync(file, HEADER + lines(0, 3));
  await until(() => numbers().length === 3, 'the lines');
});

test('a line of a megabyte, binary rubbish and a million columns are refused by name, and the rest is read', async () => {
  put(path('t', 'long'), `${HEADER}${line(0)}${'x'.repeat(3_000_000)}\n${line(1)}`);
  put(path('t', 'binary'), '');
  writeFileSync(
    path('t', 'binary'),
    Buffer.concat([
      Buffer.from(HEADER + line(0)),
      Buffer.from([0xff, 0xfe, 0, 1, 2, 3, 10, 0xc3, 0x28, 10]),
      Buffer.from(line(1)),
    ]),
  );
  put(path('t', 'columns'), `# ${'c(decimal),'.repeat(1_000_000)}x\n1\n`);
  put(path('t', 'short'), `# ${'c,'.repeat(5000)}x\n1\n`);
  start();
  await until(() => numbers().length === 4 && faults.length >= 5, 'the good lines');
  const of = (source: string) => faults.filter((one) => one.source === source).map((one) => one.message);
  expect(of('long')).toEqual([expect.stringMatching(/longer than 1048576 bytes and is left out/)]);
  expect(of('binary')).toEqual([
    expect.stringMatching(/not UTF-8|control characters/),
    expect.stringMatching(/not UTF-8/),
  ]);
  expect(of('columns')).toEqual([expect.stringMatching(/so the file cannot be read/)]);
  expect(of('short')).toEqual([expect.stringMatching(/5001 columns/)]);
  expect(numbers().sort()).toEqual([0, 0, 1, 1]);
});

test('a file that disappears leaves the list of what is captured', async () => {
  put(path('t', 'a'), HEADER + line(0));
  put(path('t', 'b'), HEADER + line(0));
  start();
  await until(() => capture?.scenarios().length === 2, 'both');
  rmSync(join(logs(), 't/a'), { recursive: true });
  await sleep(1500);
  put(path('t', 'c'), HEADER + line(0));
  await until(
    () =>
      capture
        ?.scenarios()
        .map((one) => one.source)
        .join() === 'b,c',
    'the list',
  );
});

test('what was rotated away while the agent did not run is read to its end, also where nothing came after it', async () => {
  put(path('pv', 'inv-1'), HEADER + lines(0, 10));
  start();
  await until(() => numbers().length === 10, 'what is there');
  stop();
  appendFileSync(path('pv', 'inv-1'), lines(10, 20));
  renameSync(path('pv', 'inv-1'), `${path('pv', 'inv-1')}.1`);
  start();
  await until(() => numbers().length === 20, 'what was rotated away');
  expect(faults).toEqual([]);
  // Nothing of it is left to be read at the next start.
  stop();
  start();
  await sleep(500);
  expect(numbers()).toEqual(upTo(20));
});
