import { spawnSync } from 'node:child_process';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Pages, SparePages } from './spare-pages.ts';

const log = pino({ level: 'silent' });
const MB = 1e6;

function machine(rss: number, afterwards: number) {
  const state = { rss: rss * MB, kept: 0, at: 1, worked: 0.1, collections: 0 };
  const pages: Pages = {
    usage: () => ({ rss: state.rss + state.kept, heapTotal: 120 * MB, external: 150 * MB }),
    trim: () => {
      state.kept = 0;
    },
    collect: () => {
      state.collections++;
      state.rss = afterwards * MB;
    },
    worked: () => state.worked,
    now: () => state.at,
  };
  return { state, spare: new SparePages(log, pages) };
}

test('a heap that was larger once gives its pages back, and again when as much came together again, but not at once', () => {
  const { state, spare } = machine(700, 350);
  spare.look();
  expect([state.collections, state.rss]).toEqual([1, 350 * MB]);
  state.rss = 700 * MB;
  spare.look();
  expect(state.collections).toBe(1);
  state.at += 15 * 60_000;
  spare.look();
  expect(state.collections).toBe(2);
});

test('a process that has much to do is not stopped for it', () => {
  const { state, spare } = machine(700, 350);
  state.worked = 0.6;
  spare.look();
  expect(state.collections).toBe(0);
  state.worked = 0.1;
  spare.look();
  expect(state.collections).toBe(1);
});

test('what the C library keeps goes back each minute, without a collection, unless there is much to do', () => {
  const { state, spare } = machine(460, 350);
  state.kept = 200 * MB;
  state.worked = 0.6;
  spare.look();
  expect(state.kept).toBe(200 * MB);
  state.worked = 0.1;
  spare.look();
  expect([state.kept, state.collections]).toEqual([0, 0]);
});

test('what the process needs is left alone, and so is what no collection frees', () => {
  const usual = machine(460, 350);
  usual.spare.look();
  expect(usual.state.collections).toBe(0);
  const { state, spare } = machine(700, 690);
  spare.look();
  for (const rss of [690, 765]) {
    state.at += 3_600_000;
    state.rss = rss * MB;
    spare.look();
  }
  expect(state.collections).toBe(1);
});

/** Fills a heap, empties it, and tells what the process holds then and after a collection. */
const PROGRAM = `
  import { setTimeout } from 'node:timers/promises';
  import { ofThisProcess } from ${JSON.stringify(new URL('./spare-pages.ts', import.meta.url).href)};
  let kept = [];
  for (let n = 0; n < 1_500_000; n++) kept.push({ n, text: 'x' + n, list: [n] });
  kept = null;
  await setTimeout(2000);
  const before = process.memoryUsage().rss;
  ofThisProcess.collect();
  console.log(JSON.stringify([before, process.memoryUsage().rss]));
`;

test('the pages of a real process are given back to the machine', { timeout: 60_000 }, () => {
  const program = ['--input-type=module', '-e', PROGRAM];
  const { stdout } = spawnSync(process.execPath, program, { encoding: 'utf8', timeout: 50_000 });
  const [before, after] = JSON.parse(stdout) as [number, number];
  expect(after).toBeLessThan(before * 0.8);
});
