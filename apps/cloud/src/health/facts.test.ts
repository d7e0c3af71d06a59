import type { BatchStream } from '@albedo/contract/link/link.messages';
import { expect, test } from 'vitest';
import { CpuWindow, factsOfArrival, factsOfStatus, factsOfStore, UNKNOWN_FACTS } from './facts.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

function stream(table: string, source: string, names: string[], rows: (number | null)[][]): BatchStream {
  const fields = names.map((name) => ({ name, type: 'decimal' as const }));
  return { table, source, fields, rows: rows.map((row, at) => [at + 1, ...row]) as BatchStream['rows'] };
}

const cpu = (rows: (number | null)[][]) => stream('data', 'cpu', ['cpu_usage'], rows);
const box = (rows: (number | null)[][]) =>
  stream('black_box', 'Black box', ['CPU temp', 'MEM usage', 'DISK usage', 'Uptime'], rows);

test('CPU usage is the mean of the last 15 minutes; older samples and gaps do not count', () => {
  const window = new CpuWindow();
  const rows = [
    [NOW - 16 * MINUTE, 100],
    [NOW - 14 * MINUTE, 10],
    [NOW - 13 * MINUTE, 10],
    [NOW - 12 * MINUTE, 20],
    [NOW, null],
  ];
  expect(factsOfArrival(UNKNOWN_FACTS, [cpu(rows)], window, NOW).cpuUsage).toBe(14.96);
  expect(window.mean(NOW + 2.5 * MINUTE)).toBe(20);
  expect(window.mean(NOW + 15 * MINUTE)).toBeNull();
});

test('the moments of a start, when every machine is busy, are nothing to judge a device by', () => {
  const window = new CpuWindow();
  const seen = (at: number, value: number) =>
    factsOfArrival(UNKNOWN_FACTS, [cpu([[at, value]])], window, at).cpuUsage;
  expect(seen(NOW, 100)).toBeUndefined();
  expect(seen(NOW + MINUTE / 2, 40)).toBe(41.94);
  expect(seen(NOW + MINUTE, 40)).toBe(40.98);
});

test('a long silence counts no more than some minutes of what came after it', () => {
  const window = new CpuWindow();
  const rows = [
    [NOW - 14 * MINUTE, 0],
    [NOW - 6 * MINUTE, 90],
    [NOW - MINUTE, 30],
  ];
  factsOfArrival(UNKNOWN_FACTS, [cpu(rows)], window, NOW);
  expect(window.mean(NOW)).toBe(59.9);
});

test('a back-filled black box record does not overwrite a newer one', () => {
  const first = factsOfArrival(UNKNOWN_FACTS, [box([[NOW, 50, 60, 70, 48]])], new CpuWindow(), NOW);
  expect(first).toMatchObject({ blackBoxAt: NOW, cpuTemp: 50, memUsage: 60, diskUsage: 70, upTimeHours: 48 });
  const known = { ...UNKNOWN_FACTS, ...first };
  const late = factsOfArrival(known, [box([[NOW - 86_400_000, 99, 99, 99, 1]])], new CpuWindow(), NOW);
  expect(late).toEqual({});
});

test('a clock that runs ahead does not make a device look fresh for ever', () => {
  const facts = factsOfArrival(UNKNOWN_FACTS, [cpu([[NOW + 3_600_000, 1]])], new CpuWindow(), NOW);
  expect(facts.cloudLastDataAt).toBe(NOW);
});

test('the offset of the clock is the agent’s minus ours, in seconds', () => {
  const status = {
    at: NOW + 90_400,
    version: '2.5.0',
    outbox: 'a',
    os: null,
    sourceLastDataAt: null,
    pendingEvents: 7,
    pendingBytes: 0,
    outboxLimitBytes: 0,
    unreadBytes: 0,
    droppedEvents: 0,
    lastMsgId: 1,
    streams: [],
  };
  expect(factsOfStatus(status, NOW)).toMatchObject({
    clockOffsetS: 90.4,
    pendingEvents: 7,
    version: '2.5.0',
  });
});

test('what is stored completes what was saved, and does not make it older', () => {
  const known = { ...UNKNOWN_FACTS, cloudLastDataAt: NOW - 10, blackBoxAt: NOW - 10, memUsage: 33 };
  const blackBox = { eventAt: NOW - MINUTE, values: { 'MEM usage': 99 } };
  const facts = factsOfStore(known, { lastEventAt: NOW - MINUTE, blackBox, cpuUsage: 12 }, NOW);
  expect(facts).toEqual({ cloudLastDataAt: NOW - 10, cpuUsage: 12 });
});
