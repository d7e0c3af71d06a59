import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WentBack } from '@albedo/contract/devices/went-back';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { rootAt } from '../root.ts';
import { asItIs } from './at-once.ts';
import { type Risk, WayBack } from './way-back.ts';

const PATH = '/etc/albedo/albedo.yaml';
const OLD_LINK = '{"port":8883}';
const NEW_LINK = '{"port":8884}';
let folder = '';
let nowMs = 0;
let told: WentBack[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-way-back-'));
  mkdirSync(join(folder, 'etc/albedo'), { recursive: true });
  writeFileSync(join(folder, PATH), 'old');
  [nowMs, told] = [1_000_000, []];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As a start of the agent opens it. */
function open(): WayBack {
  const wayBack = new WayBack({
    root: rootAt(folder),
    log: createLog('error'),
    trouble: () => 'connect ECONNREFUSED',
    onBack: (one) => told.push(one),
    clock: () => nowMs,
    now: () => nowMs,
  });
  wayBack.resume();
  return wayBack;
}

const file = () => readFileSync(join(folder, PATH), 'utf8');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const risk = (text: string): Risk => ({
  ...{ kind: 'config', name: PATH, hash: hashOf(text), link: NEW_LINK },
  before: asItIs(rootAt(folder), [PATH]),
});

function apply(wayBack: WayBack, text = 'new'): void {
  wayBack.begin(risk(text));
  writeFileSync(join(folder, PATH), text);
}

test('a configuration with which no connection follows within two minutes is put back, and told with the reason', () => {
  const wayBack = open();
  apply(wayBack);
  // What comes over the connection before proves nothing.
  nowMs += 1000;
  wayBack.heard(OLD_LINK);
  nowMs += 118_000;
  wayBack.look();
  expect(file()).toBe('new');
  nowMs += 1000;
  wayBack.look();
  expect(file()).toBe('old');
  expect(told).toEqual([
    {
      ...{ kind: 'config', name: PATH, hash: hashOf('new'), at: nowMs },
      why: 'no connection followed within 120 s (connect ECONNREFUSED)',
    },
  ]);
  // Also after the next start, until something stays.
  const next = open();
  expect(next.last).toEqual(told[0]);
  apply(next);
  next.heard(NEW_LINK);
  expect(next.last).toBeNull();
  expect(open().last).toBeNull();
});

test('a connection with the new section ends the trial at once', () => {
  const wayBack = open();
  apply(wayBack);
  wayBack.heard(NEW_LINK);
  nowMs += 600_000;
  wayBack.look();
  expect(file()).toBe('new');
  expect(told).toEqual([]);
});

test('each start has the whole two minutes to connect, however late it is', () => {
  apply(open());
  for (const pauseMs of [90_000, 3_600_000, -86_400_000]) {
    nowMs += pauseMs;
    const next = open();
    nowMs += 119_000;
    next.look();
    expect(file()).toBe('new');
  }
  const last = open();
  nowMs += 120_000;
  last.look();
  expect(file()).toBe('old');
  expect(told[0]?.why).toMatch(/^no connection followed within 120 s/);
});

test('an agent that dies again and again with a change goes back', () => {
  apply(open());
  for (let start = 0; start < 7; start++) open();
  expect(file()).toBe('old');
});

test('killed before the change was made, there is nothing to put back', () => {
  open().begin(risk('new'));
  const next = open();
  nowMs += 600_000;
  next.look();
  expect([file(), told]).toEqual(['old', []]);
});

test('what somebody on the device has changed since stays', () => {
  const wayBack = open();
  apply(wayBack);
  writeFileSync(join(folder, PATH), 'by hand');
  nowMs += 120_000;
  wayBack.look();
  expect(file()).toBe('by hand');
});

test('of an activity too: only the files that are as they were written go back', () => {
  const [kept, mine, gone, back] = ['kept', 'mine', 'gone', 'back'].map((name) => `/etc/albedo/${name}`);
  const paths = [kept, mine, gone, back] as string[];
  const at = (path = '') => join(folder, path);
  for (const path of paths) writeFileSync(at(path), 'old');
  const wayBack = open();
  const written = (path = '') => ({ path, mode: 0o644, content: Buffer.from('new').toString('base64') });
  wayBack.begin({
    ...{ kind: 'activity', name: 'pump', before: asItIs(rootAt(folder), paths) },
    after: { files: [written(kept), written(mine), written(gone)], remove: [back as string] },
  });
  for (const path of [kept, mine, gone]) writeFileSync(at(path), 'new');
  rmSync(at(back));
  // Somebody stands beside it.
  writeFileSync(at(mine), 'by hand');
  rmSync(at(gone));
  const next = open();
  nowMs += 120_000;
  next.look();
  expect([kept, mine, back].map((path) => readFileSync(at(path), 'utf8'))).toEqual(['old', 'by hand', 'old']);
  expect(existsSync(at(gone))).toBe(false);
});

test('of several changes that nobody confirmed, all before the first comes back', () => {
  const wayBack = open();
  apply(wayBack);
  nowMs += 60_000;
  apply(wayBack, 'newer');
  nowMs += 119_000;
  wayBack.look();
  expect(file()).toBe('newer');
  nowMs += 1000;
  wayBack.look();
  expect(file()).toBe('old');
});

test('a change of another kind is proven by any word after half a minute', () => {
  const [service, other] = ['/etc/albedo/services/pump', '/etc/albedo/services/fan'];
  const wayBack = open();
  const of = (path: string): Risk => ({
    kind: 'activity',
    name: path,
    before: asItIs(rootAt(folder), [path]),
  });
  mkdirSync(join(folder, 'etc/albedo/services'));
  wayBack.begin(of(service));
  writeFileSync(join(folder, service), 'x');
  nowMs += 29_000;
  wayBack.heard(OLD_LINK);
  nowMs += 91_000;
  wayBack.look();
  expect(() => readFileSync(join(folder, service))).toThrow('ENOENT');
  wayBack.begin(of(other));
  writeFileSync(join(folder, other), 'x');
  nowMs += 30_000;
  wayBack.heard(OLD_LINK);
  nowMs += 91_000;
  wayBack.look();
  expect(readFileSync(join(folder, other), 'utf8')).toBe('x');
});

test('a change that does not come about leaves the trial before it as it was', () => {
  const wayBack = open();
  apply(wayBack);
  const undo = wayBack.begin({ kind: 'plugin', name: 'modbus', before: { files: [], remove: [] } });
  undo();
  nowMs += 120_000;
  wayBack.look();
  expect(told.map(({ kind }) => kind)).toEqual(['config']);
});
