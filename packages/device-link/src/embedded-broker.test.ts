import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { topicOf } from '@albedo/contract/link/link.topics';
import { type Authority, type IssuedCertificate, openAuthority } from '@albedo/pki/authority';
import { certificateFacts } from '@albedo/pki/certificate';
import { connect as connectMqtt, type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type EmbeddedBroker, embeddedBroker } from './embedded-broker.ts';

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';

let folder = '';
let authority: Authority;
let one: IssuedCertificate;
let two: IssuedCertificate;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-link-'));
  authority = await openAuthority(join(folder, 'ours'));
  one = await authority.issueDevice(ONE, 'demo');
  two = await authority.issueDevice(TWO, 'demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

let broker: EmbeddedBroker;
let clients: MqttClient[] = [];
let lines: string[] = [];
let messages: string[] = [];
let presence: string[] = [];
let server: { certPem: string; keyPem: string };
const revoked = new Set<string>();

beforeEach(async () => {
  [clients, lines, messages, presence] = [[], [], [], []];
  await startBroker();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true)));
  await broker.stop();
  revoked.clear();
});

async function startBroker(): Promise<void> {
  server = await authority.serverCertificate(['localhost', '127.0.0.1']);
  const write = (facts: object, text: string) => lines.push(`${text} ${JSON.stringify(facts)}`);
  broker = embeddedBroker({
    host: '127.0.0.1',
    port: 0,
    caPem: authority.caPem,
    certificate: async () => server,
    crlPem: await authority.revocationList([]),
    isRevoked: (serial) => revoked.has(serial),
    log: { info: write, warn: write, error: write },
    handshakeMs: 500,
  });
  broker.onMessage((device, channel, payload) => messages.push(`${device} ${channel} ${payload}`));
  broker.onPresence((device, online) => presence.push(`${device} ${online}`));
  await broker.start();
}

/** A device's connection; it rejects when the broker does not let it in. */
async function connect(
  certificate: IssuedCertificate | null,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = connectMqtt({
    protocol: 'mqtts',
    host: '127.0.0.1',
    port: broker.port,
    ca: authority.caPem,
    ...(certificate && { cert: certificate.certPem, key: certificate.keyPem }),
    reconnectPeriod: 0,
    ...options,
  });
  clients.push(client);
  client.on('error', () => {});
  await new Promise<void>((done, fail) => {
    client.once('connect', () => done());
    client.once('close', () => fail(new Error('not let in')));
  });
  return client;
}

/** Serial number of the certificate that the broker shows, as `CertificateFacts.serial`. */
const shownSerial = () =>
  new Promise<string>((done, fail) => {
    const socket = connectTls({ host: '127.0.0.1', port: broker.port, ca: authority.caPem }, () => {
      done(socket.getPeerX509Certificate()?.serialNumber.toLowerCase() ?? '');
      socket.destroy();
    });
    socket.on('error', fail);
  });

/** Protocol and cipher that a device's connection with these options gets; null where there is none. */
const agreedOn = (options: object) =>
  new Promise<string | null>((done) => {
    const device = { ca: authority.caPem, cert: one.certPem, key: one.keyPem };
    const all = { host: '127.0.0.1', port: broker.port, ...device, ...options };
    const socket = connectTls(all, () => {
      done(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.on('error', () => done(null));
  });

test('the newest TLS is preferred, and older ones and weak ciphers are refused', async () => {
  expect(await agreedOn({})).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
  const old = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' };
  const strong = 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384';
  expect(await agreedOn({ ...old, ciphers: strong })).toBe('TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384');
  expect(await agreedOn({ ...old, ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA' })).toBeNull();
  const older = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  expect(await agreedOn(older)).toBeNull();
});

const closed = (client: MqttClient) => new Promise<void>((done) => client.once('close', () => done()));

test('what a device publishes on its own channels arrives with its name, and presence follows the connection', async () => {
  const client = await connect(one);
  await client.publishAsync(topicOf(ONE, 'batch'), 'hello', { qos: 1 });
  await client.publishAsync(topicOf(ONE, 'status'), 'well', { qos: 1 });
  expect(messages).toEqual([`${ONE} batch hello`, `${ONE} status well`]);
  expect(broker.online()).toEqual([ONE]);
  await client.endAsync();
  await vi.waitFor(() => expect(presence).toEqual([`${ONE} true`, `${ONE} false`]));
});

test('the cloud reaches a device on the channels that it has subscribed to', async () => {
  const client = await connect(one);
  const got: string[] = [];
  client.on('message', (topic, payload) => got.push(`${topic} ${payload}`));
  expect(await broker.publish(ONE, 'ack', 'too early')).toBe(false);
  await client.subscribeAsync([topicOf(ONE, 'ack'), topicOf(ONE, 'request')], { qos: 1 });
  expect(await broker.publish(ONE, 'ack', '1')).toBe(true);
  expect(await broker.publish(ONE, 'request', '2')).toBe(true);
  expect(await broker.publish(TWO, 'ack', '3')).toBe(false);
  await vi.waitFor(() => expect(got).toEqual([`${topicOf(ONE, 'ack')} 1`, `${topicOf(ONE, 'request')} 2`]));
});

test.each([
  topicOf(TWO, 'batch'),
  topicOf(ONE, 'ack'),
  'anything',
  '$SYS/x',
  topicOf(ONE, 'batch').toUpperCase(),
  `albedo/1/00/${ONE}/batch`,
])('publishing to %s ends the connection, reaches no one and is logged', async (topic) => {
  const client = await connect(one);
  const end = closed(client);
  client.publish(topic, 'x', { qos: 1 });
  await end;
  expect(messages).toEqual([]);
  expect(lines.join('\n')).toContain(`may not publish to that {"device":"${ONE}","topic":"${topic}"`);
});

test('an agent that knows no shards is refused, and the log says what to do', async () => {
  const topic = `albedo/1/${ONE}/state`;
  const will = { topic, payload: Buffer.from('offline'), qos: 1 as const, retain: true };
  await expect(connect(one, { will })).rejects.toThrow();
  expect(lines.join('\n')).toContain(`install it again from its pack {"device":"${ONE}"`);
});

test.each([
  '#',
  '+/+/+/+/+',
  '$SYS/#',
  topicOf(TWO, 'ack'),
  topicOf(TWO, 'state'),
  topicOf(ONE, 'batch'),
  `albedo/1/11/${ONE}/#`,
])('subscribing to %s is refused and logged', async (topic) => {
  const client = await connect(one);
  await expect(client.subscribeAsync(topic, { qos: 1 })).rejects.toThrow();
  expect(lines.join('\n')).toContain(`may not subscribe to that {"device":"${ONE}","topic":"${topic}"`);
});

test('a will on another topic than the own state is refused', async () => {
  const will = {
    topic: topicOf(TWO, 'state'),
    payload: Buffer.from('offline'),
    qos: 1 as const,
    retain: true,
  };
  await expect(connect(one, { will })).rejects.toThrow();
  const own = await connect(one, { will: { ...will, topic: topicOf(ONE, 'state') } });
  expect(own.connected).toBe(true);
});

test('a client id is worth nothing: it takes no session of another device', async () => {
  const first = await connect(one, { clientId: ONE });
  const second = await connect(two, { clientId: ONE });
  await second.publishAsync(topicOf(TWO, 'status'), 'I am two', { qos: 1 });
  expect(messages).toEqual([`${TWO} status I am two`]);
  expect(first.connected && second.connected).toBe(true);
  expect(broker.online().sort()).toEqual([ONE, TWO]);
});

test('a second connection with the same certificate takes the first one over, and presence does not flicker', async () => {
  const first = await connect(one, { clientId: 'a' });
  const end = closed(first);
  const second = await connect(one, { clientId: 'b' });
  await end;
  await second.publishAsync(topicOf(ONE, 'status'), 'x', { qos: 1 });
  expect(messages).toHaveLength(1);
  await second.endAsync();
  await vi.waitFor(() => expect(broker.online()).toEqual([]));
  expect(presence).toEqual([`${ONE} true`, `${ONE} false`]);
});

test.each([
  ['expired', () => authority.issueDevice(ONE, 'demo', { validityMs: -1000 }), /certificate has expired/],
  [
    'foreign',
    async () => (await openAuthority(join(folder, 'theirs'))).issueDevice(ONE, 'demo'),
    /certificate is foreign: another authority/,
  ],
  ['absent', async () => null, /no certificate/],
])('an %s certificate is refused with a line that names the device', async (_, certificate, line) => {
  await expect(connect(await certificate())).rejects.toThrow();
  await vi.waitFor(() => expect(lines.join('\n')).toMatch(line));
  if (await certificate()) expect(lines.join('\n')).toContain(ONE);
  expect(presence).toEqual([]);
});

test('the certificate of the server itself is none for a device', async () => {
  await expect(connect(await authority.serverCertificate(['localhost', '127.0.0.1']))).rejects.toThrow();
  await vi.waitFor(() => expect(lines.join('\n')).toContain('not made for a device'));
});

test('revoking ends the live connection, and the certificate is refused from then on, by list and by serial', async () => {
  const client = await connect(one);
  const end = closed(client);
  broker.replaceRevocations(await authority.revocationList([{ serial: one.serial, revokedAt: Date.now() }]));
  await broker.disconnect(ONE);
  await end;
  expect(presence).toEqual([`${ONE} true`, `${ONE} false`]);
  await expect(connect(one)).rejects.toThrow();
  expect(lines.join('\n')).toMatch(/certificate was revoked.*11111111/);
  expect((await connect(two)).connected).toBe(true);

  broker.replaceRevocations(await authority.revocationList([]));
  revoked.add(one.serial);
  await expect(connect(one)).rejects.toThrow();
  revoked.clear();
  expect((await connect(one)).connected).toBe(true);
});

test('a renewed certificate of the server is shown within a day, and no connection ends for it', async () => {
  await broker.stop();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  await startBroker();
  onTestFinished(() => void vi.useRealTimers());
  // Its pings would be timers of the same day.
  const client = await connect(one, { keepalive: 0 });
  const old = certificateFacts(server.certPem).serial;
  expect(await shownSerial()).toBe(old);
  const renewed = await authority.serverCertificate(['127.0.0.1']);
  server = renewed;
  await vi.advanceTimersByTimeAsync(86_400_000);
  await vi.waitFor(async () => expect(await shownSerial()).toBe(renewed.serial));
  await connect(two);
  expect(client.connected).toBe(true);
});

test('a message beyond the limit ends the connection and is logged', async () => {
  const client = await connect(one);
  const end = closed(client);
  client.publish(topicOf(ONE, 'batch'), Buffer.alloc(1_100_000), { qos: 1 });
  await end;
  expect(messages).toEqual([]);
  expect(lines.join('\n')).toContain('packet too large');
});

test('a half-open connection is offline after one and a half times its keepalive', async () => {
  const client = await connect(one, { keepalive: 1, reschedulePings: false });
  // From here on nothing more leaves the device, and its socket stays open.
  clearInterval(
    (client as unknown as { keepaliveManager: { timer?: NodeJS.Timeout } }).keepaliveManager.timer,
  );
  client.stream.cork();
  await vi.waitFor(() => expect(presence).toEqual([`${ONE} true`, `${ONE} false`]), { timeout: 4000 });
});

test('one refusal that repeats is logged once', async () => {
  for (let i = 0; i < 3; i++) await expect(connect(null)).rejects.toThrow();
  expect(
    lines.filter((line) => line.includes('no certificate') || line.includes('did not return')).length,
  ).toBe(1);
});

test('a client that speaks MQTT 5 is not let in', async () => {
  await expect(connect(one, { protocolVersion: 5 })).rejects.toThrow('not let in');
  expect(presence).toEqual([]);
});

test('a connection that says nothing, or stops in the middle of the handshake, is ended', async () => {
  for (const greeting of [null, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])]) {
    const socket = connectTcp(broker.port, '127.0.0.1');
    socket.on('error', () => {});
    if (greeting) socket.write(greeting);
    const closed = new Promise<string>((done) => socket.once('close', () => done('closed')));
    socket.resume();
    const late = new Promise<string>((done) => setTimeout(() => done('still open'), 5000).unref());
    expect(await Promise.race([closed, late])).toBe('closed');
  }
});

test('the link stops at once, whoever has connected and said nothing', async () => {
  const silent = connectTcp(broker.port, '127.0.0.1');
  await new Promise((done) => silent.once('connect', done));
  const ended = new Promise((done) => silent.on('error', () => {}).once('close', done));
  const began = performance.now();
  await broker.stop();
  await ended;
  expect(performance.now() - began).toBeLessThan(400);
});
