import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { outboxStart } from '@albedo/contract/link/link.messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import type { Shape, StoredEvent } from './outbox.events.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';

let directory: string;
const open: Outbox[] = [];
const folders: string[] = [];
const lines: string[] = [];
const shape: Shape = { table: 't', source: 's', fields: [{ name: 'n', type: 'integer' }] };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'albedo-outbox-'));
  lines.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.stop();
  for (const folder of [directory, ...folders.splice(0)]) rmSync(folder, { recursive: true, force: true });
});

function outbox(options: Partial<OutboxOptions> = {}): Outbox {
  const made = new Outbox({
    directory,
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('debug', (line) => lines.push(line)),
    ...options,
  });
  open.push(made);
  made.start();
  return made;
}

const unit = (...eventsAt: number[]) => ({
  captures: [{ shape, rows: eventsAt.map((eventAt) => ({ eventAt, values: [eventAt] })) }],
});
const everything = (of: Outbox) => of.newest({ events: 1e6, bytes: 1e9 }, null, () => false);

test('events exist for the sender when they are committed, with rising numbers that begin at the clock', () => {
  const box = outbox();
  const seen: StoredEvent[] = [];
  box.onCommitted = (events) => seen.push(...events);
  box.append(unit(5, 6));
  expect(everything(box)).toEqual([]);
  box.flush();
  expect(seen.map((one) => one.eventAt)).toEqual([5, 6]);
  expect(seen[1]?.id).toBe((seen[0]?.id ?? 0) + 1);
  expect(Math.abs((seen[0]?.id ?? 0) - outboxStart(Date.now()))).toBeLessThan(2 ** 20 * 60);
});

test('a start that the cloud was told of is known to the next one, however it ended', () => {
  const box = outbox();
  box.append(unit(1));
  box.flush();
  box.stop();
  const second = outbox();
  const told = second.claim();
  // Killed here: what the disk has at this moment is all that the next one gets.
  const after = mkdtempSync(join(tmpdir(), 'albedo-outbox-'));
  folders.push(after);
  cpSync(directory, after, { recursive: true });
  const third = outbox({ directory: after });
  expect(third.claim().name).toBe(told.name);
  expect(third.claim().epochs.slice(0, -1)).toEqual(told.epochs);
});

test('what is pending is committed within a quarter of a second', async () => {
  const box = outbox();
  const committed = new Promise<StoredEvent[]>((resolve) => {
    box.onCommitted = resolve;
  });
  box.append(unit(1));
  expect((await committed).length).toBe(1);
});

test('the newest events come first and those on their way are left out', () => {
  const box = outbox();
  box.append(unit(30, 10, 20));
  box.flush();
  const all = everything(box);
  expect(all.map((one) => one.eventAt)).toEqual([30, 20, 10]);
  expect(box.newest({ events: 9, bytes: 1e6 }, null, (id) => id === all[1]?.id).length).toBe(2);
  const below = { eventAt: 20, id: all[1]?.id ?? 0 };
  expect(box.newest({ events: 1, bytes: 1e6 }, below, () => false)[0]?.eventAt).toBe(20);
});

test('the start under which something was acknowledged is known after others, but not where an older agent wrote since', () => {
  const box = outbox();
  box.append(unit(1, 2));
  box.flush();
  const { epochs, lastId } = box.facts;
  const epoch = epochs.at(-1)?.[0] ?? '';
  box.acknowledge({ epoch, ranges: [[lastId - 1, lastId - 1]], gaps: [], onForgotten: () => {} });
  box.stop();
  const next = outbox();
  expect(next.facts.epochs.at(-1)?.[0]).not.toBe(epoch);
  expect(next.facts).toMatchObject({ ackedId: lastId - 1, ackedEpoch: epoch });
  next.stop();
  const older = new DatabaseSync(join(directory, 'outbox.db'));
  older.exec(`UPDATE state SET acked = ${lastId}`);
  older.close();
  expect(outbox().facts).toMatchObject({ ackedId: lastId, ackedEpoch: null });
});

test('acknowledged events are forgotten and counted, also over a restart', () => {
  const box = outbox();
  box.append(unit(1, 2, 3));
  box.flush();
  const [, second] = everything(box).reverse();
  let forgotten = false;
  box.acknowledge({
    ranges: [[second?.id ?? 0, (second?.id ?? 0) + 1]],
    gaps: [],
    onForgotten: () => {
      forgotten = true;
    },
  });
  box.flush();
  expect(forgotten).toBe(true);
  const { name, lastId } = box.facts;
  box.stop();
  const again = outbox();
  expect(everything(again).map((one) => one.eventAt)).toEqual([1]);
  expect(again.counters()).toEqual([['t', 's', 3, 2, 0]]);
  expect(again.facts).toMatchObject({ name, lastId, events: 1, dropped: 0 });
});

test('a full outbox drops the oldest events and declares them until the cloud has noted it', () => {
  const box = outbox({ limitBytes: 100_000 });
  for (let n = 0; n < 4; n++) box.append(unit(...Array.from({ length: 500 }, (_, at) => n * 500 + at)));
  box.flush();
  const kept = everything(box).map((one) => one.eventAt);
  expect(kept[0]).toBe(1999);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 1999 - at));
  expect(box.facts.bytes).toBeLessThanOrEqual(95_000);
  expect(box.counters()).toEqual([['t', 's', 2000, 0, 2000 - kept.length]]);
  const [gap] = box.gaps(10);
  expect(gap).toMatchObject({
    table: 't',
    source: 's',
    cause: 'outbox_full',
    events: 2000 - kept.length,
    firstEventAt: 0,
    lastEventAt: 1999 - kept.length,
  });
  box.acknowledge({ ranges: [], gaps: [gap?.from ?? 0], onForgotten: () => {} });
  box.flush();
  expect(box.gaps(10)).toEqual([]);
});

test('back-fill is dropped before what happened lately, and what is on its way stays', () => {
  const box = outbox({ limitBytes: 20_000 });
  const now = Date.now();
  box.append(unit(now, now + 1));
  box.append(unit(100));
  box.flush();
  const pinned = everything(box).at(-1)?.id;
  box.isPinned = (id) => id === pinned;
  box.append(unit(...Array.from({ length: 300 }, (_, at) => 200 + at)));
  box.flush();
  const kept = everything(box).map((one) => one.eventAt);
  expect(kept.slice(0, 2)).toEqual([now + 1, now]);
  expect(kept.at(-1)).toBe(100);
  expect(kept).not.toContain(200);
});

test('events older than the outbox keeps them are declared as expired', () => {
  const box = outbox({ limitAgeMs: -1 });
  box.append(unit(1, 2));
  box.flush();
  expect(everything(box).length).toBe(0);
  expect(box.gaps(10)).toMatchObject([{ cause: 'outbox_expired', events: 2 }]);
});

test('a full disk stops nothing: files wait, the rest is kept in memory and written when there is room', () => {
  vi.useFakeTimers();
  let db: DatabaseSync | undefined;
  const box = outbox({
    open: (path) => {
      db = new DatabaseSync(path);
      return db;
    },
  });
  const pages = Number(db?.prepare('PRAGMA page_count').get()?.page_count);
  db?.exec(`PRAGMA max_page_count = ${pages + 2}`);
  expect(box.hasRoom('live')).toBe(true);
  const many = Array.from({ length: 1000 }, (_, at) => at);
  box.append(unit(...many));
  box.flush();
  expect(box.failure).toMatch(/^The disk of .* is full/);
  expect(lines.join('')).toMatch('is full');
  expect(box.hasRoom('live')).toBe(false);
  expect(box.facts.events).toBe(1000);
  box.append(unit(7777));
  db?.exec('PRAGMA max_page_count = 100000');
  vi.advanceTimersByTime(1100);
  expect(box.failure).toBe(null);
  expect(everything(box).length).toBe(1001);
  expect(box.counters()).toEqual([['t', 's', 1001, 0, 0]]);
});

test('what does not even fit into memory on a full disk is counted and declared, never silent', () => {
  vi.useFakeTimers();
  let db: DatabaseSync | undefined;
  const box = outbox({
    open: (path) => {
      db = new DatabaseSync(path);
      return db;
    },
  });
  const text: Shape = { table: 'x', source: 'y', fields: [{ name: 'n', type: 'keyword' }] };
  db?.exec('PRAGMA max_page_count = 12');
  const append = (at: number) =>
    box.append({ captures: [{ shape: text, rows: [{ eventAt: at, values: ['x'.repeat(1e6)] }] }] });
  append(0);
  box.flush();
  for (let n = 1; n < 20; n++) append(n);
  db?.exec('PRAGMA max_page_count = 1000000');
  vi.advanceTimersByTime(1100);
  const [[, , captured, , dropped] = [0, 0, 0, 0, 0]] = box.counters();
  expect(captured).toBe(20);
  expect(dropped).toBeGreaterThan(0);
  expect(everything(box).length + dropped).toBe(20);
  expect(box.gaps(9)).toMatchObject([{ cause: 'outbox_full', events: dropped, table: 'x', lastEventAt: 19 }]);
});

test('a damaged outbox is set aside and the numbers go on above the old ones', () => {
  const box = outbox();
  box.append(unit(1));
  box.flush();
  const { lastId, name } = box.facts;
  box.stop();
  truncateSync(join(directory, 'outbox.db'), 5000);
  writeFileSync(
    join(directory, 'outbox.db'),
    'not a database at all, rather a text of some length '.repeat(200),
  );
  const reasons: string[] = [];
  const again = new Outbox({
    directory,
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('error', () => {}),
  });
  open.push(again);
  again.onReplaced = (reason) => reasons.push(reason);
  again.start();
  expect(reasons[0]).toMatch(/is damaged .* a new one begins/);
  expect(readdirSync(directory).some((one) => one.includes('.damaged-'))).toBe(true);
  expect(again.facts.name).not.toBe(name);
  expect(again.facts.lastId).toBeGreaterThan(lastId);
});

test('a second agent on the same outbox is refused', () => {
  outbox();
  expect(() => outbox()).toThrow(/Another agent already runs/);
  open.pop();
});

test('killed before or after any statement, the outbox holds whole units only and its counters agree', () => {
  const child = join(import.meta.dirname, 'outbox.crash-child.ts');
  const run = (...args: string[]) => spawnSync(process.execPath, [child, ...args], { encoding: 'utf8' });
  const whole = run(mkdtempSync(join(directory, 'whole-')), '0');
  const steps = Number(/done (\d+)/.exec(whole.stdout)?.[1]);
  expect(steps).toBeGreaterThan(20);
  for (let step = 1; step <= steps; step++) {
    const place = mkdtempSync(join(directory, 'step-'));
    expect(run(place, String(step), 'before').signal).toBe('SIGKILL');
    run(place, String(step + 1), 'after');
    const box = outbox({ directory: place });
    const values = everything(box)
      .map((one) => one.eventAt)
      .sort((a, b) => a - b);
    const offset = box.position('file')?.offset ?? 0;
    const [[, , captured, sent] = ['', '', 0, 0]] = box.counters();
    expect(offset % 2).toBe(0);
    expect(captured).toBe(offset);
    expect(values.length).toBe(offset - sent);
    expect(new Set(values).size).toBe(values.length);
    expect(values.every((value) => value < offset)).toBe(true);
    box.stop();
  }
}, 150_000);

const FIXTURES = join(import.meta.dirname, '../../fixtures');
test.each(readdirSync(FIXTURES))('%s of a release opens with all that was in it', (name) => {
  writeFileSync(join(directory, 'outbox.db'), zstdDecompressSync(readFileSync(join(FIXTURES, name))));
  const box = outbox();
  expect(everything(box).map(({ shape, eventAt, body }) => [shape.table, eventAt, body])).toEqual([
    ['inverters', 2000, '[2.5,null]'],
    ['inverters', 1000, '[1.5,"läuft"]'],
  ]);
  expect(box.position('a.csv')).toMatchObject({ inode: 7, offset: 42, header: 'a,b' });
  box.append(unit(3000));
  box.flush();
  expect(everything(box)[0]?.eventAt).toBe(3000);
});

test('an outbox of a newer agent is refused and stays as it is', () => {
  outbox().stop();
  const path = join(directory, 'outbox.db');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => outbox()).toThrow(`The outbox ${path} cannot be opened: it was made by a newer agent`);
  expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
});
