import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import {
  type AckMessage,
  ackMessage,
  type Batch,
  type BatchField,
  type DeclaredGap,
  LINK_LIMITS,
  type StatusMessage,
} from '@albedo/contract/link/link.messages';
import { topicOf, type UpChannel } from '@albedo/contract/link/link.topics';
import { type EmbeddedBroker, embeddedBroker } from '@albedo/device-link/embedded-broker';
import { type Authority, openAuthority } from '@albedo/pki/authority';
import type { Postgres } from '@albedo/postgres/postgres';
import { connect, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Bus } from '../bus/bus.ts';
import { Ledger } from '../completeness/completeness.service.ts';
import { openDatabase } from '../database/database.ts';
import type { IngestLimits } from '../ingest/ingest.limits.ts';
import { Ingest } from '../ingest/ingest.ts';
import { RegistryStore } from '../registry/registry.store.ts';
import { DeviceRegistry } from '../registry/registry.ts';
import { EVERY_DEVICE, type Tenure } from '../shards/shards.service.ts';
import type { TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { TelemetryStore } from '../telemetry/telemetry.store.ts';
import { openTestStore } from '../telemetry/telemetry.test-store.ts';

type Sink = (blocks: TelemetryBlock[], token: string) => Promise<void>;

/** The engines at the end of a measurement's road, and the parts between the device link and them. */
export interface Road {
  postgres: Postgres;
  authority: Authority;
  /** Starts broker, ingest and ledger over the engines; any number of times, one after the other. */
  open(limits?: Partial<IngestLimits>, tenure?: Tenure): Promise<OpenRoad>;
  /** Numbers of a table's events that the store has, in order, repeats included. */
  stored(table: string): Promise<number[]>;
  /** Values of the table's only number field, or of the text field that is named. */
  values(table: string): Promise<number[]>;
  texts(table: string, field: string): Promise<string[]>;
  /** Time and value of a number field, in the order of the numbers. */
  records(table: string, field: string): Promise<{ eventAt: number; value: number }[]>;
  /** The store itself, for what goes around the road. */
  telemetry: TelemetryStore;
  /** A statement to the engine, done when it returns. */
  sql(statement: string): Promise<void>;
  close(): Promise<void>;
}

export interface OpenRoad {
  broker: EmbeddedBroker;
  ingest: Ingest;
  bus: Bus;
  ledger: Ledger;
  metrics: Registry;
  lines: string[];
  /** Comes between ingest and store until it is taken away: for faults, delays and what a test wants to see. */
  intercept(by: ((store: Sink) => Sink) | null): void;
  /** Connects as a device, a registered one unless told otherwise. */
  agent(device?: string, options?: { isRegistered: boolean }): Promise<RoadAgent>;
  /** As when the process is killed: nothing is written any more. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const FIELDS: BatchField[] = [
  { name: 'power', type: 'decimal' },
  { name: 'state', type: 'keyword' },
];

export async function openRoad(): Promise<Road> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-road-'));
  const quiet = pino({ level: 'silent' });
  const [postgres, telemetry, authority] = await Promise.all([
    openDatabase({ dataDir: join(folder, 'postgres'), log: quiet }),
    openTestStore(),
    openAuthority(join(folder, 'ca')),
  ]);
  const registry = new DeviceRegistry(new RegistryStore(postgres));

  async function open(limits: Partial<IngestLimits> = {}, tenure = EVERY_DEVICE): Promise<OpenRoad> {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
    const broker = embeddedBroker({
      host: '127.0.0.1',
      port: 0,
      caPem: authority.caPem,
      certificate: () => authority.serverCertificate(['127.0.0.1']),
      crlPem: await authority.revocationList([]),
      isRevoked: () => false,
      log,
    });
    const ledger = new Ledger({ postgres, telemetry: telemetry.store, log, checkpointMs: 60_000 });
    await ledger.start();
    const store: Sink = (blocks, token) => telemetry.store.insert(blocks, token);
    let sink = store;
    const metrics = new Registry();
    const forecasts = { has: () => false };
    const bus = new Bus({ log });
    const ingest = new Ingest({
      link: broker,
      registry,
      telemetry: {
        insert: (blocks, token) => sink(blocks, token),
        held: (block) => telemetry.store.held(block),
      },
      ledger,
      forecasts,
      log,
      metrics,
      bus,
      tenure,
      limits: { flushMs: 30, ...limits },
    });
    ingest.start();
    await broker.start();
    const agents: RoadAgent[] = [];
    const hangUp = async () => {
      await Promise.all(agents.map((agent) => agent.leave()));
      await broker.stop();
    };
    return {
      broker,
      ingest,
      bus,
      ledger,
      metrics,
      lines,
      intercept: (by) => {
        sink = by ? by(store) : store;
      },
      agent: async (device = crypto.randomUUID(), { isRegistered } = { isRegistered: true }) => {
        if (isRegistered)
          registry.set({
            id: device,
            workgroup: 'demo',
            name: device,
            ced: false,
            createdAt: 0,
            quarantine: null,
            info: {},
            sourceInfo: {},
            sourceLabels: {},
          });
        const agent = await connectRoadAgent({ device, authority, port: broker.port });
        agents.push(agent);
        return agent;
      },
      kill: async () => {
        sink = () => new Promise(() => {});
        ledger.abandon();
        await hangUp();
      },
      stop: async () => {
        await ingest.stop();
        await ledger.stop();
        await hangUp();
      },
    };
  }

  return {
    postgres,
    authority,
    open,
    telemetry: telemetry.store,
    sql: (statement) => telemetry.clickhouse.exec(statement, { settings: { mutations_sync: 2 } }),
    stored: async (table) => {
      const rows = await telemetry.clickhouse.queryRows<[string]>(
        'SELECT msg_id FROM telemetry.events FINAL WHERE tbl = {table:String} ORDER BY msg_id',
        { params: { table } },
      );
      return rows.map(([id]) => Number(id));
    },
    values: async (table) => {
      const rows = await telemetry.clickhouse.queryRows<[number]>(
        'SELECT n0 FROM telemetry.events FINAL WHERE tbl = {table:String} AND n0 IS NOT NULL',
        { params: { table } },
      );
      return rows.map(([value]) => value);
    },
    records: async (table, field) => {
      const fields = await telemetry.clickhouse.queryRows<[number]>(
        `SELECT slot FROM telemetry.fields FINAL
         WHERE tbl = {table:String} AND field = {field:String} AND kind = 'n'`,
        { params: { table, field } },
      );
      const rows = await telemetry.clickhouse.queryRows<[string, number]>(
        `SELECT toUnixTimestamp64Milli(event_time), n${fields[0]?.[0] ?? 0} FROM telemetry.events FINAL
         WHERE tbl = {table:String} ORDER BY msg_id`,
        { params: { table } },
      );
      return rows.map(([eventAt, value]) => ({ eventAt: Number(eventAt), value }));
    },
    texts: async (table, field) => {
      const fields = await telemetry.clickhouse.queryRows<[number]>(
        `SELECT slot FROM telemetry.fields FINAL
         WHERE tbl = {table:String} AND field = {field:String} AND kind = 's'`,
        { params: { table, field } },
      );
      const column = `s${fields[0]?.[0] ?? 0}`;
      const rows = await telemetry.clickhouse.queryRows<[string]>(
        `SELECT ${column} FROM telemetry.events FINAL WHERE tbl = {table:String} AND ${column} IS NOT NULL`,
        { params: { table } },
      );
      return rows.map(([text]) => text);
    },
    close: async () => {
      await Promise.all([postgres.close(), telemetry.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An agent reduced to what the road sees of it. */
export interface RoadAgent {
  device: string;
  client: MqttClient;
  acks: AckMessage[];
  /** All numbers that were acknowledged, in order. */
  acked(): number[];
  publish(channel: UpChannel, payload: Buffer | string): Promise<void>;
  send(batch: Partial<Batch>): Promise<void>;
  /** Sends rows of one stream with the fields of `FIELDS`. */
  sendRows(table: string, rows: unknown[][], source?: string): Promise<void>;
  status(status: Partial<StatusMessage>): Promise<void>;
  leave(): Promise<void>;
}

async function connectRoadAgent(options: {
  device: string;
  authority: Authority;
  port: number;
}): Promise<RoadAgent> {
  const { device, authority, port } = options;
  const { certPem, keyPem } = await authority.issueDevice(device, 'demo');
  const tls = { ca: authority.caPem, cert: certPem, key: keyPem };
  const client = connect({ protocol: 'mqtts', host: '127.0.0.1', port, reconnectPeriod: 0, ...tls });
  const acks: AckMessage[] = [];
  client.on('error', () => {});
  client.on('message', (_topic, payload) => acks.push(ackMessage.parse(JSON.parse(payload.toString()))));
  await new Promise<void>((done, fail) => {
    client.once('connect', () => done());
    client.once('close', () => fail(new Error('not let in')));
  });
  await client.subscribeAsync(topicOf(device, 'ack'), { qos: 1 });
  const publish = async (channel: UpChannel, payload: Buffer | string) => {
    await client.publishAsync(topicOf(device, channel), payload, { qos: 1 });
  };
  const send = (batch: Partial<Batch>) =>
    publish(
      'batch',
      zstdCompressSync(JSON.stringify({ v: 1, outbox: 'one', streams: [], gaps: [], ...batch })),
    );
  return {
    device,
    client,
    acks,
    acked: () => {
      const numbers = new Set<number>();
      for (const { ranges } of acks)
        for (const [from, to] of ranges) for (let n = from; n <= to; n++) numbers.add(n);
      return [...numbers].sort((a, b) => a - b);
    },
    publish,
    send,
    sendRows: (table, rows, source = 'inv-01') =>
      send({ streams: [{ table, source, fields: FIELDS, rows: rows as never }] }),
    status: (status) => publish('status', JSON.stringify({ ...NO_STATUS, at: Date.now(), ...status })),
    leave: () => client.endAsync(true),
  };
}

const NO_STATUS: Omit<StatusMessage, 'at'> = {
  version: '1',
  outbox: 'one',
  os: null,
  sourceLastDataAt: null,
  pendingEvents: 0,
  pendingBytes: 0,
  outboxLimitBytes: 1000,
  unreadBytes: 0,
  droppedEvents: 0,
  lastMsgId: 0,
  streams: [],
};

const STARTED_AT = Date.now();

/** Rows with these numbers, a second apart and of the last minutes; one number is the same row whenever it is asked for. */
export const rowsOf = (from: number, to: number): unknown[][] =>
  Array.from({ length: to - from + 1 }, (_, at) => {
    const place = (from + at) % 1000;
    return [from + at, STARTED_AT - (1000 - place) * 1000, place / 2, 'ok'];
  });

export const declared = (gap: Partial<DeclaredGap> & Pick<DeclaredGap, 'from' | 'to'>): DeclaredGap => ({
  table: null,
  source: null,
  cause: 'outbox_full',
  events: gap.to - gap.from + 1,
  firstEventAt: null,
  lastEventAt: null,
  ...gap,
});

/** A batch that is small on the wire and larger than allowed when it is opened. */
export const bomb = (): Buffer => zstdCompressSync(Buffer.alloc(LINK_LIMITS.batchBytes + 1, 0x20));
