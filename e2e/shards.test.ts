/**
 * Several processes share the devices of one broker, and none of them is needed: two `ingest` processes on Debian's
 * Mosquitto, PostgreSQL and Redis are killed, paused and stopped in turns under load. Afterwards the store holds every
 * count of every device once and in its order, the ledger agrees, and the other process went on in time.
 *
 * `ALBEDO_ENDURANCE_SECONDS` sets how long that goes on.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent } from '@albedo/agent/agent';
import { rootAt } from '@albedo/agent/root';
import { type ClickHouse, connectClickHouse } from '@albedo/clickhouse/client';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { openAuthority } from '@albedo/pki/authority';
import { openPostgres, type Postgres } from '@albedo/postgres/postgres';
import { describe, expect, it } from 'vitest';
import { type IdentityFile, identityFiles } from '../apps/cloud/src/packs/identity.ts';
import { newDatabase } from '../apps/cloud/src/testing/two-clouds.ts';
import { freePort } from '../scripts/testing/engines.ts';
import { hasMosquitto, mosquittoFor } from './harness/mosquitto.ts';
import { type Program, until } from './harness/processes.ts';
import { Cloud } from './harness/product.ts';

const databaseUrl = process.env.ALBEDO_TEST_DATABASE_URL;
const redisUrl = process.env.ALBEDO_TEST_REDIS_URL;
if (!databaseUrl || !redisUrl || !hasMosquitto)
  console.log('Skipped: processes that share a broker, which needs PostgreSQL, Redis and Mosquitto.');

const SECONDS = Number(process.env.ALBEDO_ENDURANCE_SECONDS ?? 12);
const DEVICES = 8;
const SOURCES = ['pump', 'valve'];
const LINES_A_SECOND = 20;
const HEADER = 'Datetime(date),count(integer)';
/** How long devices may wait for another process; the machine of the tests does other things meanwhile. */
const TAKEOVER_S = 5;
const WAYS = ['SIGKILL', 'SIGSTOP', 'SIGTERM'] as const;
type Way = (typeof WAYS)[number];

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A device whose agent runs in this process: it is not to be killed here. */
interface Edge {
  device: Device;
  root: string;
}

interface Plant {
  /** Answers people, and is left alone. */
  api: Cloud;
  ingest: Cloud[];
  wg: string;
  agents: Edge[];
  postgres: Postgres;
  clickhouse: ClickHouse;
  output(): string;
  stop(): Promise<void>;
}

/** Seconds until others had all shards, and until new events of every device were stored. */
interface Turn {
  way: Way;
  shardsS: number;
  eventsS: number;
}

describe.runIf(databaseUrl && redisUrl && hasMosquitto)('two processes that share a broker', () => {
  it('lose, double and reorder nothing when they are killed, paused and stopped in turns', {
    timeout: (SECONDS + 420) * 1000,
  }, async () => {
    const plant = await build();
    try {
      const end = Date.now() + SECONDS * 1000;
      let isOver = false;
      const [written, turns] = await Promise.all([
        write(plant, () => isOver),
        takeTurns(plant, end).finally(() => {
          isOver = true;
        }),
      ]);
      await check(plant, written);
      const raw = await repeats(plant);
      console.log(figures(turns, written, raw));
      expect(turns.length).toBeGreaterThan(1);
      for (const { way, shardsS } of turns) expect(shardsS, way).toBeLessThan(TAKEOVER_S);
    } finally {
      await plant.stop();
    }
  });
});

async function build(): Promise<Plant> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-shards-'));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    // Programs that still speak with an engine end before it.
    for (const step of stops.reverse()) await step();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const engine = await startEmbeddedClickHouse({ dataDir: join(folder, 'telemetry'), log });
    stops.push(() => engine.stop());
    const clickhouse = connectClickHouse(engine);
    stops.push(() => clickhouse.close());
    const database = await newDatabase(databaseUrl ?? '');
    const postgres = await openPostgres({ url: database, dataDir: folder, log });
    stops.push(() => postgres.close());
    const data = join(folder, 'api');
    const mqttPort = await freePort();
    const mosquitto = await mosquittoFor(data, join(folder, 'mosquitto'), mqttPort);
    mosquitto.start();
    stops.push(() => mosquitto.end('SIGTERM'));
    const env = {
      DATABASE_URL: database,
      REDIS_URL: redisUrl ?? '',
      CLICKHOUSE_URL: addressOf(engine),
      MQTT_URL: `mqtts://localhost:${mqttPort}`,
      LOG_LEVEL: 'info',
    };
    const start = async (name: string, roles: string) => {
      const httpPort = await freePort();
      const cloud = new Cloud({
        data: join(folder, name),
        httpPort,
        mqttPort,
        env: { ...env, ALBEDO_ROLES: roles },
      });
      stops.push(() => cloud.program.end('SIGKILL'));
      await cloud.start();
      return cloud;
    };
    const api = await start('api', 'api');
    const wg = await api.signIn();
    const ingest = await Promise.all([start('one', 'ingest'), start('two', 'ingest')]);
    const authority = await openAuthority(join(data, 'ca'));
    const agents: Edge[] = [];
    for (let at = 0; at < DEVICES; at++) {
      const body = { name: `edge ${at}` };
      const device = await api.api.call(devicesApi.create, { params: { wg }, body });
      const { certPem, keyPem } = await authority.issueDevice(device.id, wg);
      const mqtt = { hostname: 'localhost', port: mqttPort };
      const edge = { device, root: join(folder, device.name) };
      install(edge.root, identityFiles({ mqtt, caPem: authority.caPem, certPem, keyPem }));
      const agent = new Agent(rootAt(edge.root), log);
      agent.start();
      stops.push(() => agent.stop());
      agents.push(edge);
    }
    const output = () => ingest.map(({ program }) => program.output).join('\n----\n');
    const plant = { api, ingest, wg, agents, postgres, clickhouse, output, stop };
    await until('both have their share', 60, async () => (await shares(plant)).join() === '128,128', output);
    return plant;
  } catch (error) {
    await stop();
    throw error;
  }
}

function install(root: string, files: readonly IdentityFile[]): void {
  const sources = SOURCES.map((source) => ({
    name: `opt/albedo/logs/counter/${source}/latest.csv`,
    content: `# ${HEADER}\n`,
    mode: 0o644,
  }));
  for (const { name, content, mode } of [...files, ...sources]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode });
  }
}

function addressOf({ url, username, password }: EmbeddedClickHouse): string {
  const address = new URL(url);
  Object.assign(address, { username, password });
  return address.href;
}

/** Counts in every source of every agent until it is over; answers the last count. */
async function write({ agents }: Plant, isOver: () => boolean): Promise<number> {
  let count = 0;
  while (!isOver()) {
    count++;
    const line = `${new Date().toISOString()},${count}`;
    for (const { root } of agents)
      for (const source of SOURCES)
        appendFileSync(join(root, 'opt/albedo/logs/counter', source, 'latest.csv'), `${line}\n`);
    await pause(1000 / LINES_A_SECOND);
  }
  return count;
}

/** One of the two ends or pauses, the other takes over, and the first one comes back; then it is the other's turn. */
async function takeTurns(plant: Plant, end: number): Promise<Turn[]> {
  const turns: Turn[] = [];
  while (Date.now() < end || turns.length < WAYS.length) {
    const way = WAYS[turns.length % WAYS.length] ?? 'SIGKILL';
    const victim = plant.ingest[turns.length % 2];
    if (victim) turns.push(await turn(plant, victim.program, way));
  }
  return turns;
}

async function turn(plant: Plant, victim: Program, way: Way): Promise<Turn> {
  const holders = await plant.postgres.query<{ id: string }>('SELECT id FROM link_processes');
  const began = Date.now();
  if (way === 'SIGSTOP') victim.signal('SIGSTOP');
  else void victim.end(way);
  const seconds = () => (Date.now() - began) / 1000;
  const held = until(
    `after ${way} one process has all shards`,
    60,
    async () => {
      const [row] = await plant.postgres.query<{ holders: number; held: number }>(
        'SELECT count(DISTINCT holder)::int AS holders, count(holder)::int AS held FROM link_shards',
      );
      return row?.holders === 1 && row.held === 256 && seconds();
    },
    plant.output,
    20,
  );
  const stored = until(
    `after ${way} new events of every device are stored`,
    60,
    async () => (await devicesWithEventsSince(plant, began)) === DEVICES && seconds(),
    plant.output,
    50,
  );
  const [shardsS, eventsS] = await Promise.all([held, stored]);
  if (way === 'SIGSTOP') victim.signal('SIGCONT');
  else {
    await victim.end('SIGKILL');
    victim.start();
  }
  expect(holders).toHaveLength(2);
  await until(
    `after ${way} both have their share again`,
    60,
    async () => (await shares(plant)).join() === '128,128',
    plant.output,
  );
  return { way, shardsS, eventsS };
}

async function shares({ postgres }: Plant): Promise<number[]> {
  const rows = await postgres.query<{ shards: number }>(
    'SELECT count(*)::int AS shards FROM link_shards JOIN link_processes p ON p.id = holder GROUP BY holder',
  );
  return rows.map(({ shards }) => shards);
}

async function devicesWithEventsSince({ clickhouse }: Plant, since: number): Promise<number> {
  const rows = await clickhouse.queryRows<[string]>(
    `SELECT uniqExact(device) FROM telemetry.events
     WHERE tbl = 'counter' AND event_time >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`,
    { params: { since } },
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** Every count of every source stands in the store once and in its order, and the ledger says so. */
async function check(plant: Plant, written: number): Promise<void> {
  const { api, wg, agents, clickhouse } = plant;
  for (const { device } of agents) {
    let ledger: Awaited<ReturnType<Cloud['completeness']>> | undefined;
    await until(
      `everything of ${device.name} is stored and told`,
      90,
      async () => {
        ledger = await api.completeness(wg, device.id);
        const counters = ledger.streams.filter(({ table }) => table === 'counter');
        return (
          counters.length === SOURCES.length &&
          counters.every(({ captured, stored }) => captured >= written && stored >= written)
        );
      },
      () => [JSON.stringify({ written, ledger }, null, 1), plant.output()].join('\n'),
    );
    for (const stream of ledger?.streams.filter(({ table }) => table === 'counter') ?? [])
      expect(stream, `${device.name} ${stream.source}`).toMatchObject({
        captured: written,
        stored: written,
        dropped: 0,
        setAside: 0,
      });
    expect(ledger?.gaps, device.name).toEqual([]);
    const { facts } = await api.api.call(devicesApi.get, { params: { wg, device: device.id } });
    expect(facts.online, device.name).toBe(true);
  }
  const [field] = await clickhouse.queryRows<[string]>(
    "SELECT slot FROM telemetry.fields FINAL WHERE tbl = 'counter' AND field = 'count'",
  );
  const rows = await clickhouse.queryRows<[string, string, string[]]>(
    `SELECT toString(device), source, groupArray(toUInt32(assumeNotNull(n${field?.[0]}))) FROM (
       SELECT * FROM telemetry.events FINAL WHERE tbl = 'counter' ORDER BY device, source, msg_id)
     GROUP BY device, source`,
  );
  expect(rows).toHaveLength(DEVICES * SOURCES.length);
  const all = Array.from({ length: written }, (_, index) => index + 1);
  for (const [device, source, counts] of rows) expect(counts.map(Number), `${device} ${source}`).toEqual(all);
}

/** Events that were inserted more than once and count once. */
async function repeats({ clickhouse }: Plant): Promise<number> {
  const [row] = await clickhouse.queryRows<[string]>(
    "SELECT count() - uniqExact(device, msg_id) FROM telemetry.events WHERE tbl = 'counter'",
  );
  return Number(row?.[0] ?? 0);
}

function figures(turns: Turn[], written: number, raw: number): string {
  const of = (way: Way) => {
    const some = turns.filter((one) => one.way === way);
    const most = (key: 'shardsS' | 'eventsS') => Math.max(...some.map((one) => one[key])).toFixed(1);
    return `${way} ${some.length} times: shards taken within ${most('shardsS')} s, events of all devices stored within ${most('eventsS')} s`;
  };
  const events = written * DEVICES * SOURCES.length;
  return [`${events} events, 0 lost, 0 doubled, ${raw} inserted again`, ...WAYS.map(of)].join('\n');
}
