import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { API_PREFIX, type Endpoint } from '@albedo/contract/http/endpoint';
import { exampleParams } from '@albedo/contract/http/examples';
import { outboxStart } from '@albedo/contract/link/link.messages';
import { topicOf, UP_CHANNELS, type UpChannel } from '@albedo/contract/link/link.topics';
import { SOCKET_PATH } from '@albedo/contract/sockets/action';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { socketActions } from '../sockets/sockets.calls.ts';
import { BrowserSocket, ticketFor } from '../testing/browser-socket.ts';
import { connectAgent } from '../testing/fake-agent.ts';
import {
  deep,
  hostileSegment,
  hostileText,
  hostileValue,
  SEED,
  sampled,
  spoilt,
  toJson,
} from '../testing/hostile.ts';
import { everyEndpoint, IDENTITIES_ENV, identitiesOf } from '../testing/identities.ts';
import { buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { openAddons, type Thing, thingsOf } from '../testing/things-of.ts';

/**
 * Everything that can be reached from outside, with what nobody means well by: no answer is a failure of the server,
 * each comes in time, none shows anything of another workgroup, and afterwards the server answers as before.
 *
 * What is tried comes from a fixed seed; `ALBEDO_FUZZ_SEED` gives another one, `ALBEDO_FUZZ_TIMES` more of it, as the long
 * form does (`ALBEDO_TEST_LONG`).
 */
const TIMES = Number(process.env.ALBEDO_FUZZ_TIMES ?? (process.env.ALBEDO_TEST_LONG ? 8 : 2));
const WORD = 'only-theirs';
const ANSWER_MS = 25_000;
const LONG_MS = 30_000 + TIMES * 2000;
const endpoints = (await everyEndpoint())
  .filter(({ url }) => url !== '/auth/logout')
  // What others need goes last.
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

let cloud: TestCloud;
let things: Record<Thing, string>;
let foreign: string[] = [];
/** What the cloud logged as its own fault. */
const faults: string[] = [];
const log = pino(
  { level: process.env.TEST_LOG ?? 'error' },
  new Writable({
    write: (line: Buffer, _encoding, done) => {
      // Told loudly, but the fault of the device.
      if (!line.includes('used numbers twice')) faults.push(line.toString());
      done();
    },
  }),
);

beforeAll(async () => {
  process.stdout.write(`hostile values of the seed ${SEED}\n`);
  cloud = await startTestCloud(IDENTITIES_ENV, { log });
  buildAgent(cloud);
  const stranger = await cloud.newUser({ theirs: { role: 'owner' } });
  // What is done to the workgroup `main` must not end its devices' tests.
  await cloud.newUser({ plants: { role: 'owner' } });
  for (const workgroup of ['theirs', 'main']) await openAddons(cloud, workgroup);
  foreign = Object.values(await thingsOf(cloud, 'theirs', stranger, WORD));
  things = await thingsOf(cloud, 'main', await cloud.owner(), 'ours');
});
afterAll(() => cloud.stop());
afterEach(async () => {
  const logged = faults.splice(0);
  if (logged.length > 0) throw new Error(`the cloud logged faults of its own: ${logged.join('')}`);
  expect((await ask('GET', '/healthz')).status).toBe(200);
});

describe('every endpoint', () => {
  test.each(endpoints.map((one, at) => [`${one.method} ${one.url}`, one, at] as const))(
    '%s withstands hostile values',
    async (_name, endpoint, at) => {
      for (const attempt of attemptsAt(endpoint, at)) {
        const { status, text } = await ask(
          endpoint.method,
          attempt.path,
          await headersFor(endpoint),
          attempt,
        );
        const tried = `${endpoint.method} ${attempt.path.slice(0, 300)} ${String(attempt.body ?? '').slice(0, 300)}`;
        if (status >= 500) throw new Error(`${status} ${text} to ${tried}`);
        if (text.includes(WORD)) throw new Error(`another workgroup shows in the answer to ${tried}`);
      }
    },
    LONG_MS,
  );
});

interface Attempt {
  path: string;
  body?: string | Buffer;
  type?: string;
}

/** Parameters, query and body by turns; the rest stays as good as can be, so that the spoilt part is reached. */
function attemptsAt(endpoint: Endpoint, turn: number): Attempt[] {
  const good = endpoint.example?.body ?? {};
  const names = [...endpoint.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const takesBody = endpoint.method !== 'GET';
  const body = (value: unknown): Pick<Attempt, 'body'> => (takesBody ? { body: toJson(value) } : {});
  const attempts: Attempt[] = [];
  for (const [at, segment] of sampled(hostileSegment, names.length * 2, turn).entries())
    attempts.push({
      path: addressOf(endpoint, { [names[at % names.length] ?? '']: segment }),
      ...body(good),
    });
  const other = names.find((name) => Object.hasOwn(things, name));
  if (other) {
    const id = foreign[turn % foreign.length] ?? '';
    attempts.push({ path: addressOf(endpoint, { [other]: id }), ...body(good) });
  }
  const keys = keysOf(endpoint.schema.querystring);
  if (keys.length > 0) {
    const texts = sampled(hostileSegment, TIMES, turn);
    for (const [at, text] of texts.entries()) {
      const key = keys[at % keys.length];
      attempts.push({
        path: `${addressOf(endpoint)}?${key}=${text}${at % 3 ? '' : `&${key}=${text}&__proto__=1`}`,
      });
    }
  }
  // A file takes its time to be made, and is the same one.
  if (endpoint.produces) return attempts;
  if (!takesBody)
    return attempts.length > 0 ? attempts : [{ path: `${addressOf(endpoint)}?__proto__[a]=1&a=%00` }];
  for (const value of sampled(spoilt(good), TIMES, turn))
    attempts.push({ path: addressOf(endpoint), ...body(value) });
  for (const value of sampled(hostileValue, 2, turn))
    attempts.push({ path: addressOf(endpoint), ...body(value) });
  attempts.push({ path: addressOf(endpoint), ...body(deep(good)) });
  const raw = RAW[turn % RAW.length];
  if (raw) attempts.push({ path: addressOf(endpoint), ...raw });
  if (endpoint.consumes) attempts.push(...RAW.map((one) => ({ path: addressOf(endpoint), ...one })));
  return attempts;
}

/** Bodies that are no JSON. */
const RAW: Omit<Attempt, 'path'>[] = [
  { body: '', type: 'application/json' },
  { body: 'no form', type: 'multipart/form-data' },
  { body: '--a\r\n\r\n', type: 'multipart/form-data; boundary=a' },
  {
    body: '--a\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--a--\r\n',
    type: 'multipart/form-data; boundary=a',
  },
  {
    body: '--a\r\ncontent-disposition: form-data; name="files"; filename="../\0"\r\n\r\n<svg\r\n--a--\r\n',
    type: 'multipart/form-data; boundary=a',
  },
  { body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), type: 'application/json' },
  { body: `"${'x'.repeat(1_100_000)}"`, type: 'application/json' },
  { body: '{"a":', type: 'application/json' },
  { body: '<a/>', type: 'application/xml' },
  { body: '{}', type: 'application/json; charset=utf-7' },
  { body: 'SAMLResponse=%00&RelayState=__proto__', type: 'application/x-www-form-urlencoded' },
];

/** Ids of things that are there, unless others are given. */
function addressOf(endpoint: Endpoint, others: Readonly<Record<string, string>> = {}): string {
  const values: Record<string, string> = { ...exampleParams(endpoint), ...things, id: things.board };
  return (
    API_PREFIX + endpoint.url.replace(/:(\w+)/g, (_, name: string) => others[name] ?? values[name] ?? '')
  );
}

function keysOf(schema: unknown): string[] {
  const shape = (schema as { shape?: Record<string, unknown> } | undefined)?.shape;
  return Object.keys(shape ?? {});
}

const CALLERS: Readonly<Record<string, string>> = {
  public: 'nobody',
  staff: 'provider staff',
  addonManager: 'an addon manager',
  apiToken: 'an API token',
  oneTimeCode: 'a login token',
  enrolling: 'an enrolment token',
};
const tokens = new Map<string, string | undefined>();
let calls = 0;
let csrf: Record<string, string> | null = null;

/** A caller who may, with a session that still lasts and an address that nobody counted yet. */
async function headersFor({ access }: Endpoint): Promise<Record<string, string>> {
  const name = CALLERS[access.who.kind] ?? 'the owner';
  const { sessions } = cloud.cloud.features;
  const kept = tokens.get(name);
  const isGood =
    kept !== undefined &&
    (await sessions.verify(kept).then(
      () => true,
      () => false,
    ));
  if (!isGood) tokens.set(name, await identitiesOf(() => cloud)[name]?.());
  if (csrf === null) {
    const { headers } = await fetch(`${cloud.cloud.url}${API_PREFIX}/version`);
    const given = /XSRF-TOKEN=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
    csrf = { cookie: `XSRF-TOKEN=${given}`, 'x-xsrf-token': given };
  }
  const token = tokens.get(name);
  calls++;
  return {
    ...csrf,
    'x-forwarded-for': `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    ...(token === undefined ? {} : { authorization: `bearer ${token}` }),
  };
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  { body, type = 'application/json' }: Pick<Attempt, 'body' | 'type'> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(cloud.cloud.url);
    const length =
      body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const request = httpRequest({ method, hostname, port, path, agent, headers: { ...headers, ...length } });
    request.setTimeout(ANSWER_MS, () => request.destroy(new Error(`${method} ${path.slice(0, 200)} hangs`)));
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
    });
    // A body that is refused while it comes: the answer is what counts.
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 400, text: '' });
      else reject(error);
    });
    request.end(body);
  });
}

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['a line of NULs', '\0\0\0\0\r\n\r\n'],
  ['a header without an end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(600_000)}`],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  [
    'a chunk without an end',
    'POST /api/v1/forgot HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  ],
  [
    'an upgrade to nothing',
    'GET /x HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: __proto__\r\n\r\n',
  ],
  ['a host of nobody', 'GET /__proto__ HTTP/1.1\r\nhost: constructor\r\nconnection: close\r\n\r\n'],
])('%s over TCP is answered or hung up on', async (_what, text) => {
  const socket = connect(Number(new URL(cloud.cloud.url).port), 'localhost');
  const answer = await new Promise<string>((resolve) => {
    let heard = '';
    socket.on('data', (part) => {
      heard += part.toString('latin1');
    });
    socket.on('error', () => resolve(heard));
    socket.on('close', () => resolve(heard));
    socket.write(text, 'latin1');
  });
  expect(answer).not.toMatch(/^HTTP\/1.1 5/);
});

describe('the socket', () => {
  const handshakes = sampled(hostileText, 20, 1);
  test.each(['orgName', 'token', 'EIO', 'sid'])('is refused or opened with a hostile %s', async (key) => {
    const token = await ticketFor(cloud.cloud.url, await cloud.owner());
    for (const text of handshakes) {
      const query = new URLSearchParams({
        EIO: '4',
        transport: 'websocket',
        token: String(token),
        orgName: 'main',
      });
      query.set(key, text.slice(0, 2000));
      await greeted(`?${query}`);
    }
    await greeted(`?EIO=4&transport=websocket&orgName=a&orgName=b&token=a&token=b`);
  });

  test('hangs up on frames that nobody speaks', async () => {
    for (const frame of [
      '',
      '4',
      '42',
      '42[',
      '42["',
      '451-',
      '42{"__proto__":1}',
      '40/admin,',
      'x'.repeat(2e6),
    ])
      await greeted(`?EIO=4&transport=websocket&orgName=main&token=a`, frame);
  });

  test('answers every action with hostile requests', { timeout: LONG_MS }, async () => {
    let socket = await opened();
    for (const [turn, name] of [...Object.keys(socketActions), '__proto__', 'toString', ''].entries()) {
      const good = {
        deviceId: things.device,
        table: 'data',
        source: 'data',
        sessionId: things.search,
        from: 0,
      };
      const requests = [
        ...sampled(spoilt(good), TIMES * 3, turn).map((one) => ({ ...good, ...(one as object) })),
        ...sampled(hostileValue, TIMES, turn).map((value) => ({ ...good, deviceId: value })),
      ];
      for (const request of requests) {
        if (!socket.socket.connected) socket = await opened();
        const reply = await within(
          socket.call(name, JSON.parse(JSON.stringify(request))),
          `${name} ${toJson(request)}`,
        );
        expect([request, reply.error?.code]).not.toEqual([request, 500]);
        expect(JSON.stringify(reply)).not.toContain(WORD);
      }
      for (const value of sampled(hostileValue, TIMES, turn)) socket.socket.emit(name, value, value);
    }
    socket.close();
  });

  const opened = async () =>
    new BrowserSocket(cloud, { token: await cloud.owner(), orgName: 'main' }).connected();

  /** Until the server says something or hangs up. */
  const greeted = (query: string, frame = '40{}') =>
    within(
      new Promise<void>((resolve) => {
        const socket = new WebSocket(`${cloud.cloud.url.replace('http', 'ws')}${SOCKET_PATH}/${query}`);
        socket.onopen = () => socket.send(frame);
        socket.onerror = () => resolve();
        socket.onclose = () => resolve();
        socket.onmessage = ({ data }) => {
          // After the greeting of the transport comes the answer.
          if (!String(data).startsWith('0')) socket.close();
        };
        setTimeout(() => socket.close(), 300);
      }),
      query,
    );
});

describe('the device link', () => {
  const row = [outboxStart(Date.now()), Date.now(), 1];
  const batch = {
    v: 1,
    outbox: 'a',
    epochs: [['a', outboxStart(Date.now())]],
    streams: [{ table: 'data', source: 's', fields: [{ name: 'v', type: 'decimal' }], rows: [row] }],
    gaps: [
      {
        from: 1,
        to: 2,
        table: 'data',
        source: 's',
        cause: 'set_aside',
        events: 1,
        firstEventAt: 1,
        lastEventAt: 2,
      },
    ],
  };
  const good: Partial<Record<UpChannel, unknown>> = {
    batch,
    state: { state: 'online', session: 'a', at: Date.now() },
    status: { at: Date.now(), outbox: { name: 'a', first: 1, last: 2, events: 1, bytes: 1 } },
    meta: { hostname: 'a', interfaces: [], sources: [] },
    live: { table: 'data', source: 's', fields: [{ name: 'v', type: 'decimal' }], row },
    reply: { requestId: 'a', ok: true, data: {} },
    answer: { id: 'a', data: {} },
  };
  const frames = [
    '',
    '{',
    'null',
    Buffer.from([0xff, 0xfe, 0]),
    '['.repeat(300_000),
    Buffer.concat([zstdCompressSync('{"v":1}').subarray(0, 12), Buffer.alloc(50)]),
  ];

  test.each(UP_CHANNELS)('takes what is hostile on %s and hears the next message', async (channel) => {
    let agent = await connectAgent(cloud, 'plants', randomUUID());
    const turn = UP_CHANNELS.indexOf(channel);
    const texts = [
      ...sampled(spoilt(good[channel] ?? {}), TIMES * 5, turn),
      ...sampled(hostileValue, TIMES, turn),
      deep(good[channel] ?? {}),
    ].map(toJson);
    for (const payload of [...texts, ...frames])
      for (const sent of channel === 'batch' ? [payload, zstdCompressSync(payload)] : [payload]) {
        if (!agent.isConnected) agent = await connectAgent(cloud, 'plants', randomUUID());
        await within(
          agent.publishRaw(topicOf(agent.id, channel), sent).catch(() => {}),
          `${channel} ${payload}`,
        );
      }
    if (!agent.isConnected) agent = await connectAgent(cloud, 'plants', randomUUID());
    await agent.send([
      { table: 'data', source: 's', fields: [{ name: 'v', type: 'decimal' }], rows: [[Date.now(), 1]] },
    ]);
    await within(agent.acknowledged(), 'the acknowledgement');
    await agent.leave();
  });

  test('hangs up on who publishes to what is not theirs', { timeout: LONG_MS }, async () => {
    for (const topic of [
      ...sampled(hostileText, TIMES * 2, 3),
      topicOf(foreign[0] ?? '', 'batch'),
      '$SYS/a',
      'albedo/1',
    ]) {
      const agent = await connectAgent(cloud, 'plants', randomUUID());
      await within(
        agent.publishRaw(topic.replace(/[#+]/g, '') || 'a', '{}').catch(() => {}),
        topic,
      );
      await agent.leave();
    }
  });
});

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what.slice(0, 500)} hangs`)), ANSWER_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
