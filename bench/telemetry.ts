/**
 * The telemetry store alone, beside PostgreSQL 15 fed by COPY on the same machine in the same run.
 *
 * `node bench/telemetry.ts [--seconds 10] [--years 3]`: seconds of inserting into each, and how many inverters have a
 * year of history for the disk and the chart.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { ALL_DEVICES } from '@albedo/cloud/access/device-scope';
import type { TelemetryBlock } from '@albedo/cloud/telemetry/telemetry.blocks';
import { TelemetryStore } from '@albedo/cloud/telemetry/telemetry.store';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { deviceId, Inverter, inverterBlock, POINTS_AN_EVENT } from './telemetry.data.ts';
import { Postgres15 } from './telemetry.postgres.ts';

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, years: { type: 'string', default: '2' } },
});
const SECONDS = Number(flags.seconds);
const INVERTERS = Number(flags.years);
const DEVICES = 1000;
const BATCH_EVENTS = 10_000;
const MINUTE = 60_000;
const YEAR_EVENTS = 105_120;
const START = Date.UTC(2025, 0, 1);

const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-telemetry-'));
const log = { info() {}, warn: (facts: object, message: string) => console.error(message, facts) };
const engine = await startEmbeddedClickHouse({ dataDir: folder, log });
const clickhouse = connectClickHouse(engine);
const store = new TelemetryStore({ clickhouse, log });
const postgres = new Postgres15();
try {
  await store.start();
  await postgres.start();
  await compareInserts();
  await compareHistory();
} finally {
  postgres.stop();
  await store.stop();
  await clickhouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A second of a fleet: some devices with a few events each, 15 fields an event. */
function* fleet(): Generator<TelemetryBlock[]> {
  const inverters = Array.from({ length: DEVICES }, () => new Inverter());
  const perDevice = BATCH_EVENTS / DEVICES;
  // Made ahead, so that making the numbers is not measured; numbers and times are new each time round.
  const made = inverters.map((inverter, i) =>
    inverterBlock(
      i,
      1,
      Array.from(
        { length: 40 * perDevice },
        (_, n): BatchRow => [0, 0, ...inverter.read(START + n * 5 * MINUTE + 8 * 3_600_000, 5 * MINUTE)],
      ),
    ),
  );
  for (let round = 0; ; round++) {
    yield made.map((block) => ({
      ...block,
      rows: Array.from({ length: perDevice }, (_, n): BatchRow => {
        const row = block.rows[(round * perDevice + n) % block.rows.length] as BatchRow;
        row[0] = 1.8e15 + round * perDevice + n;
        row[1] = START + (round * perDevice + n) * 1000;
        return [...row];
      }),
    }));
  }
}

async function compareInserts(): Promise<void> {
  const batches = fleet();
  const next = () => batches.next().value as TelemetryBlock[];
  await store.insert(next(), 'warm-up');
  const ours = await measure((n) => store.insert(next(), `batch-${n}`));

  await postgres.ask(tableSql('plain'));
  await postgres.ask(
    `${tableSql('keyed')} ALTER TABLE keyed ADD PRIMARY KEY (device, source, event_time, msg_id);`,
  );
  const copy = (table: string) =>
    measure(async () => {
      await postgres.ask(copySql(table, next()));
    });
  const plain = await copy('plain');
  const keyed = await copy('keyed');

  const million = (events: number) => `${((events * POINTS_AN_EVENT) / 1e6).toFixed(3)} M points/s`;
  console.log(
    `Inserting ${POINTS_AN_EVENT} fields an event, ${BATCH_EVENTS} events a batch, each batch durable, ${SECONDS} s each`,
  );
  print(
    'telemetry store (dedup, latest values)',
    `${ours.perSecond} events/s`,
    million(ours.perSecond),
    `${ours.nodeCores.toFixed(2)} cores of Node, ${ours.engineCores.toFixed(2)} of the engine`,
  );
  print(
    'PostgreSQL COPY, no index',
    `${plain.perSecond} events/s`,
    million(plain.perSecond),
    `store is ${ratio(ours.perSecond, plain.perSecond)}`,
  );
  print(
    'PostgreSQL COPY, primary key',
    `${keyed.perSecond} events/s`,
    million(keyed.perSecond),
    `store is ${ratio(ours.perSecond, keyed.perSecond)}`,
  );
  const at13k = (ours.nodeCores / ours.perSecond) * 13_334;
  print(
    '200,000 points/s would cost',
    `${at13k.toFixed(2)} cores of Node`,
    `${((ours.engineCores / ours.perSecond) * 13_334).toFixed(2)} cores of the engine`,
  );
}

async function measure(insert: (n: number) => Promise<void>) {
  const node = process.cpuUsage();
  const before = engineSeconds();
  const started = performance.now();
  let batches = 0;
  while (performance.now() - started < SECONDS * 1000) await insert(batches++);
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(node);
  return {
    perSecond: Math.round((batches * BATCH_EVENTS) / seconds),
    nodeCores: (used.user + used.system) / 1e6 / seconds,
    engineCores: (engineSeconds() - before) / seconds,
  };
}

/** Processor time of the engine's process so far. */
function engineSeconds(): number {
  const fields = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function compareHistory(): Promise<void> {
  await clickhouse.exec('TRUNCATE TABLE telemetry.events');
  await postgres.ask(
    `${tableSql('history')} ALTER TABLE history ADD PRIMARY KEY (device, source, event_time, msg_id);`,
  );
  let msgId = 1.8e15;
  for (let source = 1; source <= INVERTERS; source++) {
    const inverter = new Inverter();
    for (let at = 0; at < YEAR_EVENTS; at += BATCH_EVENTS) {
      const rows = Array.from({ length: Math.min(BATCH_EVENTS, YEAR_EVENTS - at) }, (_, n): BatchRow => {
        // A polling agent is never exactly on the minute.
        const time = START + (at + n) * 5 * MINUTE + Math.floor(Math.random() * 900);
        return [msgId++, time, ...inverter.read(time, 5 * MINUTE)];
      });
      const block = inverterBlock(1, source, rows);
      await store.insert([block], `history-${source}-${at}`);
      await postgres.ask(copySql('history', [block]));
    }
  }
  await clickhouse.exec('OPTIMIZE TABLE telemetry.events FINAL');
  const points = INVERTERS * YEAR_EVENTS * POINTS_AN_EVENT;
  const [size] = await clickhouse.queryRows<[string]>(
    "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'telemetry' AND table = 'events'",
  );
  const ours = Number(size?.[0]) / points;
  const theirs = Number(await postgres.ask("SELECT pg_total_relation_size('history');")) / points;
  console.log(
    `\nA year of ${INVERTERS} inverters at 5 minutes: ${(points / 1e6).toFixed(1)} M points on disk, keys and times included`,
  );
  print('telemetry store', `${ours.toFixed(2)} bytes a point`);
  print('PostgreSQL', `${theirs.toFixed(2)} bytes a point`, `store is ${ratio(theirs, ours)} smaller`);

  const query = {
    from: START,
    to: START + 365 * 86_400_000,
    maxPoints: 2000,
    series: [{ device: deviceId(1), table: 'solar', source: 'inv-01', field: 'AC Power' }],
  };
  const ms = await median(() => store.series('bench', ALL_DEVICES, seriesQuery.parse(query)));
  const sql = `SELECT count(*) FROM (SELECT floor(extract(epoch FROM event_time) / 18000) b, min(v0), avg(v0), max(v0) FROM history WHERE device = '${deviceId(1)}' AND source = 'inv-01' AND event_time >= '2025-01-01' AND event_time < '2026-01-01' GROUP BY b) x;`;
  await postgres.ask('VACUUM ANALYZE history;');
  const pgMs = await median(() => postgres.ask(sql));
  const page = await median(() =>
    store.search('bench', ALL_DEVICES, 'solar', {
      filters: [],
      filterOperator: 'AND' as const,
      scroll: false,
      timeframe: undefined,
      dateField: 'event_time',
      timezone: 'UTC',
      sort: '-event_time',
      rows: 50,
      aggs: [],
    }),
  );
  console.log('\nA year of one field charted (105,120 values to 2,000 points)');
  print('telemetry store', `${ms.toFixed(0)} ms`);
  print('PostgreSQL, the same buckets', `${pgMs.toFixed(0)} ms`, `store is ${ratio(pgMs, ms)} faster`);
  print('newest 50 events of the table, with the total', `${page.toFixed(0)} ms`);
}

async function median(task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 12; i++) {
    const started = performance.now();
    await task();
    times.push(performance.now() - started);
  }
  return times.slice(1).sort((a, b) => a - b)[5] ?? 0;
}

function tableSql(table: string): string {
  const values = Array.from({ length: POINTS_AN_EVENT }, (_, i) => `v${i} float8`).join(', ');
  return `CREATE TABLE ${table} (device uuid, source text, event_time timestamptz, msg_id bigint, ${values});`;
}

function copySql(table: string, blocks: TelemetryBlock[]): string {
  let lines = `COPY ${table} FROM STDIN;\n`;
  for (const { device, stream, rows } of blocks) {
    for (const [msgId, at, ...values] of rows) {
      lines += `${device}\t${stream.source}\t${new Date(at).toISOString()}\t${msgId}\t${values.join('\t')}\n`;
    }
  }
  return `${lines}\\.`;
}

function ratio(a: number, b: number): string {
  return `${(a / b).toFixed(2)} x`;
}

function print(name: string, ...figures: string[]): void {
  console.log(`  ${name.padEnd(46)} ${figures.join('   ')}`);
}
