import type { Mapping } from '@albedo/contract/mapping/mapping.schema';
import { get } from 'sparkplug-payload';
import { expect, test } from 'vitest';
import { decodeSparkplug } from './sparkplug.decode.ts';
import { ONLINE_FIELD, SparkplugReader } from './sparkplug.reader.ts';

// The payloads are made by the encoder of Eclipse Tahu.
const tahu = get('spBv1.0');
if (!tahu) throw new Error('there is no encoder');
type Payload = Parameters<typeof tahu.encodePayload>[0];
const encode = (payload: object): Buffer => Buffer.from(tahu.encodePayload(payload as Payload));

const T0 = Date.UTC(2026, 5, 1, 12);
const MAPPING: Mapping = {
  table: 'inverter',
  source: '{node}/{device}',
  sourceColumn: null,
  timeColumn: 'timestamp',
  clockColumn: null,
  timeFormat: 'iso',
  timezone: 'UTC',
  standardTime: false,
  fields: [],
};

function host(mapping: Partial<Mapping> = {}) {
  const reader = new SparkplugReader({ ...MAPPING, ...mapping });
  return {
    reader,
    hear: (kind: string, payload: object, { device = '', now = T0, isRepeat = false } = {}) =>
      reader.read(
        {
          topic: `spBv1.0/Plant/${kind}/edge-1${device && `/${device}`}`,
          payload: encode(payload),
          isRetained: false,
          isRepeat,
        },
        now,
      ),
  };
}
const metric = (name: string, type: string, value: unknown, more: object = {}) => ({
  name,
  type,
  value,
  timestamp: T0,
  ...more,
});
const birth = (session = 1) => ({
  timestamp: T0,
  seq: 0,
  metrics: [
    metric('bdSeq', 'UInt64', session),
    metric('Node Control/Rebirth', 'Boolean', false),
    metric('Uptime', 'UInt32', 4_000_000_000),
  ],
});
const deviceBirth = (seq = 1) => ({
  timestamp: T0,
  seq,
  metrics: [
    metric('AC Power', 'Float', 20.1, { alias: 7, properties: { engUnit: { type: 'String', value: 'kW' } } }),
    metric('Temperature', 'Int16', -12, { alias: 8 }),
    metric('State', 'String', 'running', { alias: 9 }),
    metric('Energy', 'Int64', -5_000_000_000, { alias: 10 }),
    metric('Locked', 'Boolean', true, { alias: 11 }),
    metric('Since', 'DateTime', T0, { alias: 12 }),
  ],
});
/** What a node sends after its birth: the alias alone, without a name and without a type. */
const byAlias = (seq: number, alias: number, value: number, more: object = {}) => ({
  timestamp: T0 + 1000,
  seq,
  metrics: [{ alias, type: 'Float', value, timestamp: T0 + 1000, ...more }],
});
const told = (heard: ReturnType<ReturnType<typeof host>['hear']>) =>
  heard.events
    .filter(({ fields }) => fields[0]?.name !== ONLINE_FIELD)
    .map(({ source, at, fields, values }) => ({
      source,
      at,
      values: Object.fromEntries(fields.map(({ name }, i) => [name, values[i]])),
    }));

test('births give names, types and units; every type is read as it was meant', () => {
  const { hear } = host();
  expect(told(hear('NBIRTH', birth()))).toEqual([
    { source: 'edge-1', at: T0, values: { Uptime: 4_000_000_000 } },
  ]);
  const born = hear('DBIRTH', deviceBirth(), { device: 'inv-1' });
  expect(told(born)).toEqual([
    {
      source: 'edge-1/inv-1',
      at: T0,
      values: {
        'AC Power': 20.1,
        Temperature: -12,
        State: 'running',
        Energy: -5_000_000_000,
        Locked: 1,
        Since: T0,
      },
    },
  ]);
  expect(born.events[0]?.fields.slice(0, 2)).toEqual([
    { name: 'AC Power', type: 'decimal', units: 'kW' },
    { name: 'Temperature', type: 'integer' },
  ]);
  expect(born.answer).toBeUndefined();
  expect(told(hear('DDATA', byAlias(2, 7, 21.5), { device: 'inv-1' }))).toEqual([
    { source: 'edge-1/inv-1', at: T0 + 1000, values: { 'AC Power': 21.5 } },
  ]);
});

test('a missing message and an unknown node ask for a birth, once in a while', () => {
  const { hear } = host();
  const unknown = hear('DDATA', byAlias(3, 7, 1), { device: 'inv-1' });
  expect(unknown.events).toEqual([]);
  expect(unknown.answer?.topic).toBe('spBv1.0/Plant/NCMD/edge-1');
  const asked = decodeSparkplug(unknown.answer?.payload ?? Buffer.alloc(0));
  expect(asked.metrics).toMatchObject([{ name: 'Node Control/Rebirth', datatype: 11 }]);
  expect(tahu.decodePayload(unknown.answer?.payload ?? Buffer.alloc(0)).metrics).toMatchObject([
    { name: 'Node Control/Rebirth', type: 'Boolean', value: true },
  ]);
  expect(hear('DDATA', byAlias(4, 7, 1), { device: 'inv-1', now: T0 + 5000 }).answer).toBeUndefined();
  expect(hear('DDATA', byAlias(5, 7, 1), { device: 'inv-1', now: T0 + 30_000 }).answer).toBeDefined();

  hear('NBIRTH', birth());
  hear('DBIRTH', deviceBirth(1), { device: 'inv-1' });
  expect(hear('DDATA', byAlias(2, 7, 1), { device: 'inv-1' }).answer).toBeUndefined();
  expect(hear('DDATA', byAlias(2, 7, 1), { device: 'inv-1', isRepeat: true }).answer).toBeUndefined();
  const gap = hear('DDATA', byAlias(5, 7, 2), { device: 'inv-1' });
  expect(told(gap)).toHaveLength(1);
  expect(gap.faults[0]?.text).toBe('edge-1: messages are missing before number 5.');
  expect(gap.answer).toBeDefined();
  // After 255 comes 0.
  hear('NBIRTH', birth());
  for (let seq = 1; seq <= 255; seq++) hear('NDATA', { timestamp: T0, seq, metrics: [] });
  expect(hear('NDATA', { timestamp: T0, seq: 0, metrics: [] }).answer).toBeUndefined();
});

test('a death is one of its own session only, and takes the devices along', () => {
  const { hear } = host();
  hear('NBIRTH', birth(4));
  hear('DBIRTH', deviceBirth(1), { device: 'inv-1' });
  expect(hear('NDEATH', { metrics: [metric('bdSeq', 'UInt64', 3)] }).events).toEqual([]);
  const gone = hear('NDEATH', { metrics: [metric('bdSeq', 'UInt64', 4)] }, { now: T0 + 60_000 });
  expect(gone.events.map(({ source, at, values }) => [source, at, values[0]])).toEqual([
    ['edge-1', T0 + 60_000, 0],
    ['edge-1/inv-1', T0 + 60_000, 0],
  ]);
  expect(hear('DDEATH', { timestamp: T0, seq: 2, metrics: [] }, { device: 'inv-1' }).events).toMatchObject([
    { source: 'edge-1/inv-1', values: [0] },
  ]);
});

test('history keeps its times, empty and passing values are left out, others are told', () => {
  const { hear } = host();
  hear('NBIRTH', birth());
  hear('DBIRTH', deviceBirth(1), { device: 'inv-1' });
  const old = (minutes: number, value: number, more: object = {}) =>
    metric('AC Power', 'Float', value, { timestamp: T0 - minutes * 60_000, isHistorical: true, ...more });
  const heard = hear(
    'DDATA',
    {
      timestamp: T0,
      seq: 2,
      metrics: [
        old(10, 1),
        old(9, 2),
        metric('Temperature', 'Int16', null),
        metric('State', 'String', 'x', { isTransient: true }),
        metric('File', 'Bytes', new Uint8Array([1])),
        metric('Clock', 'Float', 1, { timestamp: 5 }),
      ],
    },
    { device: 'inv-1' },
  );
  expect(told(heard)).toEqual([
    { source: 'edge-1/inv-1', at: T0 - 600_000, values: { 'AC Power': 1 } },
    { source: 'edge-1/inv-1', at: T0 - 540_000, values: { 'AC Power': 2 } },
  ]);
  expect(heard.faults.map(({ reason, text }) => `${reason} ${text}`)).toEqual([
    'number inv-1: File',
    'time Clock: 5',
  ]);
});

test('chosen metrics get the names, units and factors that people gave', () => {
  const { hear } = host({
    source: '{device}',
    fields: [{ column: 'AC Power', name: 'Power', type: 'decimal', units: 'W', factor: 1000, decimal: null }],
  });
  hear('NBIRTH', birth());
  const heard = hear('DBIRTH', deviceBirth(1), { device: 'inv-1' });
  expect(told(heard)).toEqual([{ source: 'inv-1', at: T0, values: { Power: 20_100 } }]);
  expect(heard.events[0]?.fields).toEqual([{ name: 'Power', type: 'decimal', units: 'W' }]);
  expect(heard.columns).toContain('Temperature');
});

test('what is no payload is told, whatever it is, and other topics are let be', () => {
  const { reader } = host();
  const read = (topic: string, payload: Buffer) =>
    reader.read({ topic, payload, isRetained: false, isRepeat: false }, T0);
  const whole = encode(deviceBirth());
  for (let end = 1; end < whole.length; end += 3)
    expect(() => read('spBv1.0/P/NBIRTH/n', whole.subarray(0, end))).not.toThrow();
  expect(read('spBv1.0/P/NDATA/n', Buffer.from('not a payload')).faults).toMatchObject([
    { reason: 'message', text: expect.stringContaining('spBv1.0/P/NDATA/n') },
  ]);
  for (const topic of [
    'spBv1.0/STATE/host',
    'spBv1.0/P/NCMD/n',
    'spBv1.0/P/DDATA/n',
    'spBv1.0/P/NDATA/n/d/e',
  ])
    expect(read(topic, whole)).toMatchObject({ events: [], faults: [] });
});
