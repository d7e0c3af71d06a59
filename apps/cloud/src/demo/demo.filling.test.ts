import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Filling, WrittenHistory } from '@albedo/contract/demo/demo.schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DemoFilling } from './demo.filling.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 14, 12);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-filling-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (of: Partial<WrittenHistory>): string => {
  const file = join(folder, 'history.json');
  const all = { at: NOW, days: 397, share: 0, msLeft: null, wholeFrom: null, ...of };
  writeFileSync(file, JSON.stringify(all));
  return file;
};

test('what was written counts when it has arrived from every plant, and is over when nothing is left to send', () => {
  const told: (Filling | null)[] = [];
  let unsent = 0;
  const file = written({});
  const filling = new DemoFilling({
    file,
    unsent: () => unsent,
    tell: (one) => told.push(one),
    now: () => NOW,
  });
  filling.follow(['hilltop', 'harbour']);
  filling.start();
  expect(filling.of('demo')).toEqual({ days: 397, share: 0, msLeft: null, wholeFrom: null });
  expect(filling.of('acme')).toBeNull();

  written({ at: NOW + 1000, share: 0.1, msLeft: 90_000, wholeFrom: NOW - 2 * DAY_MS });
  filling.late('hilltop', NOW - 2 * DAY_MS);
  filling.late('this-machine', NOW - 9 * DAY_MS);
  filling.look();
  expect(filling.of('demo')).toMatchObject({ share: 0.1, msLeft: 90_000, wholeFrom: null });
  filling.late('harbour', NOW - DAY_MS);
  filling.look();
  expect(filling.of('demo')?.wholeFrom).toBe(NOW - DAY_MS);
  filling.look();

  unsent = 5000;
  written({ at: NOW + 2000, share: 1, msLeft: 0, wholeFrom: NOW - 397 * DAY_MS });
  filling.look();
  expect(filling.of('demo')?.share).toBe(1);
  unsent = 3;
  filling.look();
  expect(filling.of('demo')).toBeNull();
  // Each step once.
  expect(told.map((one) => one?.share ?? null)).toEqual([0, 0.1, 0.1, 1, null]);
});

test('a start in the middle goes on from what an earlier one had filled in, and knows no time left yet', () => {
  const file = written({ at: NOW - DAY_MS, share: 0.4, msLeft: 60_000, wholeFrom: NOW - 90 * DAY_MS });
  const filling = new DemoFilling({ file, unsent: () => 0, tell: () => {}, now: () => NOW });
  filling.follow(['hilltop']);
  filling.start();
  filling.stop();
  const whole = { share: 0.4, msLeft: null, wholeFrom: NOW - 90 * DAY_MS };
  expect(filling.of('demo')).toMatchObject(whole);
});

test('a start after all was written waits until every plant said what it holds, though not for ever', () => {
  const file = written({ at: NOW - DAY_MS, share: 1, msLeft: 0, wholeFrom: NOW - 397 * DAY_MS });
  let [now, unsent]: [number, number | null] = [NOW, null];
  const begin = () => {
    const filling = new DemoFilling({ file, unsent: () => unsent, tell: () => {}, now: () => now });
    filling.start();
    return filling;
  };
  const [heard, unheard] = [begin(), begin()];
  expect(heard.of('demo')?.share).toBe(1);
  heard.follow(['hilltop']);
  for (const next of [null, 5000]) {
    unsent = next;
    heard.look();
    expect(heard.of('demo')?.share).toBe(1);
  }
  unsent = 3;
  for (const one of [heard, unheard]) one.look();
  expect(heard.of('demo')).toBeNull();
  // Nothing is followed yet.
  expect(unheard.of('demo')?.share).toBe(1);
  now += 10 * 60_000;
  unheard.look();
  expect(unheard.of('demo')).toBeNull();
});
