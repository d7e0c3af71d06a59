import type { EpochChain, StatusMessage } from '@albedo/contract/link/link.messages';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeviceLedger } from './device-ledger.ts';

const NOW = Date.UTC(2026, 5, 1);

const status = (rest: Partial<StatusMessage>): StatusMessage => ({
  at: NOW,
  version: '1',
  outbox: 'one',
  os: null,
  sourceLastDataAt: null,
  pendingEvents: 0,
  pendingBytes: 0,
  outboxLimitBytes: 0,
  unreadBytes: 0,
  droppedEvents: 0,
  lastMsgId: 0,
  streams: [],
  ...rest,
});

const stored = (events: number) => [
  { table: 'solar', source: 'inv-01', events, firstEventAt: NOW, lastEventAt: NOW },
];
const gap = (from: number, to: number, events: number | null = to - from + 1) => ({
  from,
  to,
  events,
  table: 'solar',
  source: 'inv-01',
  cause: 'outbox_full' as const,
  firstEventAt: null,
  lastEventAt: null,
});

function started(): DeviceLedger {
  const ledger = new DeviceLedger();
  ledger.noteOutbox('one', NOW);
  return ledger;
}

const gapsOf = (ledger: DeviceLedger) =>
  ledger.completeness().gaps.map(({ from, to, cause, events }) => [from, to, cause, events]);

test('numbers that never came are unexplained once the device has nothing left to send', () => {
  const ledger = started();
  ledger.noteStored(
    [
      [1, 10],
      [21, 30],
    ],
    stored(20),
  );
  ledger.noteStatus(status({ lastMsgId: 30, pendingEvents: 10 }), NOW);
  expect(gapsOf(ledger)).toEqual([]);
  ledger.noteStatus(status({ lastMsgId: 30 }), NOW);
  expect(gapsOf(ledger)).toEqual([[11, 20, 'unexplained', 10]]);
  ledger.notePending([[11, 20]]);
  expect(gapsOf(ledger)).toEqual([]);
  ledger.noteStored([[11, 20]], stored(10));
  expect(gapsOf(ledger)).toEqual([]);
});

test('numbers below the first that still waits are judged while others wait', () => {
  const ledger = started();
  ledger.noteStored([[1, 10]], stored(10));
  ledger.noteStatus(status({ lastMsgId: 30, pendingEvents: 5, firstPendingId: 21 }), NOW);
  expect(gapsOf(ledger)).toEqual([[11, 20, 'unexplained', 10]]);
  ledger.noteStatus(status({ lastMsgId: 30, pendingEvents: 5 }), NOW);
  expect(gapsOf(ledger)).toEqual([]);
});

test('what the device declared lost is explained, and what of it was stored after all is no gap', () => {
  const ledger = started();
  ledger.noteStored(
    [
      [1, 5],
      [11, 20],
    ],
    stored(15),
  );
  ledger.noteGap(gap(4, 10), NOW);
  ledger.noteGap(gap(12, 14), NOW);
  ledger.noteStatus(status({ lastMsgId: 20 }), NOW);
  expect(gapsOf(ledger)).toEqual([[4, 10, 'outbox_full', 5]]);
});

test('an outbox that is gone while events waited is a gap of unknown size, and its counters go on', () => {
  const ledger = started();
  ledger.noteStored([[1, 10]], stored(10));
  const streams = [['solar', 'inv-01', 14, 10, 0]] as StatusMessage['streams'];
  ledger.noteStatus(status({ lastMsgId: 14, pendingEvents: 4, streams }), NOW);
  ledger.noteStatus(status({ outbox: 'two', lastMsgId: 1000, streams: [['solar', 'inv-01', 1, 1, 0]] }), NOW);
  ledger.noteStored([[1000, 1000]], stored(1));
  expect(gapsOf(ledger)).toEqual([[11, 14, 'outbox_lost', null]]);
  expect(ledger.completeness()).toMatchObject({ captured: 15, stored: 11, pending: 0 });
});

test('an outbox that is replaced when it was empty leaves no gap', () => {
  const ledger = started();
  ledger.noteStored([[1, 10]], stored(10));
  ledger.noteStatus(status({ lastMsgId: 10 }), NOW);
  ledger.noteOutbox('two', NOW);
  expect(gapsOf(ledger)).toEqual([]);
});

test('set-aside events of a stream are one gap that grows, and each counts once', () => {
  const ledger = started();
  expect(ledger.noteSetAside('solar', 'inv-01', [[3, 4]], NOW)).toBe(2);
  expect(ledger.noteSetAside('solar', 'inv-01', [[3, 5]], NOW)).toBe(1);
  expect(ledger.noteSetAside('solar', 'inv-01', [[4, 4]], NOW)).toBe(0);
  expect(gapsOf(ledger)).toEqual([[3, 5, 'set_aside', 3]]);
  expect(ledger.takeChangedGaps()).toHaveLength(1);
  expect(ledger.takeChangedGaps()).toEqual([]);
});

test('a saved ledger comes back as it was', () => {
  const ledger = started();
  ledger.noteStored(
    [
      [1, 10],
      [15, 20],
    ],
    stored(16),
  );
  ledger.noteSetAside('solar', 'inv-02', [[11, 11]], NOW);
  ledger.noteGap(gap(12, 13), NOW);
  ledger.noteStatus(status({ lastMsgId: 20, streams: [['solar', 'inv-01', 20, 16, 2]] }), NOW);
  const back = new DeviceLedger();
  back.restore(JSON.parse(JSON.stringify(ledger.save())), structuredClone(ledger.takeChangedGaps()));
  expect(back.completeness()).toEqual(ledger.completeness());
  expect(gapsOf(back)).toContainEqual([14, 14, 'unexplained', 1]);
});

test('a device that leaves more and more holes does not make the ledger grow without end', () => {
  const ledger = started();
  for (let number = 1; number < 14_000; number += 2) ledger.noteStored([[number, number]], stored(1));
  ledger.noteStatus(status({ lastMsgId: 14_000 }), NOW);
  expect(ledger.done.size).toBeLessThanOrEqual(5000);
  const told = gapsOf(ledger);
  expect(told[0]?.[2]).toBe('unexplained');
  expect(ledger.completeness().stored).toBe(7000);
});

test('whatever arrives in whatever order, every number is stored, set aside, declared or unexplained', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 0, max: 9 }));
  const step = fc.record({ what: fc.constantFrom('stored', 'aside', 'declared'), range });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const ledger = started();
      const known = new Set<number>();
      for (const { what, range } of steps) {
        const [from, to] = [range[0], range[0] + range[1]];
        for (let n = from; n <= to; n++) known.add(n);
        if (what === 'stored') ledger.noteStored([[from, to]], stored(to - from + 1));
        if (what === 'aside') ledger.noteSetAside('solar', 'inv-01', [[from, to]], NOW);
        if (what === 'declared') ledger.noteGap(gap(from, to), NOW);
      }
      ledger.noteStatus(status({ lastMsgId: 90 }), NOW);
      const unexplained = new Set<number>();
      for (const [from, to, cause] of gapsOf(ledger)) {
        if (cause !== 'unexplained') continue;
        for (let n = from as number; n <= (to as number); n++) unexplained.add(n);
      }
      const first = Math.min(...known);
      for (let n = first; n <= 90; n++) expect(unexplained.has(n)).toBe(!known.has(n));
    }),
  );
});

test('holes that the device may still fill stay open, however many there are', () => {
  const ledger = started();
  for (let number = 1; number < 14_000; number += 2) ledger.noteStored([[number, number]], stored(1));
  ledger.noteStatus(status({ lastMsgId: 14_000, pendingEvents: 7000 }), NOW);
  expect(ledger.done.has(2)).toBe(false);
  ledger.noteStatus(status({ lastMsgId: 100 }), NOW);
  expect(ledger.done.has(2)).toBe(true);
  expect(ledger.done.has(102)).toBe(false);
});

test('what a server that went back had acknowledged to an outbox that is gone since is told, of nobody knows how many', () => {
  const ledger = started();
  ledger.noteStored([[1, 10]], stored(10));
  ledger.noteStatus(status({ lastMsgId: 10 }), NOW);
  ledger.admit({ outbox: 'one', epochs: [['a', 11]], ackedId: 30 }, NOW);
  ledger.noteOutbox('two', NOW);
  ledger.noteStored([[100, 105]], stored(6));
  ledger.noteStatus(status({ outbox: 'two', lastMsgId: 105 }), NOW);
  expect(gapsOf(ledger)).toEqual([[11, 30, 'cloud_restored', null]]);
});

test('what was acknowledged in an epoch that nobody knows is told, also where others have used its numbers since', () => {
  const ledger = started();
  ledger.admit({ outbox: 'one', epochs: [['a', 1]], ackedId: null }, NOW);
  ledger.noteStored([[1, 10]], stored(10));
  // The backup is from here. A copy of the disk comes first, and numbers on.
  const grant = ledger.admit({ outbox: 'one', epochs: [['b', 5]] }, NOW);
  expect(grant).toMatchObject({ first: 11 });
  ledger.noteOutbox(grant?.outbox ?? '', NOW);
  ledger.noteStored([[11, 30]], stored(20));
  ledger.admit({ outbox: 'one', epochs: [['d', 40]], ackedId: 20, ackedEpoch: 'c' }, NOW);
  expect(gapsOf(ledger)).toEqual([[20, 20, 'cloud_restored', null]]);
  const back = new DeviceLedger();
  back.restore(JSON.parse(JSON.stringify(ledger.save())), structuredClone(ledger.takeChangedGaps()));
  expect(gapsOf(back)).toEqual(gapsOf(ledger));
  back.admit({ outbox: 'one', epochs: [['d', 40]], ackedId: 20, ackedEpoch: 'c' }, NOW);
  expect(gapsOf(back)).toHaveLength(1);
});

test('no outbox answers for numbers of another one, nor for those that nobody gave out', () => {
  const ledger = started();
  ledger.admit({ outbox: 'one', epochs: [['a', 1]] }, NOW);
  ledger.noteStored([[1, 10]], stored(10));
  const copy = ledger.admit({ outbox: 'one', epochs: [['b', 5]] }, NOW)?.outbox ?? '';
  ledger.noteOutbox(copy, NOW);
  ledger.noteStored([[11, 11]], stored(1));
  ledger.noteStored([[13, 14]], stored(2));
  ledger.noteStatus(status({ outbox: copy, lastMsgId: 14, pendingEvents: 1, firstPendingId: 12 }), NOW);
  const grant = ledger.admit({ outbox: 'one', epochs: [['a', 1]], ackedId: 10, ackedEpoch: 'a' }, NOW);
  expect(grant).toMatchObject({ outbox: 'one', keepTo: 10, first: 15 });
  ledger.noteOutbox('one', NOW);
  ledger.noteStored([[18, 20]], stored(3));
  ledger.noteStatus(status({ lastMsgId: 20 }), NOW);
  expect(gapsOf(ledger)).toEqual([
    [12, 12, 'outbox_lost', null],
    [15, 17, 'unexplained', 3],
  ]);
  ledger.noteStatus(status({ outbox: copy, lastMsgId: 14, pendingEvents: 1, firstPendingId: 12 }), NOW);
  expect(gapsOf(ledger)).toEqual([[15, 17, 'unexplained', 3]]);
});

test('whose numbers they are is known of more epochs than are kept one by one', () => {
  const ledger = started();
  for (let start = 0; start < 500; start++) {
    const before: EpochChain = start > 0 ? [[`e${start - 1}`, 1 + 10 * (start - 1)]] : [];
    ledger.admit({ outbox: 'one', epochs: [...before, [`e${start}`, 1 + 10 * start]] }, NOW);
    ledger.noteStored([[1 + 10 * start, (start === 7 ? 8 : 10) + 10 * start]], stored(10));
  }
  ledger.noteStatus(status({ lastMsgId: 5000 }), NOW);
  expect(gapsOf(ledger)).toEqual([[79, 80, 'unexplained', 2]]);
  expect(ledger.save().numbers?.before).toHaveLength(1);
});

test('a device that leaves out every second number, and names ever new streams, is kept within bounds', () => {
  const ledger = started();
  ledger.noteStatus(status({ lastMsgId: 1e6, pendingEvents: 1e6 }), NOW);
  for (let number = 1; number < 300_000; number += 2) ledger.noteStored([[number, number]], stored(1));
  expect(ledger.done.size).toBeLessThanOrEqual(100_000);
  expect(gapsOf(ledger)[0]?.[2]).toBe('unexplained');
  for (let number = 1; number < 300_000; number += 2) ledger.noteGap(gap(1e6 + number, 1e6 + number), NOW);
  for (let round = 0; round < 3; round++) {
    const streams = Array.from({ length: 9000 }, (_, n) => ['t', `${round}-${n}`, 1, 1, 0]);
    ledger.noteStatus(status({ lastMsgId: 1e6, streams: streams as StatusMessage['streams'] }), NOW);
  }
  expect(ledger.completeness().streams.length).toBeLessThanOrEqual(10_001);
  expect(JSON.stringify(ledger.save()).length).toBeLessThan(5e6);
});

test('what was acknowledged to a copy of the disk is told whichever of the two speaks, and above whose numbers it is', () => {
  const ledger = started();
  ledger.admit({ outbox: 'one', epochs: [['a', 1]] }, NOW);
  ledger.noteStored([[1, 10]], stored(10));
  // The backup is from here; 11 to 20 were those of `one`, 21 to 30 those of its copy.
  ledger.admit({ outbox: 'copy', epochs: [['c', 21]], ackedId: 30, ackedEpoch: 'c' }, NOW);
  ledger.noteStatus(status({ outbox: 'copy', lastMsgId: 30 }), NOW);
  ledger.admit({ outbox: 'one', epochs: [['a', 1]], ackedId: 10, ackedEpoch: 'a' }, NOW);
  ledger.noteStored([[5, 5]], stored(0));
  ledger.noteStatus(status({ lastMsgId: 10 }), NOW);
  expect(gapsOf(ledger)).toEqual([
    [21, 30, 'cloud_restored', 10],
    [11, 20, 'cloud_restored', null],
  ]);
});
