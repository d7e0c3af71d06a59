import { spawnSync } from 'node:child_process';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Pages, SparePages } from './spare-pages.ts';

const log = pino({ level: 'silent' });
const MB = 1e6;

function machine(rss: number, afterwards: number) {
  const state = { rss: rss * MB, at: 1, collections: 0 };
  const pages: Pages = {
    usage: () => ({ rss: state.rss, heapTotal: 120 * MB, external: 150 * MB }),
    collect: () => {
      state.collections++;
      state.rss = afterwards * MB;
    },
    now: () => state.at,
  };
  return { state, spare: new SparePages(log, pages) };
}

test('a heap that was larger once gives its pages back, at most once an hour', () => {
  const { state, spare } = machine(700, 350);
  spare.look();
  expect([state.collections, state.rss]).toEqual([1, 350 * MB]);
  state.rss = 700 * MB;
  spare.look();
  expect(state.collections).toBe(1);
  state.at += 3_600_000;
  spare.look();
  expect(state.collections).toBe(2);
});

test('what the process needs is left alone, and what no collection frees is not tried again for hours', () => {
  const usual = machine(460, 350);
  usual.spare.look();
  expect(usual.state.collections).toBe(0);
  const { state, spare } = machine(700, 690);
  spare.look();
  state.at += 3 * 3_600_000;
  spare.look();
  expect(state.collections).toBe(1);
});

/** Fills a heap while the process has work to do, empties it, and tells what the process holds then and after a look. */
const PROGRAM = `
  import { SparePages } from ${JSON.stringify(new URL('./spare-pages.ts', import.meta.url).href)};
  let kept = [];
  for (let round = 0; round < 3; round++) {
    kept = [];
    for (let n = 0; n < 1_500_000; n++) kept.push({ n, text: 'x' + n, list: [n] });
  }
  kept = null;
  const wait = () => new Promise((done) => setTimeout(done, 10));
  for (let busy = [], turns = 0; turns < 100 || process.memoryUsage().heapTotal > 200e6; turns++, await wait())
    for (let n = 0; n < 50_000; n++) busy.length > 100_000 ? (busy = []) : busy.push({ n, text: 'y' + n });
  const before = process.memoryUsage().rss;
  new SparePages({ info() {} }).look();
  console.log(JSON.stringify([before, process.memoryUsage().rss]));
`;

test('the pages of a real process are given back to the machine', { timeout: 60_000 }, () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    encoding: 'utf8',
  });
  const [before, after] = JSON.parse(stdout) as [number, number];
  expect(before).toBeGreaterThan(300 * MB);
  expect(after).toBeLessThan(before / 2);
});
