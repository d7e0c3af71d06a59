/** Ways into the network of a device, with the real agent as a process of its own and real servers behind it. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OpenedTunnel } from '@albedo/contract/tunnels/tunnels.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { listenForTunnel, runTunnel } from '../apps/cloud/src/tunnels/tunnel-client.ts';
import { confirmed } from './harness/confirmed.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

const MB = 1024 * 1024;
const BIG = 100 * MB;
/** One piece, sent again and again. */
const PIECE = randomBytes(MB);

let cloud: TestCloud;
let agent: RealAgent;
let machine: Server;
let endless: TcpServer;
const local: TcpServer[] = [];
/** What the machine was asked with, newest last. */
const asked: { url: string; headers: IncomingHttpHeaders; hash?: string }[] = [];
let flooded = 0;

beforeAll(async () => {
  cloud = await startTestCloud();
  agent = await startRealAgent(cloud, 'Hilltop');
  machine = createServer(async (given, reply) => {
    const { url = '', headers } = given;
    if (given.method === 'PUT') {
      const hash = createHash('sha256');
      for await (const part of given) hash.update(part as Buffer);
      asked.push({ url, headers, hash: hash.digest('hex') });
      reply.end('taken');
      return;
    }
    asked.push({ url, headers });
    if (url === '/big') {
      for (let sent = 0; sent < BIG && !reply.destroyed; sent += MB)
        if (!reply.write(PIECE)) await roomIn(reply);
      reply.end();
      return;
    }
    const own = `http://127.0.0.1:${portOf(machine)}`;
    if (url === '/away') reply.writeHead(302, { location: `${own}/in?x=1` }).end();
    else {
      reply.setHeader('set-cookie', ['sid=1; Domain=127.0.0.1; Path=/', 'albedo_page=stolen']);
      reply.setHeader('strict-transport-security', 'max-age=1');
      reply.end(`inverter at ${headers.host}`);
    }
  });
  machine.on('upgrade', (given, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    asked.push({ url: given.url ?? '', headers: given.headers });
    socket.pipe(socket);
  });
  endless = createTcp((socket) => {
    socket.on('error', () => {});
    const flood = () => {
      while (!socket.destroyed && flooded < BIG) {
        flooded += PIECE.length;
        if (!socket.write(PIECE)) {
          socket.once('drain', flood);
          return;
        }
      }
    };
    flood();
  });
  for (const server of [machine, endless])
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
}, 180_000);
afterAll(async () => {
  for (const server of local) server.close();
  machine?.closeAllConnections();
  machine?.close();
  endless?.close();
  await agent?.stop();
  await cloud?.stop();
});

/** A reader that went has room for everything. */
const roomIn = (reply: ServerResponse) =>
  new Promise<void>((resolve) => {
    const go = () => {
      reply.off('drain', go).off('close', go);
      resolve();
    };
    reply.on('drain', go).on('close', go);
  });

const portOf = (server: TcpServer | Server): number => (server.address() as AddressInfo).port;
const onDevice = (path: string) => `devices/main/${agent.device.id}/${path}`;

async function open(body: object): Promise<OpenedTunnel> {
  // What is confirmed counts by the second.
  await new Promise((go) => setTimeout(go, 1100));
  const { status, body: opened } = await cloud.call('POST', onDevice('tunnels'), {
    token: await confirmed(cloud),
    body,
  });
  expect(status, JSON.stringify(opened)).toBe(200);
  return opened;
}

/** The client of the command line, in this process; what it says. */
async function listen(token: string) {
  const said: string[] = [];
  const options = { cloud: cloud.cloud.url, token, host: '127.0.0.1', port: 0 };
  const server = await listenForTunnel({ ...options, say: (line) => said.push(line) });
  local.push(server);
  return { port: portOf(server), said };
}

/** Nothing comes through, and the client says why; a connection from before may be what breaks first. */
async function refused({ port, said }: { port: number; said: string[] }, why: RegExp): Promise<void> {
  await expect
    .poll(async () => {
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
      return said.some((line) => why.test(line));
    })
    .toBe(true);
}

const closed = (id: string) =>
  cloud.cloud.features.sessions &&
  confirmed(cloud).then((token) => cloud.call('DELETE', onDevice(`tunnels/${id}`), { token }));

async function hashOf(url: string): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const reply = await fetch(url);
  for await (const part of reply.body ?? []) {
    hash.update(part);
    bytes += part.length;
  }
  return { hash: hash.digest('hex'), bytes };
}

const bigHash = () => {
  const hash = createHash('sha256');
  for (let sent = 0; sent < BIG; sent += MB) hash.update(PIECE);
  return hash.digest('hex');
};

/** Memory of the agent at its highest, bytes. */
const highest = (): number => {
  const status = readFileSync(`/proc/${agent.program.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
};

test('a tunnel takes a confirmation of its own, and is in the audit log before it carries anything', async () => {
  const stale = await cloud.call('POST', onDevice('tunnels'), {
    token: await confirmed(cloud, 600),
    body: { port: portOf(machine) },
  });
  expect(stale).toMatchObject({ body: { error: 'session.not_fresh' } });
  const { tunnel, token } = await open({ port: portOf(machine) });
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({
      controller: 'remote_tunnel',
      action: 'open',
      entity: tunnel.id,
      user_id: OWNER.email,
      new_value: `tcp 127.0.0.1:${portOf(machine)}`,
    }),
  );
  const { port, said } = await listen(token);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(`inverter at 127.0.0.1:${port}`);
  expect((await closed(tunnel.id)).body).toMatchObject({ id: tunnel.id, end: 'closed' });
  await refused({ port, said }, /This tunnel is over/);
  const listed = await cloud.call('GET', onDevice('tunnels'), { token: await confirmed(cloud) });
  expect(listed.body[0]).toMatchObject({ id: tunnel.id, by: OWNER.email, end: 'closed', connections: 1 });
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'remote_tunnel', action: 'close', new_value: 'closed' }),
  );
});

test('100 MB come and go whole without being kept in memory, and many connections run at a time', async () => {
  const { tunnel, token } = await open({ port: portOf(machine) });
  const { port } = await listen(token);
  const base = `http://127.0.0.1:${port}`;
  const before = highest();
  const expected = bigHash();
  expect(await hashOf(`${base}/big`)).toEqual({ hash: expected, bytes: BIG });
  const sent = new ReadableStream({
    start(controller) {
      for (let at = 0; at < 20; at++) controller.enqueue(PIECE);
      controller.close();
    },
  });
  const hash = createHash('sha256');
  for (let at = 0; at < 20; at++) hash.update(PIECE);
  await fetch(`${base}/take`, { method: 'PUT', body: sent, duplex: 'half' } as RequestInit);
  expect(asked.at(-1)).toMatchObject({ url: '/take', hash: hash.digest('hex') });
  const pages = await Promise.all(Array.from({ length: 30 }, async () => (await fetch(`${base}/`)).status));
  expect(pages.every((status) => status === 200)).toBe(true);
  // 120 MB went through.
  expect(highest() - before).toBeLessThan(96 * MB);
  await closed(tunnel.id);
}, 120_000);

test('who reads nothing holds the machine back, and what is cut in the middle ends at both ends', async () => {
  const { tunnel, token } = await open({ port: portOf(endless) });
  const { port } = await listen(token);
  flooded = 0;
  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {});
  reader.pause();
  await expect.poll(() => flooded, { timeout: 20_000 }).toBeGreaterThan(0);
  let last = -1;
  // It stands still once all buffers between are full.
  await expect
    .poll(
      () => {
        const stands = flooded === last;
        last = flooded;
        return stands;
      },
      { timeout: 20_000, interval: 1000 },
    )
    .toBe(true);
  expect(flooded).toBeLessThan(30 * MB);
  const ended = new Promise((done) => reader.once('close', done));
  reader.resume();
  await closed(tunnel.id);
  await ended;
  await expect
    .poll(() => new Promise((done) => endless.getConnections((_, open) => done(open))), { timeout: 20_000 })
    .toBe(0);
}, 90_000);

test('the plant decides where tunnels lead, and the cloud never hears of more', async () => {
  const { tunnel, token } = await open({ host: '8.8.8.8', port: 53 });
  const { port, said } = await listen(token);
  await refused({ port, said }, /does not connect to 8.8.8.8:53/);
  await closed(tunnel.id);
  const nobody = await open({ port: 1 });
  const dead = await listen(nobody.token);
  await refused(dead, /No connection to 127.0.0.1:1/);
  await closed(nobody.tunnel.id);
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** As a browser asks a page: by its host name, with its cookies. */
function ask(url: URL, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(cloud.cloud.url);
    request({ host: '127.0.0.1', port, path, headers: { host: url.host, ...headers } }, (reply) => {
      let text = '';
      reply.on('data', (part: Buffer) => {
        text += part.toString();
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

test('the page of a machine has a host name and a cookie of its own, and knows nothing of the app', async () => {
  const { tunnel, url: text } = await open({ kind: 'http', port: portOf(machine) });
  const url = new URL(text ?? '');
  expect(url.hostname).toMatch(/^[0-9a-f]{8}-[0-9a-f]{24}\.localhost$/);
  expect(await ask(url, '/')).toMatchObject({ status: 403 });
  const entered = await ask(url, url.pathname);
  const [cookie = ''] = entered.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^albedo_page=.+HttpOnly; SameSite=Strict/);
  const again = await ask(url, url.pathname);
  expect(again).toMatchObject({ status: 410, text: expect.stringContaining('it is good once') });
  const own = cookie.split(';')[0] ?? '';
  const page = await ask(url, '/status', {
    cookie: `a=b; ${own}`,
    origin: url.origin,
    referer: `${url.origin}/x`,
  });
  const machineOrigin = `http://127.0.0.1:${portOf(machine)}`;
  expect(page).toMatchObject({ status: 200, text: `inverter at 127.0.0.1:${portOf(machine)}` });
  expect(page.headers['set-cookie']).toEqual(['sid=1; Path=/']);
  expect(page.headers['strict-transport-security']).toBeUndefined();
  expect(asked.at(-1)?.headers).toMatchObject({
    cookie: 'a=b',
    origin: machineOrigin,
    referer: `${machineOrigin}/x`,
  });
  expect((await ask(url, '/away', { cookie: own })).headers.location).toBe('/in?x=1');
  // Nothing of the app answers there, and nothing of the page at the app.
  expect((await ask(url, '/api/v1/cloud', { cookie: own })).text).toMatch(/^inverter/);
  expect((await ask(new URL(cloud.cloud.url), '/status', { cookie: own })).text).not.toMatch(/inverter/);
  const echoed = await new Promise<string>((resolve, reject) => {
    const { port } = new URL(cloud.cloud.url);
    request({
      ...{ host: '127.0.0.1', port, path: '/live' },
      headers: { host: url.host, cookie: own, connection: 'Upgrade', upgrade: 'echo' },
    })
      .on('upgrade', (_reply, socket) => {
        socket.once('data', (part: Buffer) => {
          resolve(part.toString());
          socket.destroy();
        });
        socket.write('hello');
      })
      .on('error', reject)
      .end();
  });
  expect(echoed).toBe('hello');
  await closed(tunnel.id);
  expect(await ask(url, '/', { cookie: own })).toMatchObject({ status: 410 });
});

test('an owner ends all tunnels with one switch, and whoever lost the right reaches nothing more', async () => {
  const { token } = await open({ port: portOf(machine) });
  const { port, said } = await listen(token);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  const set = async (isAllowed: boolean) =>
    cloud.call('PUT', 'orgs/main/remote-access', { token: await confirmed(cloud), body: { isAllowed } });
  expect((await set(false)).status).toBe(200);
  await refused({ port, said }, /This tunnel is over/);
  const off = await cloud.call('POST', onDevice('tunnels'), {
    token: await confirmed(cloud),
    body: { port: 1 },
  });
  expect(off.body.error).toBe('remote_access.off');
  await set(true);
  const reader = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'controlDevices'] } });
  const lacks = await cloud.call('POST', onDevice('tunnels'), { token: reader, body: { port: 1 } });
  expect(lacks.body.error).toBe('access.permission_missing');
});

test('whoever has the repository has the client as a command', async () => {
  const { tunnel, token } = await open({ port: portOf(machine) });
  const command = join(import.meta.dirname, '../apps/cloud/src/albedo.ts');
  const client = spawn(process.execPath, [command, 'tunnel', cloud.cloud.url], {
    env: { ALBEDO_TUNNEL: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: client.stdout }), 'line');
  const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toMatch(/^inverter/);
  const ended = once(client, 'exit');
  client.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await closed(tunnel.id);
}, 60_000);

test('the command says at once what keeps it from leading anywhere', async () => {
  const said: string[] = [];
  const run = (token: string, ...args: string[]) => {
    vi.stubEnv('ALBEDO_TUNNEL', token);
    return runTunnel(args, (line) => said.push(line));
  };
  expect(await run('not a token', cloud.cloud.url)).toBe(1);
  expect(said.splice(0)).toEqual(['Refused: This tunnel is over. Open another one.']);
  expect(await run('any', 'http://127.0.0.1:1')).toBe(1);
  expect(said.splice(0)).toEqual([expect.stringMatching(/^No connection: /)]);
  const { tunnel, token } = await open({ port: portOf(machine) });
  const taken = portOf(machine);
  await expect(run(token, cloud.cloud.url, '--port', String(taken))).rejects.toThrow(
    `Something on this machine listens on port ${taken} already. Choose another one with --port.`,
  );
  const { body } = await cloud.call('GET', onDevice('tunnels'), { token: await confirmed(cloud) });
  expect(body.find(({ id }: { id: string }) => id === tunnel.id).connections).toBe(0);
  await closed(tunnel.id);
  expect(await run(token, cloud.cloud.url)).toBe(1);
  expect(said.splice(0)).toEqual(['Refused: This tunnel is over. Open another one.']);
  vi.unstubAllEnvs();
}, 60_000);

test('the client is one file that Node runs as it is', async () => {
  const reply = await fetch(`${cloud.cloud.url}/api/v1/tunnel-client`);
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(await reply.text()).not.toMatch(/interface ClientOptions|: Promise</);
});
