import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, type Page } from '@playwright/test';
import { deviceLink, openAs, test } from './pages.ts';
import { BASE } from './place.ts';
import { LIVING } from './product.ts';

/**
 * In the long form longer than the server waits for the body of a request to the app, and than it takes to notice, ms; that
 * it waits for pages without an end is shown by `slow-bodies.test.ts` too.
 */
const SLOW_MS = process.env.ALBEDO_TEST_LONG ? 95_000 : 2000;
const UPLOAD_BYTES = 48 * 1024 * 1024;

/** The page of an inverter: what it shows, a file that it takes its time for, and a live value. */
const PAGE = `<!doctype html><title>Inverter</title><h1>Inverter</h1>
<p>Live: <output id="live">…</output></p>
<p>Upload: <output id="upload">…</output></p>
<p>App: <output id="app">…</output></p>
<script>
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const socket = new WebSocket('ws://' + location.host + '/live');
  socket.onopen = () => socket.send('power?');
  socket.onmessage = ({ data }) => put('live', data);
  const upload = () => fetch('/firmware', { method: 'PUT', body: new Blob([new Uint8Array(${UPLOAD_BYTES})]) })
    .then((reply) => reply.text(), (error) => 'cut off: ' + error).then((text) => put('upload', text));
  const spy = () => fetch('${BASE}/api/v1/devices/demo', { credentials: 'include' })
    .then(() => 'reached', () => 'out of reach')
    .then((text) => put('app', text + ', ' + localStorage.length + ' things of the app, opener ' + window.opener));
</script>`;

let machine: Server;

test.beforeAll(async () => {
  machine = createServer((asked, reply) => {
    if (asked.method !== 'PUT') {
      reply.setHeader('content-type', 'text/html').end(PAGE);
      return;
    }
    let bytes = 0;
    // It takes what it is sent only after a while: all that is on the way waits.
    setTimeout(() => {
      asked.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      asked.on('end', () => reply.end(`took ${bytes} bytes`));
    }, SLOW_MS);
  });
  // The upload is this machine's business, however long it takes.
  machine.requestTimeout = 0;
  machine.on('upgrade', (asked, socket) => greet(asked.headers['sec-websocket-key'] ?? '', socket));
  await new Promise<void>((done) => machine.listen(0, '127.0.0.1', () => done()));
});
test.afterAll(() => {
  machine.closeAllConnections();
  machine.close();
});

/** As little of a WebSocket as says one thing: RFC 6455, sections 4.2.2 and 5.2. */
function greet(key: string, socket: Duplex): void {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.on('error', () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.once('data', () => {
    const text = Buffer.from('25 kW');
    socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
  });
}

async function openPage(page: Page, port: number): Promise<Page> {
  await page.getByRole('textbox', { name: 'Port' }).fill(String(port));
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  const link = page.getByRole('link', { name: 'Open the page' });
  const [shown] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await expect(shown.getByRole('heading', { name: 'Inverter' })).toBeVisible();
  return shown;
}

test('the page of a machine in the plant: live, with an upload of minutes, away from the app, and gone when closed', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/devices');
  await deviceLink(page, 'Hilltop').click();
  await page.getByRole('tab', { name: 'Tunnels' }).click();
  const shown = await openPage(page, (machine.address() as AddressInfo).port);
  const origin = new URL(shown.url()).hostname;
  expect(origin).toMatch(/^[0-9a-f]{8}-[0-9a-f]{24}\.localhost$/);
  await expect(shown.locator('#live')).toHaveText('25 kW');

  await shown.evaluate('spy()');
  await expect(shown.locator('#app')).toHaveText('out of reach, 0 things of the app, opener null');

  await shown.evaluate('void upload()');
  await expect(shown.locator('#upload')).toHaveText(`took ${UPLOAD_BYTES} bytes`, {
    timeout: SLOW_MS + 60_000,
  });

  // A second browser has the address and nothing else.
  const stranger = await page.context().browser()?.newContext();
  const other = await stranger?.newPage();
  expect((await other?.goto(shown.url()))?.status()).toBe(403);

  await page.bringToFront();
  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('row', { name: /http:\/\/127\.0\.0\.1/ }).getByText('Closed')).toBeVisible();
  expect((await shown.goto(shown.url()))?.status()).toBe(410);
});
