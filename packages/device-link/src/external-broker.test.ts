import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARDS, topicOf } from '@albedo/contract/link/link.topics';
import { type Authority, type IssuedCertificate, openAuthority } from '@albedo/pki/authority';
import { connect as connectMqtt, type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceLink } from './device-link.ts';
import { externalBroker } from './external-broker.ts';

const MOSQUITTO = '/usr/sbin/mosquitto';
const DEPLOY = join(import.meta.dirname, '../../../deploy/mosquitto');
const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';

const isInstalled = existsSync(MOSQUITTO);
if (!isInstalled)
  console.log(
    'Skipped: the external broker, because Mosquitto is not installed (apt-get install mosquitto).',
  );

/** Any port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

describe.runIf(isInstalled)('Mosquitto with the configuration of deploy/mosquitto', () => {
  let folder = '';
  let port = 0;
  let authority: Authority;
  let one: IssuedCertificate;
  let two: IssuedCertificate;
  let clouds: IssuedCertificate[] = [];
  let mosquitto: ChildProcess;

  async function startMosquitto(): Promise<void> {
    mosquitto = spawn(MOSQUITTO, ['-c', join(folder, 'albedo.conf')], { stdio: 'ignore' });
    await vi.waitFor(() => expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('running'), {
      timeout: 5000,
    });
  }

  async function stopMosquitto(): Promise<void> {
    mosquitto.kill();
    await once(mosquitto, 'exit');
    writeFileSync(join(folder, 'log'), '');
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'albedo-mosquitto-'));
    port = await freePort();
    authority = await openAuthority(join(folder, 'ca'));
    [one, two] = [await authority.issueDevice(ONE, 'demo'), await authority.issueDevice(TWO, 'demo')];
    const names = ['albedo-cloud-1', 'albedo-cloud-2'];
    clouds = await Promise.all(names.map((name) => authority.issueDevice(name, 'albedo')));
    const server = await authority.serverCertificate(['localhost', '127.0.0.1']);
    const file = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o644 });
    file('ca.crt', authority.caPem);
    file('server.crt', server.certPem);
    file('server.key', server.keyPem);
    file('crl.pem', await authority.revocationList([]));
    file('log', '');
    file('albedo.acl', readFileSync(join(DEPLOY, 'albedo.acl'), 'utf8'));
    const conf = readFileSync(join(DEPLOY, 'albedo.conf'), 'utf8')
      .replace('listener 8883', `listener ${port} 127.0.0.1\nuser root\nlog_dest file ${join(folder, 'log')}`)
      .replaceAll('/etc/mosquitto/albedo/', `${folder}/`)
      .replace('/var/lib/mosquitto/', `${folder}/`);
    file('albedo.conf', conf);
    await startMosquitto();
  });
  afterAll(async () => {
    await stopMosquitto();
    rmSync(folder, { recursive: true });
  });

  let link: DeviceLink;
  let clients: MqttClient[] = [];
  let messages: string[] = [];
  let presence: string[] = [];
  const lines: string[] = [];
  const revoked = new Set<string>();

  beforeEach(async () => {
    [clients, messages, presence] = [[], [], []];
    link = makeLink();
    await link.start();
    await link.listen(SHARDS);
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await link.stop();
  });

  function makeLink(unheardMs = 45_000): DeviceLink {
    const write = (facts: object, text: string) => lines.push(`${text} ${JSON.stringify(facts)}`);
    const made = externalBroker({
      url: `mqtts://127.0.0.1:${port}`,
      caPem: [authority.caPem],
      identity: async (place) => ({
        clientId: `albedo-cloud-${place}`,
        certPem: clouds[place - 1]?.certPem ?? '',
        keyPem: clouds[place - 1]?.keyPem ?? '',
      }),
      unheardMs,
      refusalOf: (device) => (revoked.has(device) ? 'its certificate was revoked' : null),
      log: { info: write, warn: write, error: write },
    });
    made.onMessage((device, channel, payload) => messages.push(`${device} ${channel} ${payload}`));
    made.onPresence((device, online) => presence.push(`${device} ${online}`));
    return made;
  }

  async function connect(certificate: IssuedCertificate, options: IClientOptions = {}): Promise<MqttClient> {
    const client = connectMqtt({
      protocol: 'mqtts',
      host: '127.0.0.1',
      port,
      ca: authority.caPem,
      cert: certificate.certPem,
      key: certificate.keyPem,
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

  const state = (device: string, what: 'online' | 'offline', session: string) => ({
    topic: topicOf(device, 'state'),
    payload: Buffer.from(JSON.stringify({ state: what, session, at: 1 })),
    qos: 1 as const,
    retain: true,
  });

  /** An agent: will, then the retained state. */
  async function agent(certificate: IssuedCertificate, device: string, session: string): Promise<MqttClient> {
    const client = await connect(certificate, { will: state(device, 'offline', session) });
    const online = state(device, 'online', session);
    await client.publishAsync(online.topic, online.payload, { qos: 1, retain: true });
    return client;
  }

  test('messages go both ways', async () => {
    const client = await connect(one);
    const got: string[] = [];
    client.on('message', (topic, payload) => got.push(`${topic} ${payload}`));
    await client.subscribeAsync([topicOf(ONE, 'ack'), topicOf(ONE, 'request')], { qos: 1 });
    await client.publishAsync(topicOf(ONE, 'batch'), 'hello', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${ONE} batch hello`]));
    expect(await link.publish(ONE, 'ack', 'thanks')).toBe(true);
    await vi.waitFor(() => expect(got).toEqual([`${topicOf(ONE, 'ack')} thanks`]));
  });

  test('presence follows the retained state and the will, also of a connection that was taken over', async () => {
    const first = await agent(one, ONE, 'a');
    await vi.waitFor(() => expect(presence).toEqual([`${ONE} true`]));
    const second = await agent(one, ONE, 'b');
    await vi.waitFor(() => expect(first.connected).toBe(false));
    second.stream.destroy();
    await vi.waitFor(() => expect(presence.at(-1)).toBe(`${ONE} false`));
    expect(link.online()).toEqual([]);
  });

  test('a device that is online by hearsay only is not online for long', async () => {
    const silent = await agent(one, ONE, 'a');
    const talking = await agent(two, TWO, 'b');
    await vi.waitFor(() => expect(link.online()).toHaveLength(2));
    await link.stop();
    link = makeLink(1500);
    await link.start();
    await link.listen(SHARDS);
    await vi.waitFor(() => expect(link.online()).toHaveLength(2));
    await talking.publishAsync(topicOf(TWO, 'status'), 'here', { qos: 1 });
    await vi.waitFor(() => expect(presence.at(-1)).toBe(`${ONE} false`), { timeout: 5000 });
    expect(link.online()).toEqual([TWO]);
    await silent.publishAsync(topicOf(ONE, 'status'), 'late', { qos: 1 });
    const again = state(ONE, 'online', 'a');
    await silent.publishAsync(again.topic, again.payload, { qos: 1, retain: true });
    await vi.waitFor(() => expect(link.online().sort()).toEqual([ONE, TWO]));
  });

  test('a device that speaks is online, also where nothing was heard of its coming', async () => {
    const client = await connect(one, { will: state(ONE, 'offline', 'a') });
    await client.publishAsync(topicOf(ONE, 'batch'), 'hello', { qos: 1 });
    await vi.waitFor(() => expect(presence.at(-1)).toBe(`${ONE} true`));
    client.stream.destroy();
    await vi.waitFor(() => expect(presence.at(-1)).toBe(`${ONE} false`));
  });

  test('a device that is let in again is asked to speak, and is online once it does', async () => {
    const client = await connect(one);
    const asked: string[] = [];
    client.on('message', (_, payload) => asked.push(`${payload}`));
    await client.subscribeAsync(topicOf(ONE, 'ack'), { qos: 1 });
    await link.disconnect(ONE);
    await link.readmit(ONE);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(JSON.parse(asked[0] ?? '')).toMatchObject({ isNewListener: true });
    await client.publishAsync(topicOf(ONE, 'status'), '{}', { qos: 1 });
    await vi.waitFor(() => expect(presence.at(-1)).toBe(`${ONE} true`));
  });

  test('a revoked device is offline at once and is not listened to, whatever the broker lets through', async () => {
    const client = await agent(one, ONE, 'a');
    await vi.waitFor(() => expect(link.online()).toEqual([ONE]));
    revoked.add(ONE);
    await link.disconnect(ONE);
    expect(presence.at(-1)).toBe(`${ONE} false`);
    await client.publishAsync(topicOf(ONE, 'batch'), 'too late', { qos: 1 });
    await (await connect(two)).publishAsync(topicOf(TWO, 'batch'), 'fine', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${TWO} batch fine`]));
    revoked.clear();
  });

  test('a device reaches nothing but its own channels', async () => {
    const client = await connect(one);
    const got: string[] = [];
    client.on('message', (topic, payload) => got.push(`${topic} ${payload}`));
    // Mosquitto takes the subscription and holds back what it must not deliver.
    await client.subscribeAsync([topicOf(TWO, 'ack'), '#', topicOf(ONE, 'ack')], { qos: 1 });
    await link.publish(TWO, 'ack', 'for two');
    await link.publish(ONE, 'ack', 'for one');
    await vi.waitFor(() => expect(got).toContain(`${topicOf(ONE, 'ack')} for one`));
    expect(got.filter((message) => !message.startsWith(topicOf(ONE, 'ack')))).toEqual([]);
    await client.publishAsync(topicOf(TWO, 'batch'), 'forged', { qos: 1 });
    await client.publishAsync(topicOf(ONE, 'batch'), 'own', { qos: 1 });
    await client.publishAsync(`albedo/1/22/${ONE}/batch`, 'in the shard of another', { qos: 1 });
    await client.publishAsync(topicOf(ONE, 'status'), 'after', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${ONE} batch own`, `${ONE} status after`]));
  });

  test('an agent that knows no shards is named in the log', async () => {
    const client = await connect(one);
    await client.publishAsync(`albedo/1/${ONE}/state`, 'online', { qos: 1, retain: true });
    await vi.waitFor(() =>
      expect(lines.join('\n')).toContain(`install it again from its pack {"topic":"albedo/1/${ONE}/state"`),
    );
    await client.publishAsync(`albedo/1/${ONE}/state`, '', { qos: 1, retain: true });
  });

  test('a client id takes no session of another device', async () => {
    const first = await connect(one, { clientId: ONE });
    const second = await connect(two, { clientId: ONE });
    await second.publishAsync(topicOf(TWO, 'status'), 'two', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${TWO} status two`]));
    expect(first.connected).toBe(true);
  });

  test('whoever begins to listen asks the devices that are online to send again, and those alone', async () => {
    await link.stop();
    const client = await agent(one, ONE, 'a');
    const asked: string[] = [];
    client.on('message', (topic, payload) => asked.push(`${topic} ${payload}`));
    await client.subscribeAsync(topicOf(ONE, 'ack'), { qos: 1 });
    await client.publishAsync(topicOf(ONE, 'batch'), 'meanwhile', { qos: 1 });
    await link.start();
    await link.listen(['22']);
    await link.listen(['11']);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatch(/"outbox":"","ranges":\[\],"gaps":\[\],"pauseMs":\d+,"isNewListener":true/);
    await client.publishAsync(topicOf(ONE, 'batch'), 'again', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${ONE} batch again`]));
  });

  test('two processes share a broker, each with shards of its own, and hand them over', async () => {
    await link.ignore(SHARDS);
    const other = makeLink();
    await other.start(2);
    const heard: string[] = [];
    other.onMessage((device, _channel, payload) => heard.push(`${device} ${payload}`));
    await link.listen(['11']);
    await other.listen(['22']);
    const [first, second] = [await agent(one, ONE, 'a'), await agent(two, TWO, 'b')];
    await first.publishAsync(topicOf(ONE, 'status'), 'x', { qos: 1 });
    await second.publishAsync(topicOf(TWO, 'status'), 'y', { qos: 1 });
    await vi.waitFor(() => expect(heard).toEqual([`${TWO} y`]));
    expect([link.online(), other.online()]).toEqual([[ONE], [TWO]]);
    presence.length = 0;
    await link.ignore(['11']);
    await first.endAsync();
    await second.publishAsync(topicOf(TWO, 'status'), 'z', { qos: 1 });
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    expect([link.online(), presence]).toEqual([[], []]);
    // What happened while nobody listened is told by the one who listens next.
    const back = await agent(one, ONE, 'c');
    await other.listen(['11']);
    await vi.waitFor(() => expect(other.online().sort()).toEqual([ONE, TWO]));
    back.stream.destroy();
    await vi.waitFor(() => expect(other.online()).toEqual([TWO]));
    await other.stop();
  });

  test('the link comes back by itself after the broker was restarted', async () => {
    await stopMosquitto();
    await vi.waitFor(async () => expect(await link.publish(ONE, 'ack', 'x')).toBe(false), { timeout: 5000 });
    await startMosquitto();
    await vi.waitFor(async () => expect(await link.publish(ONE, 'ack', 'x')).toBe(true), { timeout: 8000 });
    const client = await connect(one);
    await client.publishAsync(topicOf(ONE, 'status'), 'again', { qos: 1 });
    await vi.waitFor(() => expect(messages).toEqual([`${ONE} status again`]), { timeout: 5000 });
  });
});

test('an address where no broker answers is named in the error', async () => {
  const at = `127.0.0.1:${await freePort()}`;
  const quiet = () => {};
  const link = externalBroker({
    url: `mqtt://user:secret@${at}`,
    identity: async () => ({ clientId: 'x' }),
    log: { info: quiet, warn: quiet, error: quiet },
  });
  const error = await link.start().then(
    () => null,
    (failure: Error) => failure,
  );
  expect(error?.message).toContain(`The MQTT broker at ${at} cannot be used`);
  expect(error?.message).not.toContain('secret');
});
