/**
 * How fast questions about telemetry are answered over HTTP, each beside the same question as SQL written by hand at the
 * engine, in one run and in turns. `node bench/data.ts [--points 10m] [--rounds 15] [--only year]`
 *
 * The data: 200 devices with 15 fields an event, so 10m points are 667,000 events. A quarter of them is one device with a
 * value a minute, for a year where that many fit; half of them are eleven devices over a year, every five minutes or as
 * densely as fits; the rest is skewed among all others. What processors spent is counted too, since times vary with what
 * else runs on the machine and that hardly does.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import type { TelemetryBlock } from '@albedo/cloud/telemetry/telemetry.blocks';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';
import { INVERTER_FIELDS, Inverter, POINTS_AN_EVENT } from './telemetry.data.ts';

const { values: flags } = parseArgs({
  options: {
    points: { type: 'string', default: '10m' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
});
const MINUTE = 60_000;
const DAY = 86_400_000;
const YEAR = 365 * DAY;
const DEVICES = 200;
const BATCH_EVENTS = 20_000;
const TABLE = 'solar';
const SOURCE = 'inv-01';
const END = Math.floor(Date.now() / DAY) * DAY;
const POINTS = Number(flags.points.replace(/m$/, '')) * (flags.points.endsWith('m') ? 1e6 : 1);
const ROUNDS = Number(flags.rounds);
const EVENTS = Math.round(POINTS / POINTS_AN_EVENT);
/** Devices of a whole year, besides the one with a value a minute. */
const YEARLY = 11;
const YEARLY_MS = Math.max(5, Math.ceil(YEAR / MINUTE / ((EVENTS * 0.5) / YEARLY))) * MINUTE;

let waiting: TelemetryBlock[] = [];

const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-engine-'));
const log = { info() {}, warn: (facts: object, message: string) => console.error(message, facts) };
const engine = await startEmbeddedClickHouse({ dataDir: folder, log });
const clickhouse = connectClickHouse(engine);
// The engine is this program's, so that it can be asked directly too.
const address = new URL(engine.url);
Object.assign(address, { username: engine.username ?? '', password: engine.password ?? '' });
const bench = await BenchCloud.start({ CLICKHOUSE_URL: address.href });
try {
  const { postgres, registry } = bench.cloud.features;
  await postgres.query(
    `INSERT INTO devices (id, workgroup, name, arch, meta)
     SELECT gen_random_uuid(), $1, 'Inverter ' || n, 'amd64', '{}'::jsonb FROM generate_series(1, $2::int) n`,
    [WORKGROUP, DEVICES],
  );
  await registry.start();
  const devices = registry.inWorkgroup(WORKGROUP).map(({ id }) => id);
  const events = await feed(devices);
  console.log(
    `${(events * POINTS_AN_EVENT).toLocaleString('en')} data points, ${DEVICES} devices, years at ${YEARLY_MS / MINUTE} min; ${ROUNDS} rounds; load ${loadavg()[0]?.toFixed(1)}`,
  );
  await compareAll(devices);
  console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await bench.stop();
  await clickhouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** How many events a device has, and how far apart they are. */
function shapeOf(i: number): { count: number; stepMs: number } {
  if (i === 0) return { count: Math.min(YEAR / MINUTE, Math.round(EVENTS * 0.25)), stepMs: MINUTE };
  if (i <= YEARLY) return { count: Math.floor(YEAR / YEARLY_MS), stepMs: YEARLY_MS };
  // One after the other has less; the sum of all is a quarter.
  return { count: Math.max(60, Math.round((EVENTS * 0.25) / (6 * (i - YEARLY)))), stepMs: 5 * MINUTE };
}

/** Stores the events of all devices; answers how many there are. */
async function feed(devices: readonly string[]): Promise<number> {
  let stored = 0;
  const stream = { table: TABLE, source: SOURCE, fields: INVERTER_FIELDS };
  for (const [i, device] of devices.entries()) {
    const { count, stepMs } = shapeOf(i);
    const inverter = new Inverter();
    for (let at = 0; at < count; at += BATCH_EVENTS) {
      const rows = Array.from({ length: Math.min(BATCH_EVENTS, count - at) }, (_, n): BatchRow => {
        const time = END - (count - at - n) * stepMs;
        return [at + n + 1, time, ...inverter.read(time, stepMs)];
      });
      await store([{ workgroup: WORKGROUP, device, stream, rows }]);
    }
    stored += count;
  }
  await store([]);
  return stored;
}

/** In statements of about the same size; without blocks what is left. */
async function store(blocks: TelemetryBlock[]): Promise<void> {
  waiting.push(...blocks);
  if (blocks.length > 0 && waiting.reduce((sum, { rows }) => sum + rows.length, 0) < BATCH_EVENTS) return;
  await bench.cloud.features.telemetry.asSystem('ingest').insert(waiting, randomUUID());
  waiting = [];
}

interface Question {
  name: string;
  /** ms. */
  aim: number;
  http: () => Promise<unknown>;
  sql: () => string;
}

async function compareAll(devices: readonly string[]): Promise<void> {
  const [row] = await clickhouse.queryRows<[string]>(
    `SELECT slot FROM telemetry.fields FINAL WHERE tbl = '${TABLE}' AND field = 'AC Power' AND workgroup = '${WORKGROUP}'`,
  );
  const power = `n${row?.[0]}`;
  const at = (ms: number) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
  const of = (some: readonly string[], from: number) =>
    `workgroup = '${WORKGROUP}' AND tbl = '${TABLE}' AND device IN (${some.map((id) => `'${id}'`).join(', ')})
     AND event_time >= ${at(from)} AND event_time < ${at(END)}`;
  const keys = (some: readonly string[]) =>
    some.map((device) => ({ device, table: TABLE, source: SOURCE, field: 'AC Power' }));
  const series = (some: readonly string[], from: number, more: object) =>
    ask('POST', `series/${WORKGROUP}`, { from, to: END, series: keys(some), ...more });
  const buckets = (some: readonly string[], from: number, stepMs: number) =>
    `SELECT device, source, intDiv(toUnixTimestamp64Milli(event_time), ${stepMs}) AS b, min(${power}), avg(${power}), max(${power}), count(${power})
     FROM telemetry.events FINAL WHERE ${of(some, from)} GROUP BY device, source, b ORDER BY b`;
  const one = devices.slice(0, 1);
  const other = devices.slice(1, 2);
  const twelve = devices.slice(0, 12);
  const fifty = devices.slice(0, 50);
  const filters = [
    { field: 'AC Power', operator: '>', value: 20_000 },
    { field: 'device', operator: '=', value: one[0] },
  ];
  const search = new URLSearchParams({ timeframe: 'last-30-days', rows: '50', sort: '-event_time' });
  for (const filter of filters) search.append('filters', JSON.stringify(filter));
  const searched = `workgroup = '${WORKGROUP}' AND tbl = '${TABLE}' AND ${power} > 20000 AND device = '${one[0]}' AND event_time >= ${at(END - 29 * DAY)}`;
  const values = Array.from({ length: POINTS_AN_EVENT }, (_, i) => `n${i}`).join(', ');
  const questions: Question[] = [
    {
      name: 'one stream, a day, raw',
      aim: 20,
      http: () => series(other, END - DAY, {}),
      sql: () =>
        `SELECT toUnixTimestamp64Milli(event_time), ${power} FROM telemetry.events FINAL WHERE ${of(other, END - DAY)} ORDER BY event_time`,
    },
    {
      name: 'one stream, a year to 1,000 points',
      aim: 40,
      http: () => series(other, END - YEAR, { maxPoints: 1000 }),
      sql: () => buckets(other, END - YEAR, 8.76 * 3_600_000),
    },
    {
      name: 'twelve streams, a year to 1,000 points',
      aim: 100,
      http: () => series(twelve, END - YEAR, { maxPoints: 1000 }),
      sql: () => buckets(twelve, END - YEAR, 8.76 * 3_600_000),
    },
    {
      name: '50 devices by hour, 30 days',
      aim: 100,
      http: () => series(fifty, END - 30 * DAY, { interval: '1h' }),
      sql: () => buckets(fifty, END - 30 * DAY, 3_600_000),
    },
    {
      name: 'search with two filters, newest 50 and total',
      aim: 150,
      http: () => ask('GET', `tables/${WORKGROUP}/${TABLE}/search?${search}`),
      sql: () =>
        `SELECT device, source, event_time, msg_id, store_time, ${values}, count() OVER () FROM telemetry.events FINAL
         WHERE ${searched} ORDER BY event_time DESC LIMIT 50`,
    },
    {
      name: 'the newest value of each device',
      aim: 150,
      http: () => ask('GET', `devices/${WORKGROUP}/device/latestValues?table=${TABLE}&field=AC+Power`),
      sql: () =>
        `SELECT device, source, event_time, ${power} FROM telemetry.latest FINAL WHERE workgroup = '${WORKGROUP}' AND tbl = '${TABLE}'`,
    },
    {
      name: 'a year of a value a minute, with extremes',
      aim: 200,
      http: () => series(one, END - YEAR, { maxPoints: 2000 }),
      sql: () => buckets(one, END - YEAR, 4.38 * 3_600_000),
    },
  ];
  console.log(
    `${'ms: p50 and p95; processor time of each'.padEnd(44)} ${'HTTP'.padStart(11)} ${'by hand'.padStart(11)}  ratio  queries  engine: ours by hand  node: ours by hand  aim`,
  );
  for (const question of questions.filter(({ name }) => name.includes(flags.only))) await compare(question);
}

/** What was spent on a question: times, and processor time of the engine and of this program, s. */
interface Spent {
  times: number[];
  engine: number;
  node: number;
}

async function compare({ name, aim, http, sql }: Question): Promise<void> {
  const ours: Spent = { times: [], engine: 0, node: 0 };
  const theirs: Spent = { times: [], engine: 0, node: 0 };
  const before = await queriesSoFar();
  await http();
  const queries = (await queriesSoFar()) - before - 1;
  for (let round = -1; round < ROUNDS; round++) {
    await spend(round < 0 ? null : ours, http);
    await spend(round < 0 ? null : theirs, () => clickhouse.queryRows(sql()));
  }
  const both = ({ times }: Spent) =>
    `${percentile(times, 0.5).toFixed(0)} ${percentile(times, 0.95).toFixed(0)}`.padStart(11);
  const each = (seconds: number) => ((seconds * 1000) / ROUNDS).toFixed(0).padStart(5);
  const ratio = percentile(ours.times, 0.5) / percentile(theirs.times, 0.5);
  console.log(
    `${name.padEnd(44)} ${both(ours)} ${both(theirs)} ${ratio.toFixed(2).padStart(6)} ${String(queries).padStart(3)} ${each(ours.engine)} ${each(theirs.engine)} ${each(ours.node)} ${each(theirs.node)} ${String(aim).padStart(5)}`,
  );
}

async function spend(on: Spent | null, task: () => Promise<unknown>): Promise<void> {
  const node = process.cpuUsage();
  const before = engineSeconds();
  const started = performance.now();
  await task();
  if (!on) return;
  on.times.push(performance.now() - started);
  on.engine += engineSeconds() - before;
  const { user, system } = process.cpuUsage(node);
  on.node += (user + system) / 1e6;
}

/** Processor time of the engine's process so far. */
function engineSeconds(): number {
  const fields = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function queriesSoFar(): Promise<number> {
  const [row] = await clickhouse.queryRows<[string]>(
    "SELECT value FROM system.events WHERE event = 'SelectQuery'",
  );
  return Number(row?.[0] ?? 0);
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${bench.cloud.url}${API_PREFIX}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bench.token}`,
      ...(body ? { 'content-type': 'application/json', ...bench.forgery } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}
