/**
 * A portfolio of 10,000 entities: its list at the server, moving 500 of them, and in the browser the tree, a search in it,
 * its scrolling, and a map of all of them. The real cloud with the real build of the web (`npm run build -w apps/web`).
 *
 * Run: `node bench/entities.web.ts [entities] [rounds]`. Needs a Chromium (CHROMIUM_PATH, else /usr/bin/chromium).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { openBrowser, startFrames, stopFrames } from './browser.web.ts';
import { startCloudProcess, stopCloudProcess } from './cloud-process.ts';
import { forgeryHeaders, OWNED, signIn } from './owner-session.ts';
import { percentile } from './percentile.ts';

const [COUNT = 10_000, ROUNDS = 8] = process.argv.slice(2).map(Number);
const SITES = Math.ceil(COUNT / 100);
const MOVED = 500;
/** What one request may hold. */
const AT_ONCE = 5000;

const WORKGROUP = 'main';

const folder = mkdtempSync(join(tmpdir(), 'albedo-entities-'));
const { child, url } = await startCloudProcess(folder, OWNED);
const headers = await forgeryHeaders(url);
const token = await signIn(url, headers);
const browser = await openBrowser();
try {
  const siteOf = (n: number) => `site${n % SITES}`;
  const root = { _id: 'portfolio', name: 'Portfolio' };
  const sites = Array.from({ length: SITES }, (_, n) => ({
    ...{ _id: `site${n}`, name: `Roof ${n}`, parent: root._id },
  }));
  const machines = Array.from({ length: COUNT - SITES }, (_, n) => ({
    ...{ _id: `machine${n}`, name: `Inverter ${n}`, parent: siteOf(n) },
    meta: {
      kWp: 60 + (n % 9),
      latitude: ((n * 37) % 1300) / 10 - 60,
      longitude: ((n * 91) % 3400) / 10 - 170,
    },
  }));
  const all = [root, ...sites, ...machines];
  for (let at = 0; at < all.length; at += AT_ONCE)
    await ask('POST', `entities/${WORKGROUP}/all`, { entities: all.slice(at, at + AT_ONCE) });
  console.log(`${COUNT} entities on ${SITES} sites, ${ROUNDS} rounds, load ${loadavg()[0]?.toFixed(1)}`);

  await measure('list at the server', 200, () => ask('GET', `entities/${WORKGROUP}`));
  let turn = 0;
  await measure('500 moved', 1000, () => {
    turn++;
    const changes = machines.slice(0, MOVED).map(({ _id }, n) => ({ _id, parent: siteOf(n + turn) }));
    return ask('PUT', `entities/${WORKGROUP}`, { changes });
  });
  await inBrowser();
} finally {
  await browser.close();
  await stopCloudProcess(child);
  rmSync(folder, { recursive: true, force: true });
}

async function inBrowser(): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`localStorage.setItem('albedo.token', ${JSON.stringify(token)})`);
  const page = await context.newPage();
  const rows = page.getByRole('treeitem');
  const open = async () => {
    await page.goto(`${url}/admin/entities/manage`);
    await rows.first().waitFor();
  };
  await measure('tree, from the address to its rows', null, open);
  const search = page.getByRole('textbox', { name: 'Search entities' });
  const cdp = await context.newCDPSession(page);
  let typed = 0;
  // From the last one down: no other name begins like these, however many there are.
  const nextName = () => `Inverter ${COUNT - SITES - ++typed}`;
  const first = (name: string) => page.getByRole('treeitem', { name, exact: false }).first().waitFor();
  await measure('search, from the last key to its rows', 50, async () => {
    const name = nextName();
    await search.fill(name);
    await first(name);
  });
  await measure('the same inside the page', 50, () =>
    page.evaluate(typeIn, { label: 'Search entities', text: nextName() }),
  );
  await search.fill('');
  await rows.first().waitFor();
  // All sites open, so that there is something to scroll through.
  await rows.first().focus();
  await page.keyboard.press('*');
  const frames = await scroll(page, cdp);
  const late = frames.filter((ms) => ms > 25).length / frames.length;
  console.log(
    `frames while scrolling: p50 ${percentile(frames, 0.5).toFixed(1)}, p95 ${percentile(frames, 0.95).toFixed(1)} ms, ${(late * 100).toFixed(1)} % late (aim 60 a second)`,
  );
  await mapOf(page, cdp);
  await context.close();
}

/** A dashboard with all of them on a map: until it is drawn, and moving it. */
async function mapOf(page: Page, cdp: CDPSession): Promise<void> {
  const place = { x: 0, y: 0, w: 24, h: 16 };
  const items = [{ id: 'map', kind: 'map', title: 'Map', place, settings: { rows: 'descendants' } }];
  const wanted = { type: 'entity', typeId: 'portfolio', name: 'Map', board: { items } };
  const { _id } = (await ask('POST', `entityDashboards/${WORKGROUP}`, wanted)) as { _id: string };
  const other = {
    ...wanted,
    name: 'Text',
    board: { items: [{ id: 'a', kind: 'text', settings: { text: 'x' } }] },
  };
  const { _id: empty } = (await ask('POST', `entityDashboards/${WORKGROUP}`, other)) as { _id: string };
  const at = (board: string) => `/entities/dash3/${board}`;
  await page.goto(`${url}${at(_id)}`);
  await page.locator('canvas').first().waitFor();
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  let spent = 0;
  await measure('map, from another dashboard until it is drawn', 1000, async () => {
    await page.evaluate((path) => history.pushState({}, '', path), at(empty));
    await page.locator('article[data-kind=text]').waitFor();
    const before = await taskMs(cdp);
    const took = await page.evaluate(openMap, at(_id));
    spent = (await taskMs(cdp)) - before;
    return took;
  });
  console.log(`main thread for it ${spent.toFixed(0)} ms`);
  const before = await taskMs(cdp);
  const times = await page.evaluate(moveMap);
  const busy = ((await taskMs(cdp)) - before) / times.length;
  console.log(
    `frames while the map is moved: p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)} ms, ${busy.toFixed(1)} ms of the main thread each (aim 60 a second)`,
  );
}

/** Time that the main thread worked so far, whatever else the machine does, ms. */
async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** In the page: opens the path, and answers how long it took until a map has places on it. */
async function openMap(path: string): Promise<number> {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const began = performance.now();
  history.pushState({}, '', path);
  while (!document.querySelector('article[data-kind=map] .maplibregl-marker')) await frame();
  await frame();
  return performance.now() - began;
}

/** In the page: drags the map for two seconds; times between frames. */
async function moveMap(): Promise<number[]> {
  const canvas = document.querySelector('article[data-kind=map] canvas');
  if (!canvas) throw new Error('There is no map.');
  const box = canvas.getBoundingClientRect();
  const send = (type: string, x: number) =>
    canvas.dispatchEvent(
      new MouseEvent(type, {
        ...{
          bubbles: true,
          clientX: box.left + 300 + x,
          clientY: box.top + 200,
          buttons: type === 'mouseup' ? 0 : 1,
        },
      }),
    );
  const times: number[] = [];
  send('mousedown', 0);
  let last = await new Promise<number>(requestAnimationFrame);
  for (let step = 0; step < 120; step++) {
    send('mousemove', Math.sin(step / 15) * 200);
    const now = await new Promise<number>(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  send('mouseup', 0);
  return times;
}

/** In the page: types into a field, and answers how long it took until a line of the tree has the text, ms. */
async function typeIn({ label, text }: { label: string; text: string }): Promise<number> {
  const field = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`);
  if (!field) throw new Error(`There is no field ${label}.`);
  const began = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  const isThere = () =>
    [...document.querySelectorAll('[role=treeitem]')].some((one) => one.textContent?.includes(text));
  while (!isThere()) {
    if (performance.now() - began > 30_000) throw new Error(`The tree does not show ${text}.`);
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - began;
}

/** Times between the frames of some seconds of scrolling, ms. */
async function scroll(page: Page, cdp: CDPSession): Promise<number[]> {
  await page.evaluate(startFrames);
  await cdp.send('Input.synthesizeScrollGesture', {
    ...{ x: 700, y: 600, yDistance: -12_000, speed: 3000, gestureSourceType: 'mouse' },
  });
  return page.evaluate(stopFrames);
}

/** A task that answers a number has measured its time itself. */
async function measure(name: string, aimMs: number | null, task: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const from = performance.now();
    const own = await task();
    if (round >= 0) times.push(typeof own === 'number' ? own : performance.now() - from);
  }
  const text = `p50 ${percentile(times, 0.5).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms`;
  console.log(`${name.padEnd(40)} ${text}${aimMs === null ? '' : ` (aim ${aimMs} ms)`}`);
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...headers,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${(await reply.text()).slice(0, 300)}`);
  return reply.json();
}
