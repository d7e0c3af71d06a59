/**
 * What 10,000 devices cost the browser: the time from the server's answer to painted rows, and the frames while one
 * scrolls through them with facts arriving meanwhile. It serves the real build of the web (`npm run build -w apps/web`)
 * with a synthetic list.
 *
 * Run: `node bench/device-list.web.ts [devices]`. Needs a Chromium (CHROMIUM_PATH, else /usr/bin/chromium).
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { DeviceFacts, DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { SOCKET_PATH } from '@albedo/contract/sockets/action';
import type { CDPSession, Page } from '@playwright/test';
import { Server } from 'socket.io';
import { openBrowser, startFrames, stopFrames } from './browser.web.ts';

const COUNT = Number(process.argv[2] ?? 10_000);
const BUILD = process.env.WEB_BUILD ?? join(import.meta.dirname, '../apps/web/dist');
const ROUNDS = 5;
const SCROLL_PX = 30_000;
const SCROLL_PX_PER_S = 3000;
/** Devices whose facts change in each second: what 10,000 agents that report every 30 s make. */
const CHANGES_PER_S = Math.ceil(COUNT / 30);
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** What the page asks beside the list, where an empty list is no answer to it. */
const BESIDE = new Map<string, object>([
  ['/plants/demo', { at: Date.now(), plants: [] }],
  ['/socket-ticket', { ticket: 'bench' }],
]);

const devices = Array.from({ length: COUNT }, (_, index) => buildDevice(index));
const list = gzipSync(JSON.stringify(devices));
const server = createServer(answer);
const sockets = new Server(server, { path: SOCKET_PATH, transports: ['websocket'] });
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
let turn = 0;
const news = setInterval(() => {
  const changes = Array.from({ length: Math.ceil(CHANGES_PER_S / 4) }, () => {
    const device = devices[turn++ % COUNT];
    return { deviceId: device?.id, facts: { ...device?.facts, cpuUsage: Math.random() * 100 } };
  });
  sockets.emit('device:facts', changes);
}, 250);

const browser = await openBrowser();
const paints: number[] = [];
const frames: number[] = [];
const busy: Record<string, number[]> = {
  TaskDuration: [],
  ScriptDuration: [],
  RecalcStyleDuration: [],
  LayoutDuration: [],
};
for (let round = 0; round < ROUNDS; round++) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`localStorage.setItem('albedo.token', ${JSON.stringify(buildToken())})`);
  await context.addInitScript(watchPaint);
  const page = await context.newPage();
  await page.goto(`${base}/devices`);
  paints.push(await page.evaluate(paintedAfterAnswer));
  await page.waitForTimeout(1000);
  const cdp = await context.newCDPSession(page);
  frames.push(...(await scroll(page, cdp)));
  await context.close();
}
console.log(`${COUNT} devices, ${list.length >> 10} KiB of gzip, ${CHANGES_PER_S} devices change a second`);
console.log(`painted after the answer  ${spread(paints)} ms`);
console.log(`frames while scrolling    ${spread(frames)} ms`);
console.log(
  `late frames (over 25 ms)  ${((frames.filter((ms) => ms > 25).length / frames.length) * 100).toFixed(1)} %`,
);
for (const [name, values] of Object.entries(busy))
  console.log(`${name.padEnd(25)} ${spread(values)} ms a frame, main thread`);
await browser.close();
clearInterval(news);
await sockets.close();
server.close();

async function scroll(page: Page, cdp: CDPSession): Promise<number[]> {
  // Time that the thread worked, whatever else the machine does meanwhile.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(cdp);
  await page.evaluate(startFrames);
  await cdp.send('Input.synthesizeScrollGesture', {
    x: 800,
    y: 600,
    yDistance: -SCROLL_PX,
    speed: SCROLL_PX_PER_S,
    gestureSourceType: 'mouse',
  });
  const intervals = await page.evaluate(stopFrames);
  const after = await metrics(cdp);
  for (const [name, values] of Object.entries(busy))
    values.push((((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / Math.max(1, intervals.length));
  const top = await page.evaluate(() => document.querySelector('[role=grid]')?.scrollTop ?? 0);
  if (top < SCROLL_PX * 0.9) throw new Error(`The list scrolled only ${top} px.`);
  return intervals;
}

async function metrics(cdp: CDPSession): Promise<Map<string, number>> {
  const { metrics: all } = await cdp.send('Performance.getMetrics');
  return new Map(all.map(({ name, value }) => [name, value]));
}

/** Runs in the page before anything else: notes the frame in which the first row is on screen. */
function watchPaint(): void {
  const seen = new MutationObserver(() => {
    if (!document.querySelector('[role=row][aria-rowindex="2"]')) return;
    seen.disconnect();
    // The second frame begins when the first one with the row is painted.
    requestAnimationFrame(() => requestAnimationFrame((at) => Object.assign(window, { paintedAt: at })));
  });
  seen.observe(document, { childList: true, subtree: true });
}

async function paintedAfterAnswer(): Promise<number> {
  const marks = window as unknown as { paintedAt?: number };
  while (marks.paintedAt === undefined) await new Promise(requestAnimationFrame);
  const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const answered = asked.findLast((one) => one.name.endsWith('/devices/demo'))?.responseEnd ?? 0;
  return marks.paintedAt - answered;
}

/** Median, 95th, 99th percentile and largest. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(1)}`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', base);
  if (pathname === '/api/v1/devices/demo') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(list);
  } else if (pathname.startsWith('/api/')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(BESIDE.get(pathname.slice('/api/v1'.length)) ?? []));
  } else {
    const path = extname(pathname) === '' ? 'index.html' : normalize(pathname);
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(join(BUILD, path)));
  }
}

function buildDevice(index: number): DeviceSummary {
  const now = Date.now();
  const isOnline = index % 17 !== 0;
  const facts: DeviceFacts = {
    online: isOnline,
    wentBack: null,
    stateChangedAt: now - index * 1000,
    cloudLastDataAt: now - (index % 400) * 40_000,
    sourceLastDataAt: now - (index % 90) * 1000,
    clockOffsetS: (index % 13) / 10,
    cpuUsage: (index * 7) % 100,
    cpuTemp: 30 + (index % 80),
    memUsage: (index * 3) % 90,
    diskUsage: (index * 5) % 95,
    upTimeHours: index,
    os: index % 31 === 0 ? 'Debian GNU/Linux 9' : 'Debian GNU/Linux 12 (bookworm)',
    blackBoxAt: now - 60_000,
    version: '1.6.96',
    starts: 3,
    crashes: 0,
    pendingEvents: index % 50 === 0 ? 5000 : 3,
    configDiffersSince: null,
    fallbackError: null,
    gnat: false,
  };
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `Roof ${index} of a plant`,
    ced: index % 9 === 0,
    createdAt: now,
    notAfter: now + 1e10,
    quarantine: null,
    facts,
  };
}

/** A token as the server makes them; the page does not check its signature. */
function buildToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
    name: 'Bench',
    email: 'bench@albedo.local',
    iat: now,
    exp: now + 36_000,
    jti: 'bench',
    defaultWorkgroup: 'demo',
    memberOf: ['demo'],
    scopes: { demo: { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } } },
    staff: false,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
}
