/**
 * What signing in costs: the first paint of the sign-in page on a phone with 4G, the server's answer with its argon2,
 * and the time from a click in the menu to the loaded screen. The real cloud with the real build of the web
 * (`npm run build -w apps/web`).
 *
 * Run: `node bench/sign-in.web.ts`. Needs a Chromium (CHROMIUM_PATH, else /usr/bin/chromium).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { openBrowser } from './browser.web.ts';
import { startCloudProcess, stopCloudProcess } from './cloud-process.ts';
import { forgeryHeaders, OWNED, signIn } from './owner-session.ts';
import { percentile } from './percentile.ts';

const ROUNDS = 7;
/** The browser's own profile "Fast 4G", and a phone's processor of a quarter of this machine's speed. */
const PHONE = { latencyMs: 165, downBytesPerS: (9e6 / 8) * 0.9, upBytesPerS: (1.5e6 / 8) * 0.9, slowdown: 4 };
/** What one goes to, back and forth. */
const SCREENS = ['/profile', '/devices', '/admin/access/users'] as const;

const folder = mkdtempSync(join(tmpdir(), 'albedo-sign-in-'));
const { child, url } = await startCloudProcess(folder, OWNED);
const headers = await forgeryHeaders(url);
const browser = await openBrowser();
try {
  const paints = [];
  for (let round = 0; round < ROUNDS; round++) paints.push(await paintOnPhone(browser));
  print(
    'first paint on a phone, 4G',
    1000,
    paints.map(({ firstPaintMs }) => firstPaintMs),
  );
  print(
    'sign-in form usable there',
    null,
    paints.map(({ usableMs }) => usableMs),
  );
  print('sign-in answer', 300, await signIns());
  print('route change to loaded screen', 200, await routeChanges(browser));
} finally {
  await browser.close();
  await stopCloudProcess(child);
  rmSync(folder, { recursive: true, force: true });
}

function print(what: string, aimMs: number | null, values: readonly number[]): void {
  const text = `p50 ${percentile(values, 0.5).toFixed(0)} ms, max ${Math.max(...values).toFixed(0)} ms`;
  console.log(`${what.padEnd(30)} ${text}${aimMs === null ? '' : ` (aim ${aimMs} ms)`}`);
}

/** With an empty cache, from the navigation on. */
async function paintOnPhone(on: Browser): Promise<{ firstPaintMs: number; usableMs: number }> {
  const context = await on.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.latencyMs,
    downloadThroughput: PHONE.downBytesPerS,
    uploadThroughput: PHONE.upBytesPerS,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowdown });
  await page.goto(`${url}/login`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Continue', exact: true }).waitFor();
  const usableMs = await page.evaluate(() => performance.now());
  const firstPaintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await context.close();
  return { firstPaintMs, usableMs };
}

/** Fewer than the limit of one address a minute allows. */
async function signIns(): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await signIn(url, headers);
    times.push(performance.now() - from);
  }
  return times;
}

/** After a first visit of each, when their code is in the browser. */
async function routeChanges(on: Browser): Promise<number[]> {
  const page = await on.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(
    `localStorage.setItem('albedo.token', ${JSON.stringify(await signIn(url, headers))})`,
  );
  const titles = new Map<string, string>();
  for (const address of SCREENS) {
    await page.goto(url + address);
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('main .mantine-Skeleton-root') === null);
    titles.set(address, await page.title());
  }
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const address of SCREENS)
      times.push(await page.evaluate(goTo, { address, title: titles.get(address) ?? '' }));
  return times;
}

/** Runs in the page: milliseconds until the screen of the address is drawn and nothing of it is loading any more. */
async function goTo({ address, title }: { address: string; title: string }): Promise<number> {
  const isLoaded = () =>
    document.title === title &&
    document.querySelector('main h1') !== null &&
    document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null;
  const from = performance.now();
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
  while (!isLoaded()) await new Promise(requestAnimationFrame);
  // The next frame begins when this one is painted.
  await new Promise(requestAnimationFrame);
  return performance.now() - from;
}
