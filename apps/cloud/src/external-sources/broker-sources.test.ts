import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as tcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { type Authority, openAuthority } from '@albedo/pki/authority';
import { connectAsync, type MqttClient } from 'mqtt';
import { get } from 'sparkplug-payload';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRoad } from '../testing/broker-road.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { ExternalSourcesStore } from './external-sources.store.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const MOSQUITTO = '/usr/sbin/mosquitto';
const isInstalled = existsSync(MOSQUITTO);
if (!isInstalled)
  console.log('Skipped: brokers of others, because Mosquitto is not installed (apt-get install mosquitto).');

const PASSWORD = 'a word for the broker';
const T0 = Date.UTC(2026, 5, 1, 12);
let folder = '';
let port = 0;
let broker: ChildProcess;
let ca: Authority;
let cloud: TestCloud;
let token = '';
let devices: MqttClient;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return free;
}

async function startBroker(): Promise<void> {
  broker = spawn(MOSQUITTO, ['-c', join(folder, 'conf')], { stdio: 'ignore' });
  await vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = tcp(port, '127.0.0.1', () => {
          socket.destroy();
          resolve();
        }).on('error', reject);
      }),
    { timeout: 5000 },
  );
}
async function stopBroker(): Promise<void> {
  broker.kill();
  await once(broker, 'exit');
}
const startCloud = async () => {
  cloud = await startTestCloud({
    ALBEDO_DATA: join(folder, 'data'),
    ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8',
  });
  token = await cloud.owner();
};

beforeAll(async () => {
  if (!isInstalled) return;
  folder = mkdtempSync(join(tmpdir(), 'albedo-brokers-'));
  port = await freePort();
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  file('words', `albedo:${PASSWORD}\ndevices:${PASSWORD}\n`);
  file(
    'acl',
    'user albedo\ntopic read plant/#\ntopic read spBv1.0/#\ntopic write spBv1.0/+/NCMD/+\nuser devices\ntopic #\n',
  );
  ca = await openAuthority(join(folder, 'ca'));
  const { certPem, keyPem } = await ca.serverCertificate(['127.0.0.1']);
  file('ca.pem', ca.caPem);
  file('server.pem', certPem);
  file('server.key', keyPem);
  file(
    'conf',
    `listener ${port} 127.0.0.1\nlistener ${port + 1} 127.0.0.1\ncafile ${join(folder, 'ca.pem')}\ncertfile ${join(folder, 'server.pem')}\nkeyfile ${join(folder, 'server.key')}\nuser root\nallow_anonymous false\npassword_file ${join(folder, 'words')}\nacl_file ${join(folder, 'acl')}\npersistence true\npersistence_location ${folder}/\n`,
  );
  const hashed = spawn('/usr/bin/mosquitto_passwd', ['-U', join(folder, 'words')], { stdio: 'ignore' });
  await once(hashed, 'exit');
  await startBroker();
  devices = await connectAsync(`mqtt://127.0.0.1:${port}`, { username: 'devices', password: PASSWORD });
  await startCloud();
});
afterAll(async () => {
  if (!isInstalled) return;
  await cloud.stop();
  await devices.endAsync(true);
  await stopBroker();
  rmSync(folder, { recursive: true, force: true });
});

const PATH = 'externalSources/main';
const ask = (method: string, path: string, body?: unknown) => cloud.call(method, path, { token, body });
const source = (
  name: string,
  change: { subscription?: object; mapping?: object; [key: string]: unknown } = {},
) => ({
  name,
  kind: 'mqtt',
  secret: PASSWORD,
  ...change,
  subscription: {
    address: `mqtt://127.0.0.1:${port}`,
    user: 'albedo',
    topics: ['plant/+/state'],
    ...change.subscription,
  },
  mapping: {
    table: 'heard',
    source: 'device',
    sourceColumn: 'mqtt.2',
    timeColumn: 'time',
    fields: [{ column: 'ac.power', name: 'AC Power', units: 'W' }],
    ...change.mapping,
  },
});
const make = async (body: object): Promise<ExternalSource> => {
  const made = await ask('POST', PATH, body);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body;
};
const stateOf = async (id: string): Promise<ExternalSource> =>
  ((await ask('GET', PATH)).body as ExternalSource[]).find(({ _id }) => _id === id) as ExternalSource;
const connected = (id: string) =>
  vi.waitFor(async () => expect((await stateOf(id)).connection).toMatchObject({ isConnected: true }), {
    timeout: 8000,
    interval: 50,
  });
const searched = async (table: string) =>
  (await ask('GET', `tables/main/${table}/search?sort=event_time&rows=10000`)).body as {
    totalRecords: number;
    records: Record<string, unknown>[];
  };
const stored = (table: string, count: number) =>
  vi.waitFor(async () => expect((await searched(table)).totalRecords).toBe(count), {
    timeout: 10_000,
    interval: 100,
  });
const say = (topic: string, payload: unknown) =>
  devices.publishAsync(topic, Buffer.isBuffer(payload) ? payload : JSON.stringify(payload), { qos: 1 });
const reading = (second: number, power: number) => ({
  time: new Date(T0 + second * 1000).toISOString(),
  ac: { power },
});

test.runIf(isInstalled)(
  'records of plain devices are stored, the topic names the source, and what is wrong is told',
  async () => {
    const { _id: id } = await make(source('Plain'));
    await connected(id);
    await say('plant/inv-1/state', reading(0, 5));
    await say('plant/inv-2/state', [reading(0, 6), reading(1, 7)]);
    await say('plant/inv-1/state', 'no record');
    await say('plant/inv-1/other', reading(9, 9));
    await say('plant/inv-1/state', reading(1, 8));
    await stored('heard', 4);
    expect((await searched('heard')).records).toContainEqual(
      expect.objectContaining({ source: 'inv-2', 'AC Power': 7 }),
    );
    // A correction replaces.
    await say('plant/inv-1/state', reading(1, 80));
    await vi.waitFor(
      async () =>
        expect((await searched('heard')).records).toContainEqual(
          expect.objectContaining({ source: 'inv-1', 'AC Power': 80 }),
        ),
      { timeout: 8000, interval: 100 },
    );
    expect((await searched('heard')).totalRecords).toBe(4);
    await vi.waitFor(
      async () =>
        expect(await stateOf(id)).toMatchObject({
          lastError: expect.stringContaining('plant/inv-1/state: There is no list of objects.'),
          connection: { messages: 5, events: 5, faults: 1 },
          hasSecret: true,
        }),
      { timeout: 6000 },
    );
    expect(JSON.stringify((await ask('GET', PATH)).body)).not.toContain(PASSWORD);
  },
);

test.runIf(isInstalled)(
  'bare values get their names from the topic; what the broker has kept is not of now',
  async () => {
    await devices.publishAsync('plant/old/power', '99', { qos: 1, retain: true });
    const { _id: id } = await make(
      source('Values', {
        subscription: { topics: ['plant/+/power', 'plant/+/temp'], payload: 'values' },
        mapping: {
          table: 'bare',
          timeColumn: 'mqtt.time',
          fields: [
            { column: 'power', name: 'Power' },
            { column: 'temp', name: 'Temperature', units: '°C' },
          ],
        },
      }),
    );
    await connected(id);
    await Promise.all([
      devices.publishAsync('plant/a/power', '12.5'),
      devices.publishAsync('plant/a/temp', '20'),
    ]);
    await stored('bare', 2);
    const { records } = await searched('bare');
    expect(records.map((one) => one.source)).toEqual(['a', 'a']);
    expect(records.map((one) => one.Power ?? one.Temperature).toSorted()).toEqual([12.5, 20]);
  },
);

test.runIf(isInstalled)(
  'Sparkplug B: a node that was there before is asked for its birth, and its devices are sources',
  async () => {
    const encode = (payload: object) => Buffer.from(get('spBv1.0')?.encodePayload(payload as never) ?? []);
    const asked: string[] = [];
    devices.on('message', (topic) => asked.push(topic));
    await devices.subscribeAsync('spBv1.0/Plant/NCMD/#');
    const { _id: id } = await make(
      source('Nodes', {
        subscription: { topics: ['spBv1.0/Plant/#'], payload: 'sparkplug' },
        mapping: {
          table: 'sparkplug',
          source: '{node}/{device}',
          sourceColumn: null,
          timeColumn: 'timestamp',
          fields: [],
        },
      }),
    );
    await connected(id);
    const data = (seq: number, value: number) =>
      encode({
        timestamp: T0 + seq * 1000,
        seq,
        metrics: [{ alias: 1, type: 'Double', value, timestamp: T0 + seq * 1000 }],
      });
    await say('spBv1.0/Plant/DDATA/edge/inv', data(9, 1));
    await vi.waitFor(() => expect(asked).toEqual(['spBv1.0/Plant/NCMD/edge']), { timeout: 5000 });
    const bdSeq = { name: 'bdSeq', type: 'UInt64', value: 1 };
    await say('spBv1.0/Plant/NBIRTH/edge', encode({ timestamp: T0, seq: 0, metrics: [bdSeq] }));
    const power = { name: 'AC Power', alias: 1, type: 'Double', value: 3, timestamp: T0 };
    await say('spBv1.0/Plant/DBIRTH/edge/inv', encode({ timestamp: T0, seq: 1, metrics: [power] }));
    await say('spBv1.0/Plant/DDATA/edge/inv', data(2, 4));
    await say('spBv1.0/Plant/DDATA/edge/inv', data(3, 5));
    // Two births of presence, and three values.
    await stored('sparkplug', 5);
    // Another process finds nothing to follow as long as this one does.
    const other = new ExternalSourcesStore(cloud.cloud.features.postgres);
    expect(await other.lease('another process', 30)).toEqual([]);
    const values = (await searched('sparkplug')).records.flatMap((one) => one['AC Power'] ?? []);
    expect(values).toEqual([3, 4, 5]);
  },
);

test.runIf(isInstalled)(
  'nothing is lost and nothing doubled when the broker and the cloud start again',
  async () => {
    const { _id: id } = await make(
      source('Kept', { mapping: { table: 'kept' }, subscription: { topics: ['plant/+/kept'] } }),
    );
    await connected(id);
    let sent = 0;
    const send = async (count: number) => {
      for (let i = 0; i < count; i++) await say('plant/inv-1/kept', reading(sent, sent++));
    };
    await send(50);
    await stopBroker();
    await vi.waitFor(async () => expect((await stateOf(id)).connection?.isConnected).toBe(false), {
      timeout: 8000,
    });
    expect((await stateOf(id)).lastError).toMatch(/closed the connection|does not answer/);
    await startBroker();
    await connected(id);
    await vi.waitFor(() => expect(devices.connected).toBe(true), { timeout: 8000 });
    await send(50);
    await cloud.stop();
    await send(300);
    await startCloud();
    await connected(id);
    await send(10);
    await stored('kept', sent);
    expect(new Set((await searched('kept')).records.map((one) => one['AC Power'])).size).toBe(sent);
  },
  60_000,
);

test.runIf(isInstalled)(
  'what has the time of its arrival is stored once, though the cloud is killed after storing and before acknowledging',
  async () => {
    const road = await openRoad(port);
    const { _id: id } = await make(
      source('Arrived', {
        subscription: { address: `mqtt://127.0.0.1:${road.port}`, topics: ['plant/+/arrived'] },
        mapping: { table: 'arrived', timeColumn: 'mqtt.time' },
      }),
    );
    await connected(id);
    await cloud.stop();
    // They wait at the broker and come all at once; two of them are the same.
    const powers = [...Array.from({ length: 20 }, (_, i) => i), 19];
    for (const power of powers) await say('plant/inv-1/arrived', { ac: { power } });
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        ALBEDO_DATA: join(folder, 'data'),
        ALBEDO_PORT: '0',
        ALBEDO_MQTT_PORT: '0',
        ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8',
      },
      stdio: 'ignore',
    });
    const killed = once(child, 'exit');
    road.kill = () => child.kill('SIGKILL');
    expect(await killed).toEqual([null, 'SIGKILL']);
    road.kill = null;
    await startCloud();
    await connected(id);
    await say('plant/inv-1/arrived', { ac: { power: 20 } });
    await vi.waitFor(
      async () =>
        expect((await searched('arrived')).records.map((one) => one['AC Power'])).toEqual([...powers, 20]),
      { timeout: 15_000, interval: 100 },
    );
    road.stop();
  },
  90_000,
);

test.runIf(isInstalled)(
  'a look shows what comes; a wrong password, another port and a closed topic say what is wrong',
  async () => {
    const tried = ask(
      'POST',
      `${PATH}/preview`,
      source('Look', { subscription: { topics: ['plant/+/look'] } }),
    );
    const saying = setInterval(() => void say('plant/inv-9/look', reading(0, 5)), 100);
    const shown = await tried;
    clearInterval(saying);
    expect(shown.body).toMatchObject({
      sample: expect.arrayContaining([{ source: 'inv-9', at: T0, values: { 'AC Power': 5 } }]),
      columns: expect.arrayContaining(['ac.power', 'mqtt.2', 'mqtt.time', 'time']),
    });
    const why = async (change: Parameters<typeof source>[1]) =>
      (await ask('POST', `${PATH}/preview`, source('Look', change))).body.message as string;
    expect(await why({ secret: 'wrong' })).toMatch(/does not let this client in|user or the password/);
    expect(await why({ subscription: { address: 'mqtt://127.0.0.1:1' } })).toContain('does not answer');
    expect(await why({ subscription: { address: 'mqtts://10.1.2.3' } })).toContain('is not a public address');
    const address = `mqtts://127.0.0.1:${port + 1}`;
    expect(await why({ subscription: { address } })).toContain('the certificate of 127.0.0.1');
    const trusted = await ask(
      'POST',
      `${PATH}/preview`,
      source('Look', { subscription: { address, caPem: ca.caPem, topics: ['a'] } }),
    );
    expect(trusted).toMatchObject({ status: 200, body: { records: 0, events: 0 } });
  },
);

test.runIf(isInstalled)(
  'the password stays with its broker, and what a form gets wrong is named',
  async () => {
    const made = await make(source('Mine', { isEnabled: false }));
    const elsewhere = {
      ...source('Mine', { subscription: { address: 'mqtts://other.example' } }),
      secret: undefined,
    };
    const refused = await ask('PUT', `${PATH}/${made._id}`, elsewhere);
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'secret', issue: 'issue.secret_again' }] },
    });
    const paths = async (body: object) =>
      ((await ask('POST', PATH, body)).body.issues as { path: string }[]).map(({ path }) => path);
    expect(await paths(source('A', { subscription: { topics: ['a/#/b'] } }))).toEqual([
      'subscription.topics.0',
    ]);
    expect(await paths(source('A', { subscription: { topics: ['$SYS/#'] } }))).toEqual([
      'subscription.topics.0',
    ]);
    expect(await paths(source('A', { subscription: { address: 'https://a' } }))).toEqual([
      'subscription.address',
    ]);
    expect(await paths(source('A', { subscription: { payload: 'sparkplug' } }))).toEqual([
      'subscription.topics',
    ]);
    expect(await paths(source('A', { mapping: { fields: [] } }))).toEqual(['mapping.fields']);
  },
);
