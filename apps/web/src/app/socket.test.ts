// @vitest-environment node
import type { Server, Socket } from 'socket.io';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { doubtReach } from './reach.ts';
import { getSession, signIn } from './session.ts';
import {
  connectSocket,
  disconnectSocket,
  isLive,
  onConnected,
  onEvent,
  request,
  subscribe,
} from './socket.ts';
import { startSocketServer } from './test-socket.ts';

/** Generous, for machines that are busy with other tests. */
const patience = { timeout: 10_000 };
const deviceId = '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11';
let io: Server;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  io = await startSocketServer();
  io.on('connection', (socket) => sockets.push(socket));
});

afterEach(async () => {
  disconnectSocket();
  await io.close();
  vi.unstubAllGlobals();
});

async function connect(): Promise<Socket> {
  const connected = new Promise<void>((resolve) => {
    const stop = onConnected(() => {
      queueMicrotask(() => stop());
      resolve();
    });
  });
  connectSocket(async () => 'ticket-1', 'demo');
  await connected;
  return (await vi.waitUntil(() => sockets.at(-1), patience)) as Socket;
}

test('the connection says who one is and which workgroup one looks at', async () => {
  const server = await connect();
  expect(server.handshake.query).toMatchObject({ token: 'ticket-1', orgName: 'demo' });
});

test('a request ends with the last of its replies, and others are not taken for it', async () => {
  const server = await connect();
  server.on('device:watch', ({ requestId }) => {
    server.emit('device:watch', { requestId: 'of-somebody-else', complete: true, data: { foreign: true } });
    server.emit('device:watch', { requestId, data: { part: 1 } });
    server.emit('device:watch', { requestId, complete: true, data: { part: 2 } });
  });
  expect(await request('device:watch', { deviceId })).toEqual({ part: 2 });
});

test('what was given up before there was a connection is not sent', async () => {
  const watched: string[] = [];
  io.on('connection', (socket) =>
    socket.on('device:watch', (message) => {
      watched.push(message.deviceId);
      socket.emit('device:watch', { requestId: message.requestId, complete: true, data: {} });
    }),
  );
  connectSocket(async () => 'ticket-1', 'demo');
  const gone = new AbortController();
  const givenUp = request('device:watch', { deviceId: 'gone' }, { signal: gone.signal });
  const watching = request('device:watch', { deviceId });
  gone.abort();
  await expect(givenUp).rejects.toThrow('Aborted');
  await watching;
  expect(watched).toEqual([deviceId]);
});

test('a failed, a silent and a cut off request each say so', async () => {
  const server = await connect();
  server.on('device:cmd', ({ requestId }) =>
    server.emit('device:cmd', { requestId, complete: true, error: { message: 'The device is offline' } }),
  );
  await expect(request('device:cmd', { deviceId, cmd: 'uptime' })).rejects.toThrow('The device is offline');
  await expect(request('device:watch', { deviceId }, { timeoutMs: 20 })).rejects.toThrow(
    'Timeout on device:watch',
  );
  const cutOff = request('device:watch', { deviceId });
  server.disconnect(true);
  await expect(cutOff).rejects.toThrow('Socket disconnected');
});

test('a connection that still seems open ends when the server says nothing any more, and begins again', async () => {
  await connect();
  vi.stubGlobal('fetch', async () => new Response('{}'));
  await doubtReach();
  expect(isLive()).toBe(true);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await doubtReach();
  expect(isLive()).toBe(false);
  await vi.waitUntil(() => sockets.length === 2 && isLive(), patience);
});

test('after a broken connection events arrive again, and feeds are asked for again', async () => {
  const feeds: string[] = [];
  io.on('connection', (socket) => socket.on('device:feed', ({ source }) => feeds.push(source)));
  const states: boolean[] = [];
  onEvent('device:stateChange', ({ online }) => states.push(online));
  const server = await connect();
  const stop = subscribe(
    'device:feed',
    { deviceId, table: 'solar', source: 'inv-01' },
    () => {},
    () => {},
  );
  await vi.waitUntil(() => feeds.length === 1, patience);
  server.conn.close();
  await vi.waitUntil(() => feeds.length === 2, patience);
  sockets.at(-1)?.emit('device:stateChange', { deviceId, online: true, at: 1 });
  await vi.waitUntil(() => states.length === 1, patience);
  stop();
});

test.each(['invalid_token', 'unauthorised'])('a server that answers %s ends the session', async (refusal) => {
  const now = Math.floor(Date.now() / 1000);
  const scope = { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
  const claims = {
    _id: deviceId,
    exp: now + 600,
    iat: now,
    scopes: { demo: scope },
    defaultWorkgroup: 'demo',
  };
  signIn(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`);
  io.use((_, next) => next(new Error(refusal)));
  connectSocket(async () => 'ticket-1', 'demo');
  await vi.waitUntil(() => getSession() === null, patience);
});
