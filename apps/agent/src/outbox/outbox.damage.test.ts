import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { Shape } from './outbox.events.ts';
import { Outbox } from './outbox.ts';

let directory: string;
const shape: Shape = {
  table: 't',
  source: 's',
  fields: [
    { name: 'n', type: 'integer' },
    { name: 'text', type: 'keyword' },
  ],
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'albedo-damage-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function open() {
  const reasons: string[] = [];
  const box = new Outbox({ directory, limitBytes: 1e9, limitAgeMs: 1e12, log: createLog('error', () => {}) });
  box.onDamaged = (reason) => reasons.push(reason);
  box.onReplaced = (reason) => reasons.push(reason);
  box.start();
  return { box, reasons };
}

const EVENTS = 400;
const textOf = (n: number) => `value number ${n} of a line that somebody has written`;

/** An outbox with events that wait, closed; answers its file. */
function filled(): string {
  const { box } = open();
  const rows = Array.from({ length: EVENTS }, (_, n) => ({ eventAt: 1e12 + n, values: [n, textOf(n)] }));
  box.append({
    captures: [{ shape, rows }],
    position: {
      key: 'file',
      value: { inode: 1, offset: 77, tail: 'dGFpbA==', header: null, skipping: false },
    },
  });
  box.stop();
  return join(directory, 'outbox.db');
}

/** Everything that can be sent, and what was declared as lost; damage that is met on the way is dealt with. */
function read(box: Outbox) {
  const all = () => box.newest({ events: 1e6, bytes: 1e9 }, null, () => false);
  all();
  box.flush();
  return {
    events: all().map(({ eventAt, body }) => [eventAt - 1e12, ...JSON.parse(body)]),
    lost: box.gaps(1000).reduce((sum, { events }) => sum + (events ?? 0), 0),
  };
}

test('an event with a flipped bit is set aside alone, declared with its cause, and told', () => {
  const file = filled();
  const bytes = readFileSync(file);
  const at = bytes.indexOf(textOf(123)) + 3;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  writeFileSync(file, bytes);
  const { box, reasons } = open();
  const { events, lost } = read(box);
  expect(events).toHaveLength(EVENTS - 1);
  expect(events.some(([n]) => n === 123)).toBe(false);
  expect(lost).toBe(1);
  expect(box.gaps(1)).toMatchObject([
    { cause: 'outbox_damaged', table: 't', source: 's', firstEventAt: 1e12 + 123 },
  ]);
  expect(box.counters()).toEqual([['t', 's', EVENTS, 0, 1]]);
  expect(box.facts.events).toBe(EVENTS - 1);
  expect(reasons).toHaveLength(1);
  box.stop();
});

test('wherever a bit flips, what can be read goes on unchanged, and the rest is declared', () => {
  const file = filled();
  const good = `${file}.good`;
  copyFileSync(file, good);
  const size = readFileSync(good).length;
  let replaced = 0;
  const step = Math.floor(size / 60);
  for (let at = 19; at < size; at += step) {
    for (const name of readdirSync(directory)) if (!name.endsWith('.good')) rmSync(join(directory, name));
    const bytes = readFileSync(good);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
    writeFileSync(file, bytes);
    const { box, reasons } = open();
    const { events, lost } = read(box);
    for (const [when, n, text] of events) expect([when, text]).toEqual([n, textOf(n)]);
    expect(new Set(events.map(([n]) => n)).size).toBe(events.length);
    if (reasons.some((reason) => reason.endsWith('a new one begins.'))) replaced++;
    else expect([at, events.length + lost]).toEqual([at, EVENTS]);
    // And it can be used.
    box.append({ captures: [{ shape, rows: [{ eventAt: 5, values: [1, 'x'] }] }] });
    box.flush();
    expect(box.failure).toBe(null);
    box.stop();
  }
  // Only where the head of the file itself, or the state, is damaged.
  expect(replaced).toBeLessThan(8);
}, 120_000);

test('a page of rubbish in the middle costs the events on it, not the others or the places in files', () => {
  const file = filled();
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.indexOf(textOf(200)) / 4096) * 4096;
  bytes.fill(0xaa, at, at + 4096);
  writeFileSync(file, bytes);
  const { box, reasons } = open();
  const { events, lost } = read(box);
  expect(events.length).toBeGreaterThan(EVENTS - 80);
  expect(events.length + lost).toBe(EVENTS);
  expect(box.position('file')?.offset).toBe(77);
  expect(reasons[0]).toMatch(/events of it go on/);
  box.stop();
});

test.each([
  ['outbox_damaged', (file: string) => writeFileSync(file, Buffer.alloc(50_000))],
  ['outbox_lost', (file: string) => rmSync(file)],
])(
  'what waited in an outbox of which nothing is left is a gap of %s, of nobody knows how many',
  (cause, spoil) => {
    const file = filled();
    const { box: whole } = open();
    expect(whole.gaps(10)).toEqual([]);
    whole.stop();
    for (const name of readdirSync(directory)) if (/-(wal|shm)$/.test(name)) rmSync(join(directory, name));
    spoil(file);
    const { box } = open();
    expect(box.gaps(10)).toMatchObject([{ cause, table: null, source: null, events: null }]);
    // It is told once, not at each start.
    const [gap] = box.gaps(1);
    box.acknowledge({ ranges: [], gaps: [gap?.from ?? 0], onForgotten: () => {} });
    box.stop();
    const again = open().box;
    expect(again.gaps(10)).toEqual([]);
    again.stop();
  },
);

test('a folder in the place of the outbox is set aside and told, and a new one begins', () => {
  const path = filled();
  rmSync(path);
  mkdirSync(join(path, 'in the way'), { recursive: true });
  const { box, reasons } = open();
  expect(reasons).toEqual([expect.stringContaining(`The outbox ${path} is a folder; it is kept as`)]);
  expect(read(box)).toMatchObject({ events: [] });
  expect(box.gaps(10)).toMatchObject([{ cause: 'outbox_damaged', events: null }]);
  box.stop();
  expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toHaveLength(1);
});

test('a folder beside the outbox costs nothing of it', () => {
  const path = filled();
  mkdirSync(`${path}-wal`);
  const { box, reasons } = open();
  expect(reasons).toEqual([]);
  expect(read(box).events).toHaveLength(EVENTS);
  box.stop();
});
