import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import sparkplug from 'sparkplug-payload';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mqttPlugin } from './mqtt.plugin.ts';
import { protoFields } from './protobuf.ts';
import { Sparkplug } from './sparkplug.ts';
import { decodePayload } from './sparkplug-payload.ts';
import { wildcardsOf } from './topics.ts';

const tahu = sparkplug.get('spBv1.0');
let folder = '';
let broker: Aedes;
let server: Server;
let url = '';
let machine: mqtt.MqttClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-mqtt-'));
  broker = await Aedes.createBroker({
    authenticate: (_client, user, password, done) =>
      done(null, user !== 'plant' || password?.toString() === 'pump-room-7'),
  });
  server = createServer(broker.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  machine = await mqtt.connectAsync(url);
});
afterEach(async () => {
  await machine.endAsync(true);
  await new Promise<void>((resolve) => broker.close(() => resolve()));
  await new Promise<void>((resolve) => server.close(() => resolve()));
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the plugin while `tell` speaks, which begins once the plugin listens. */
async function listen(config: string, tell: () => Promise<void>, ...more: string[]) {
  const file = join(folder, 'config.csv');
  writeFileSync(file, config);
  const subscribed = new Promise<void>((resolve) => broker.once('subscribe', () => resolve()));
  const named = config === '' ? [] : ['--config_file', file];
  const args = ['log', url, join(folder, 'logs'), '--listen', '0.6', ...named, ...more];
  const environment = { ALBEDO_PLUGIN_PASSWORD: 'pump-room-7' };
  const running = runCaptured(mqttPlugin, args, { environment });
  await Promise.race([subscribed.then(tell), running]);
  const { code, err } = await running;
  return { code, err };
}

const lines = (path: string) =>
  readFileSync(join(folder, 'logs', path, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');
const cells = (line = '') => line.split(',').slice(1).join(',');

const JSON_CONFIG = `
_time, at
meter, {1}, AC Power,   plant/+/meter power.total,     decimal, W
meter, {1}, AC Voltage, plant/+/meter phases[0].volts, decimal, V, 0.1
meter, {1}, Door,       plant/+/door,                  bool
`;

test('each message becomes a record at its own time, with the newest values of the other topics', async () => {
  const { code, err } = await listen(
    JSON_CONFIG,
    async () => {
      const at = '2026-03-01T10:15:00Z';
      await machine.publishAsync('plant/east/door', 'true', { qos: 1 });
      await machine.publishAsync(
        'plant/east/meter',
        JSON.stringify({ at, power: { total: 4200 }, phases: [{ volts: 2301 }] }),
        { qos: 1 },
      );
      await machine.publishAsync('plant/../meter', '{"power":{"total":1}}', { qos: 1 });
      await machine.publishAsync('plant/west/meter', '{"power":{"total":"no number"}}', { qos: 1 });
    },
    '--user',
    'plant',
  );
  expect([code, err]).toEqual([0, '']);
  const [header, door, meter] = lines('meter/east');
  expect(header).toBe('# Datetime(date),AC Power(decimal:W),AC Voltage(decimal:V),Door(bool)');
  expect(cells(door)).toBe(',,1');
  expect(cells(meter)).toBe('4200,230.1,1');
  expect(Date.parse(meter?.split(',')[0] ?? '')).toBe(Date.parse('2026-03-01T10:15:00Z'));
  // A topic cannot lead out of the folder of its table, and what fits no column is no record.
  expect(readdirSync(join(folder, 'logs/meter')).toSorted()).toEqual(['_', 'east']);
});

test('Sparkplug B: a birth names the columns, data change some of them, and a machine without a birth is reported', async () => {
  const told = Date.parse('2026-03-01T10:15:00Z');
  const birth = {
    timestamp: told,
    metrics: [
      { name: 'AC/Power', alias: 1, type: 'Double', value: 4200.5, timestamp: told },
      { name: 'Energy', alias: 2, type: 'UInt64', value: 2 ** 40, timestamp: told },
      { name: 'Offset', alias: 3, type: 'Int16', value: -5, timestamp: told },
      { name: 'Running', alias: 4, type: 'Boolean', value: true, timestamp: told },
      { name: 'State', alias: 5, type: 'String', value: 'east,\u0007wing', timestamp: told },
      { name: 'bdSeq', type: 'UInt64', value: 0, timestamp: told },
    ],
  };
  const data = {
    timestamp: told + 1000,
    metrics: [{ alias: 1, type: 'Double', value: 17.25, timestamp: told + 1000 }],
  };
  const encode = (payload: unknown) => Buffer.from(tahu?.encodePayload(payload as never) ?? []);
  const { code, err } = await listen('', async () => {
    await machine.publishAsync('spBv1.0/solar/DBIRTH/edge/inv1', encode(birth), { qos: 1 });
    await machine.publishAsync('spBv1.0/solar/DDATA/edge/inv1', encode(data), { qos: 1 });
    await machine.publishAsync('spBv1.0/solar/DDATA/edge/inv2', encode(data), { qos: 1 });
    await machine.publishAsync('spBv1.0/solar/DDATA/edge/inv1', Buffer.from('no payload'), { qos: 1 });
  });
  expect(code).toBe(1);
  expect(err).toContain('solar/edge/inv2 is read from its next birth on');
  expect(err).toContain('spBv1.0/solar/DDATA/edge/inv1: ');
  const [header, first, second, ...others] = lines('sparkplug/solar/edge/inv1');
  expect(header).toBe(
    '# Datetime(date),AC/Power(decimal),Energy(integer),Offset(integer),Running(bool),State(keyword),Online(bool)',
  );
  expect(cells(first)).toBe('4200.5,1099511627776,-5,1,"east, wing",1');
  expect(cells(second)).toBe('17.25,1099511627776,-5,1,"east, wing",1');
  expect(Date.parse(second?.split(',')[0] ?? '')).toBe(told + 1000);
  expect(others).toEqual([]);
});

/** A node as the other library writes it. */
const spoken = (seq: number | null, metrics: unknown[]) =>
  Buffer.from(
    tahu?.encodePayload({ timestamp: Date.now(), ...(seq === null ? {} : { seq }), metrics } as never) ?? [],
  );
const BIRTH = [
  { name: 'bdSeq', type: 'UInt64', value: 3 },
  { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
  { name: 'Power', alias: 5, type: 'Double', value: 100 },
  { name: 'Below', alias: 6, type: 'Int32', value: -101 },
  { name: 'Wide', alias: 7, type: 'UInt64', value: { low: -6, high: -1, unsigned: true } },
];
const power = (value: number) => [{ alias: 5, type: 'Double', value }];

test('a node that was joined late, and one that lost a message, are asked for a birth; a death is told', async () => {
  const asked: string[] = [];
  machine.on('message', (topic, payload) => {
    const [metric] = tahu?.decodePayload(payload).metrics ?? [];
    asked.push(`${topic} ${metric?.name} ${metric?.value}`);
  });
  await machine.subscribeAsync('spBv1.0/solar/NCMD/#');
  const say = (kind: string, seq: number | null, metrics: unknown[]) =>
    machine.publishAsync(`spBv1.0/solar/${kind}`, spoken(seq, metrics), { qos: 1 });
  const { err } = await listen('', async () => {
    await say('NDATA/edge', 7, power(42));
    await vi.waitFor(() => expect(asked).toEqual(['spBv1.0/solar/NCMD/edge Node Control/Rebirth true']));
    await say('NBIRTH/edge', 0, BIRTH);
    await say(
      'DBIRTH/edge/inv',
      1,
      power(1).map((metric) => ({ ...metric, name: 'Power' })),
    );
    await say('NDATA/edge', 2, power(101));
    await say('NDATA/edge', 6, power(103));
    // The will of a connection before this one.
    await say('NDEATH/edge', null, [{ name: 'bdSeq', type: 'UInt64', value: 2 }]);
    await say('NDEATH/edge', null, [{ name: 'bdSeq', type: 'UInt64', value: 3 }]);
  });
  expect(err).toContain('solar/edge is read from its next birth on');
  expect(err).toContain('solar/edge: messages are missing, 6 came in place of 3');
  const [header, ...told] = lines('sparkplug/solar/edge').map(cells);
  expect(header).toBe('Power(decimal),Below(integer),Wide(integer),Online(bool)');
  const rest = '-101,18446744073709551610';
  expect(told).toEqual([`100,${rest},1`, `101,${rest},1`, `103,${rest},1`, ',,,0']);
  expect(lines('sparkplug/solar/edge/inv').map(cells).slice(1)).toEqual(['1,1', ',0']);
});

test('births are asked for at growing intervals, and only while one is needed', () => {
  const sparkplug = new Sparkplug('t');
  const asked: number[] = [];
  const say = (kind: string, seq: number, now: number, metrics: unknown[] = power(1)) =>
    sparkplug.take(`spBv1.0/g/${kind}/e`, spoken(seq, metrics), now, {
      fault: () => {},
      rebirth: () => void asked.push(now / 1000),
    });
  for (let second = 10; second < 60; second++) say('NDATA', second, second * 1000);
  expect(asked).toEqual([10, 14, 22, 38]);
  say('NBIRTH', 0, 60_000, BIRTH);
  for (let seq = 1; seq < 300; seq++) say('NDATA', seq % 256, 100_000 + seq);
  expect(asked).toHaveLength(4);
  say('NDATA', 200, 2_000_000);
  expect(asked.at(-1)).toBe(2000);
});

test('nobody is asked for a birth where that is not wanted', async () => {
  const asked: string[] = [];
  machine.on('message', (topic) => asked.push(topic));
  await machine.subscribeAsync('spBv1.0/solar/NCMD/#');
  await listen(
    '',
    () => machine.publishAsync('spBv1.0/solar/NDATA/edge', spoken(7, power(42)), { qos: 1 }).then(() => {}),
    ...['--rebirth', 'never'],
  );
  expect(asked).toEqual([]);
});

const SENSORS = `
_time, last_seen
m, {1}, Power, zigbee/+ power, decimal, W
m, {1}, State, zigbee/+ state, bool
`;

test('times in seconds and milliseconds count; what is no JSON, or of 1970, is reported and left out', async () => {
  const say = (name: string, text: string) => machine.publishAsync(`zigbee/${name}`, text, { qos: 1 });
  const { code, err } = await listen(SENSORS, async () => {
    await say('a', '{"power":"21,5","state":"ON","last_seen":1795921200123}');
    await say('b', '{"power":21.5,"state":"OFF","last_seen":1795921200}');
    await say('c', '{"power":NaN,"state":true}');
    await say('d', '{"power":4294967295,"last_seen":0}');
    await say('e', '{"power":5,"last_seen":"1970-01-01T00:00:12Z"}');
  });
  expect(code).toBe(1);
  expect(lines('m/a').map(cells)[1]).toBe(',1');
  expect(Date.parse(lines('m/a')[1]?.split(',')[0] ?? '')).toBe(1_795_921_200_123);
  expect(Date.parse(lines('m/b')[1]?.split(',')[0] ?? '')).toBe(1_795_921_200_000);
  expect(readdirSync(join(folder, 'logs/m')).toSorted()).toEqual(['a', 'b']);
  expect(err).toContain('zigbee/c: no JSON: ');
  expect(err).toContain('zigbee/d: its time is 1970-01-01T00:00:00.000Z, so it is left out');
  expect(err).toContain('zigbee/e: its time is 1970-01-01T00:00:12.000Z');
});

test('what the broker has kept is left out unless it is wanted', async () => {
  await machine.publishAsync('plant/east/meter', '{"power":{"total":1}}', { qos: 1, retain: true });
  await listen(JSON_CONFIG, async () => {});
  expect(() => lines('meter/east')).toThrow('ENOENT');
  await listen(JSON_CONFIG, async () => {}, '--retained');
  expect(cells(lines('meter/east')[1])).toBe('1,,');
});

test('a wrong password, an endpoint that is none and a wrong filter are reported', async () => {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'wrong\n');
  const refused = await listen(JSON_CONFIG, async () => {}, '--user', 'plant', '--password', `@${secret}`);
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/not authori[sz]ed/i)]);
  const filter = await listen('a, , A, plant/#/meter x, decimal\n', async () => {});
  expect([filter.code, filter.err]).toEqual([
    2,
    expect.stringContaining('"plant/#/meter" is no topic filter'),
  ]);
  url = 'http://127.0.0.1';
  const wrong = await listen('', async () => {});
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('is not of the form mqtt://')]);
});

test.each([
  ['a/+/c', 'a/b/c', ['b']],
  ['a/#', 'a/b/c', ['b/c']],
  ['a/+', 'a/b/c', null],
  ['a/b/c', 'a/b', null],
])('the filter %s and the topic %s', (filter, topic, found) => {
  expect(wildcardsOf(filter, topic)).toEqual(found);
});

test('payloads with damage at any place are refused or read, and end soon', () => {
  const whole = Buffer.from(
    tahu?.encodePayload({
      timestamp: 1,
      metrics: [{ name: 'A', alias: 1, type: 'Double', value: 1 }],
    } as never) ?? [],
  );
  let refused = 0;
  for (let at = 0; at < whole.length; at++) {
    for (const flip of [0xff, 0x80, 0x01]) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] ?? 0) ^ flip;
      try {
        decodePayload(broken);
      } catch {
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(10);
  expect(() => protoFields(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]))).toThrow(
    'longer than its message',
  );
});
