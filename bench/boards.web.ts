/**
 * Boards in the browser: an overview over a year, one widget that is held, many widgets, another entity, live values while a
 * widget is dragged, and the heap of a wall screen. The real cloud with the real build of the web, on data of its own.
 *
 * Run: `node bench/boards.web.ts [--rounds 5] [--turns 1000] [--only live]`. Needs a Chromium (CHROMIUM_PATH, else
 * /usr/bin/chromium).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from '@playwright/test';
import { openBrowser, startFrames, stopFrames } from './browser.web.ts';
import { percentile } from './percentile.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const [ROUNDS, TURNS] = [Number(flags.rounds), Number(flags.turns)];
/** For how long values come while widgets are dragged, ms. */
const LIVE_MS = 10_000;
/** How long a display shows each page, as `boards.server.ts` makes it, and turns until it keeps as much as it ever does. */
const [TURN_MS, WARM_TURNS] = [5000, 80];
/** Has the page wait for so long. */
const WAIT = {
  expression: `new Promise((done) => setTimeout(done, ${LIVE_MS}))`,
  awaitPromise: true,
} as const;

interface Ready {
  url: string;
  token: string;
  boards: Record<'overview' | 'twenty' | 'twoHundred' | 'empty' | 'live' | 'swapped' | 'display', string>;
}

const server = fork(join(import.meta.dirname, 'boards.server.ts'), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const [ready] = (await once(server, 'message')) as [Ready];
const { url, token, boards } = ready;
const browser = await openBrowser('--js-flags=--expose-gc');
const CASES: Record<string, () => Promise<void>> = {
  sql: besideSql,
  first: firstVisit,
  overview,
  held,
  many,
  swap,
  live,
  playlist,
};
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, run] of Object.entries(CASES)) if (name.includes(flags.only)) await run();
  console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser.close();
  await tell('stop');
}

async function besideSql(): Promise<void> {
  const { ours, byHand } = (await tell('compare')) as Record<
    'ours' | 'byHand',
    { ms: number; engineMs: number }
  >;
  say('24 questions over a year, server', `${ours.ms.toFixed(0)} ms, by hand ${byHand.ms.toFixed(0)} ms`);
  say(
    '',
    `ratio ${(ours.ms / byHand.ms).toFixed(2)}, of the engine ${(ours.engineMs / byHand.engineMs).toFixed(2)} (aim 1.3)`,
  );
}

/** What the viewing route takes on a first visit. */
async function firstVisit(): Promise<void> {
  const page = await signedIn();
  await page.goto(`${url}/entities/dash3/${boards.twenty}`);
  await page.waitForFunction(isComplete);
  const files = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /\.(m?js|css)(\?|$)/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
  );
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  say(
    'viewing route, scripts and styles',
    `${(bytes / 1000).toFixed(1)} kB in ${files.length} files (aim 300)`,
  );
  await page.context().close();
}

async function overview(): Promise<void> {
  const page = await signedIn();
  await goTo(page, boards.empty);
  await page.waitForFunction(isComplete);
  const all = { first: [] as number[], complete: [] as number[], busy: [] as number[] };
  const cdp = await busyClock(page);
  for (let round = -1; round < ROUNDS; round++) {
    await goTo(page, boards.empty);
    await page.waitForFunction(isComplete);
    const before = await taskMs(cdp);
    const { first, complete } = await page.evaluate(open, {
      path: `/entities/dash3/${boards.overview}`,
      kinds: 24,
    });
    if (round < 0) continue;
    all.first.push(first);
    all.complete.push(complete);
    all.busy.push((await taskMs(cdp)) - before);
  }
  say('overview of 24 widgets, a year: first values', `${spread(all.first)} (aim 500 ms)`);
  say('all values', `${spread(all.complete)} (aim 2 s)`);
  say('main thread for it', spread(all.busy));
  await page.context().close();
}

/** One widget waits 10 s; the others come as they always do. */
async function held(): Promise<void> {
  const page = await signedIn();
  const times = { free: [] as number[], held: [] as number[] };
  for (let round = -1; round < ROUNDS * 2; round++) {
    const kind = round % 2 === 0 ? 'held' : 'free';
    await goTo(page, boards.empty);
    await page.waitForFunction(isComplete);
    await tell(kind === 'held' ? 'hold' : 'release');
    // Two of the 24 are about the inverter that is held.
    const { complete } = await page.evaluate(open, { path: `/entities/dash3/${boards.overview}`, kinds: 22 });
    if (round >= 0) times[kind].push(complete);
    await tell('release');
    await page.waitForFunction(isComplete, null, { timeout: 60_000 });
  }
  const [free, late] = [percentile(times.free, 0.5), percentile(times.held, 0.5)];
  say(
    '22 of 24 while two are held for 10 s',
    `${late.toFixed(0)} ms, ${(late / free).toFixed(2)} of ${free.toFixed(0)} (aim 1.1)`,
  );
  await page.context().close();
}

async function many(): Promise<void> {
  const page = await signedIn();
  const times = { twenty: [] as number[], twoHundred: [] as number[] };
  const busy = { twenty: [] as number[], twoHundred: [] as number[] };
  const cdp = await busyClock(page);
  for (let round = -1; round < ROUNDS; round++)
    for (const name of ['twenty', 'twoHundred'] as const) {
      await goTo(page, boards.empty);
      await page.waitForFunction(isComplete);
      const before = await taskMs(cdp);
      const { complete } = await page.evaluate(open, { path: `/entities/dash3/${boards[name]}`, kinds: 20 });
      if (round < 0) continue;
      times[name].push(complete);
      busy[name].push((await taskMs(cdp)) - before);
    }
  const [few, all] = [percentile(times.twenty, 0.5), percentile(times.twoHundred, 0.5)];
  say(
    '20 values of 200 widgets',
    `${all.toFixed(0)} ms, ${(all / few).toFixed(2)} of ${few.toFixed(0)} with 20 (aim 1.2)`,
  );
  say('main thread for it', `${spread(busy.twoHundred)}, with 20 ${spread(busy.twenty)}`);
  await page.context().close();
}

async function swap(): Promise<void> {
  const page = await signedIn();
  await goTo(page, `${boards.swapped}/inv0`);
  await page.waitForFunction(isComplete);
  const times: number[] = [];
  for (let round = -1; round < ROUNDS * 2; round++) {
    const path = `/entities/dash3/${boards.swapped}/inv${((round + 12) % 11) + 1}`;
    const took = await page.evaluate(openOther, path);
    if (round >= 0) times.push(took);
  }
  say('another entity, 16 widgets', `${spread(times)} (aim 300 ms)`);
  await page.context().close();
}

async function live(): Promise<void> {
  const page = await signedIn();
  await page.goto(`${url}/entities/dash3/${boards.live}`);
  await page.waitForFunction(isComplete);
  await tell('live');
  await framesOf(page, 'live values of 60 widgets', (cdp) => cdp.send('Runtime.evaluate', WAIT));
  await page.goto(`${url}/entities/dash3-edit/${boards.live}`);
  await page.waitForFunction(isComplete);
  const handle = page.locator('article[data-kind=number]').first();
  await handle.waitFor();
  await framesOf(page, 'the same while one is dragged', async () => {
    const box = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + 14);
    await page.mouse.down();
    const until = Date.now() + LIVE_MS;
    for (let step = 0; Date.now() < until; step++) {
      await page.mouse.move(box.x + 300 + Math.sin(step / 20) * 280, box.y + 200 + Math.cos(step / 20) * 150);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
  });
  await tell('quiet');
  await page.context().close();
}

async function framesOf(
  page: Page,
  name: string,
  during: (cdp: CDPSession) => Promise<unknown>,
): Promise<void> {
  const cdp = await busyClock(page);
  await page.evaluate(startFrames);
  const before = await taskMs(cdp);
  const changes = await page.evaluate(() => {
    const seen = { count: 0 };
    Object.assign(window, { textChanges: seen });
    new MutationObserver((all) => {
      seen.count += all.length;
    }).observe(document.body, { characterData: true, childList: true, subtree: true });
    return seen.count;
  });
  await during(cdp);
  const spent = (await taskMs(cdp)) - before;
  const frames = await page.evaluate(stopFrames);
  const changed = await page.evaluate(
    () => (window as unknown as { textChanges: { count: number } }).textChanges.count,
  );
  const late = frames.filter((ms) => ms > 25).length / frames.length;
  say(
    name,
    `${(spent / frames.length).toFixed(1)} ms of the main thread a frame (aim 8), ${changed - changes} changes`,
  );
  say(
    '',
    `frames p50 ${percentile(frames, 0.5).toFixed(1)}, p95 ${percentile(frames, 0.95).toFixed(1)} ms, ${(late * 100).toFixed(1)} % late`,
  );
}

/** A display turns by its own clock, which goes fast; what it keeps for a while has come and gone before it is measured. */
async function playlist(): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${url}/display#${encodeURIComponent(boards.display)}`);
  await page.waitForFunction(isComplete);
  const cdp = await context.newCDPSession(page);
  const turn = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await page.clock.fastForward(TURN_MS);
      await page.waitForFunction(isComplete);
    }
  };
  const heap = async () => {
    for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize / 1e6;
  };
  await turn(WARM_TURNS);
  const before = await heap();
  const between: number[] = [];
  for (let done = 0; done < TURNS; done += TURNS / 4) {
    await turn(Math.ceil(TURNS / 4));
    between.push(await heap());
  }
  const after = between.at(-1) ?? before;
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  say(
    `heap after ${TURNS} turns`,
    `${after.toFixed(1)} MB, ${(after / before).toFixed(3)} of ${before.toFixed(1)} (aim 1.1), by quarters ${between.map((mb) => mb.toFixed(1)).join(', ')}, ${nodes} nodes`,
  );
  await context.close();
}

async function signedIn(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`localStorage.setItem('albedo.token', ${JSON.stringify(token)})`);
  const page = await context.newPage();
  await page.goto(`${url}/entities/dash3/${boards.empty}`);
  await page.locator('article[data-kind]').first().waitFor();
  // The files of charts are there before anything is measured.
  await page.goto(`${url}/entities/dash3/${boards.twenty}`);
  await page.waitForFunction(isComplete);
  return page;
}

async function goTo(page: Page, board: string): Promise<void> {
  await page.evaluate((path) => history.pushState({}, '', path), `/entities/dash3/${board}`);
}

/** In the page: whether widgets are there, and none in sight waits. */
function isComplete(): boolean {
  const all = [...document.querySelectorAll('article[data-kind]')];
  return (
    all.length > 0 &&
    all.every((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const isInSight = bottom > 0 && top < innerHeight;
      return !isInSight || one.querySelector('.mantine-Skeleton-root') === null;
    })
  );
}

/** In the page: opens a path and waits until so many widgets have their values; ms after the navigation began. */
async function open({
  path,
  kinds,
}: {
  path: string;
  kinds: number;
}): Promise<{ first: number; complete: number }> {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const old = new Set(document.querySelectorAll('article[data-kind]'));
  const began = performance.now();
  history.pushState({}, '', path);
  let first = 0;
  for (;;) {
    await frame();
    const there = [...document.querySelectorAll('article[data-kind]')].filter(
      (one) =>
        !old.has(one) &&
        one.querySelector('.mantine-Skeleton-root') === null &&
        (one.textContent ?? '').length > 9,
    );
    const now = performance.now();
    if (first === 0 && there.length > 0) first = now - began;
    if (there.length >= kinds) return { first, complete: now - began };
    if (now - began > 60_000) throw new Error(`Only ${there.length} widgets of ${path} have values.`);
  }
}

/** In the page: shows another entity; ms until every figure is that of it and nothing waits. */
async function openOther(path: string): Promise<number> {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const texts = () =>
    [...document.querySelectorAll('article[data-kind=number]')].map((one) => one.textContent ?? '');
  const old = texts();
  const began = performance.now();
  history.pushState({}, '', path);
  for (;;) {
    await frame();
    const now = performance.now();
    const isWaiting = document.querySelector('article[data-kind] .mantine-Skeleton-root') !== null;
    if (!isWaiting && texts().every((one, i) => one !== old[i])) return now - began;
    if (now - began > 30_000) throw new Error(`Figures stay those of another entity: ${texts().join(' | ')}`);
  }
}

async function busyClock(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  // Time that the thread worked, whatever else the machine does meanwhile.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return cdp;
}

async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Asks the server for something and waits until it is done. */
async function tell(name: string, to: ChildProcess = server): Promise<unknown> {
  const answered = new Promise<unknown>((resolve) => {
    const listen = (message: { done?: string; result?: unknown }) => {
      if (message.done !== name) return;
      to.off('message', listen);
      resolve(message.result);
    };
    to.on('message', listen);
  });
  to.send(name);
  return answered;
}

function say(name: string, text: string): void {
  console.log(`${name.padEnd(48)} ${text}`);
}

function spread(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms`;
}
