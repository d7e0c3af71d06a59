/**
 * How long the global search takes over many devices: from the end of the debounce to painted results, while facts of
 * the devices keep arriving. It serves the real build of the web (`npm run build -w apps/web`) with a synthetic list.
 *
 * Run: `node bench/search.web.ts [devices]`. Needs a Chromium (CHROMIUM_PATH, else /usr/bin/chromium).
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SOCKET_PATH } from '@albedo/contract/sockets/action';
import { Server } from 'socket.io';
import { openBrowser } from './browser.web.ts';
import { percentile } from './percentile.ts';

const COUNT = Number(process.argv[2] ?? 10_000);
const BUILD = process.env.WEB_BUILD ?? join(import.meta.dirname, '../apps/web/dist');
const AIM_MS = 50;
const DEBOUNCE_MS = 200;
const ROUNDS = 5;
const TEXTS = [
  'roof',
  'roof 77',
  '9',
  'plant inverter',
  '00000000-0000-4000-8000-0000000000',
  'nothing has this',
];
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const now = Date.now();
const devices = Array.from({ length: COUNT }, (_, index) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: `Roof ${index} of a plant, inverter ${index % 40}`,
  ced: false,
  createdAt: now,
  notAfter: now + 1e10,
  facts: { online: true, stateChangedAt: now },
}));
const list = gzipSync(JSON.stringify(devices));
const WORKGROUPS = [
  { name: 'demo', displayName: 'Demo', theme: null, idpId: null, addons: [], settings: {} },
];
const server = createServer(answer);
const sockets = new Server(server, { path: SOCKET_PATH, transports: ['websocket'] });
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
let turn = 0;
const news = setInterval(() => {
  const changes = Array.from({ length: Math.ceil(COUNT / 120) }, () => ({
    deviceId: devices[turn++ % COUNT]?.id,
    facts: { online: true, cpuUsage: Math.random() * 100 },
  }));
  sockets.emit('device:facts', changes);
}, 250);
const browser = await openBrowser('--disable-gpu');
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`localStorage.setItem('albedo.token', ${JSON.stringify(buildToken())})`);
  const page = await context.newPage();
  await page.goto(`${base}/profile`);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.waitFor();
  await page.waitForTimeout(1500);
  const all: number[] = [];
  for (const text of TEXTS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await field.fill('');
      await page.waitForTimeout(DEBOUNCE_MS * 2);
      times.push((await page.evaluate(typeAndWait, text)) - DEBOUNCE_MS);
    }
    all.push(...times);
    const p50 = percentile(times, 0.5).toFixed(1);
    console.log(`${text.padEnd(36)} p50 ${p50} ms, max ${Math.max(...times).toFixed(1)} ms`);
  }
  const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)].map((ms) => ms.toFixed(1));
  console.log(`${COUNT} devices: p50 ${p50} ms, p95 ${p95} ms after the debounce (aim ${AIM_MS} ms)`);
} finally {
  await browser.close();
  clearInterval(news);
  await sockets.close();
  server.close();
}

/** Runs in the page: puts the text into the field, and answers the ms until its results are painted. */
async function typeAndWait(text: string): Promise<number> {
  const field = document.querySelector<HTMLInputElement>('[role=combobox]');
  const dialog = field?.closest('[role=dialog]');
  if (!field || !dialog) throw new Error('The search is not open.');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  const results = () => dialog.querySelector('[role=grid]')?.getAttribute('aria-rowcount');
  const notice = () => dialog.querySelector('[role=status]')?.textContent;
  const before = `${results()} ${notice()}`;
  const began = performance.now();
  set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  while (`${results()} ${notice()}` === before) {
    if (performance.now() - began > 5000) throw new Error(`No results for ${text}.`);
    await new Promise(requestAnimationFrame);
  }
  // The second frame begins when the first one with the results is painted.
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', base);
  if (pathname === '/api/v1/devices/demo') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(list);
  } else if (pathname.startsWith('/api/')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(pathname === '/api/v1/orgs' ? JSON.stringify(WORKGROUPS) : '[]');
  } else {
    const path = extname(pathname) === '' ? 'index.html' : normalize(pathname);
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(join(BUILD, path)));
  }
}

/** A token as the server makes them; the page does not check its signature. */
function buildToken(): string {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = {
    _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
    name: 'Bench',
    email: 'bench@albedo.local',
    iat: seconds,
    exp: seconds + 36_000,
    jti: 'bench',
    defaultWorkgroup: 'demo',
    memberOf: ['demo'],
    scopes: { demo: { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } } },
    staff: false,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
}
