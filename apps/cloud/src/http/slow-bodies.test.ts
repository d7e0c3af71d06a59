import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundBodies } from './slow-bodies.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(): Promise<number> {
  server = createServer((asked, reply) => {
    asked.on('error', () => {});
    asked.resume().on('end', () => reply.end('all of it'));
  });
  boundBodies(server, { plain: 100, form: 2000 });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return (server.address() as AddressInfo).port;
}

/** Sends a body whose second half comes after so long; the status. */
function send(port: number, type: string, pauseMs: number): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': type } });
    asked.on('response', (reply) => resolve(reply.resume().statusCode ?? 0));
    asked.on('error', (error) => resolve(error.message));
    asked.write('half');
    setTimeout(() => asked.end('half'), pauseMs);
  });
}

test('a body that does not arrive is not waited for; a form has longer, and what arrives is not cut off', async () => {
  const port = await listen();
  const [slow, form, quick] = await Promise.all([
    send(port, 'application/json', 600),
    send(port, 'multipart/form-data; boundary=x', 600),
    send(port, 'application/json', 0),
  ]);
  expect([slow, form, quick]).toEqual([408, 200, 200]);
});

test('the server itself has no limit, which would hold for the pages of machines too', async () => {
  const { createHttp } = await import('./server.ts');
  server = createServer();
  const app = await createHttp({
    log: (await import('pino')).pino({ level: 'silent' }),
    guard: {} as never,
    csrfSecret: Buffer.alloc(32),
    redis: null,
    isHttps: false,
    trustedProxies: [],
  });
  expect(app.server.requestTimeout).toBe(0);
  await app.close();
});
