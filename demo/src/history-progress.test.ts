import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writtenHistory } from '@albedo/contract/demo/demo.schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectHistory, HistoryProgress, progressFile } from './history-progress.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-progress-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const told = () => writtenHistory.parse(JSON.parse(readFileSync(progressFile(folder), 'utf8')));

test('a new folder says that the past is on its way before the first line of it is there', () => {
  expectHistory(folder);
  expect(told()).toMatchObject({ days: 396, share: 0, msLeft: null, wholeFrom: null });
});

test('how long it still takes is judged by how fast it went of late; a second start does not forget it', () => {
  let now = 1000;
  const progress = new HistoryProgress({ path: progressFile(folder), all: 1000, days: 397, now: () => now });
  progress.tell(1000, null);
  for (let left = 900; left >= 500; left -= 100) {
    now += 10_000;
    progress.tell(left, 77);
  }
  expect(told()).toEqual({ at: now, days: 397, share: 0.5, msLeft: 50_000, wholeFrom: 77 });
  expectHistory(folder);
  expect(told().share).toBe(0.5);
  progress.tell(0, 7);
  expect(told()).toMatchObject({ share: 1, msLeft: 0, wholeFrom: 7 });
});
