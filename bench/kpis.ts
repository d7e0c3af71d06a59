/**
 * How fast a KPI over many entities and a year is answered from kept days, beside the same figures from the values
 * themselves, in one run and in turns; and what one late hour costs.
 * `node bench/kpis.ts [--entities 1000] [--days 365] [--readings 12] [--rounds 5]`
 *
 * Each entity has one counter, with so many readings a day, five minutes apart. Real ones have 288: the kept days cost the
 * same then, the values 24 times as much. What processors spent is counted too, since times vary with what else runs.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { WholeWorkgroup, WindowsQuery } from '@albedo/cloud/telemetry/telemetry.service';
import { windowEdges } from '@albedo/cloud/telemetry/telemetry.service';
import { NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { WORKGROUP } from './bench-cloud.ts';
import { startWithEngine } from './bench-engine.ts';
import { percentile } from './percentile.ts';

const { values: flags } = parseArgs({
  options: {
    entities: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
    readings: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '5' },
  },
});
const [ENTITIES, DAYS, READINGS, ROUNDS] = [flags.entities, flags.days, flags.readings, flags.rounds].map(
  Number,
) as [number, number, number, number];
const MINUTE = 60_000;
const DAY = 86_400_000;
const NOON = 12 * 60 * MINUTE;
const BATCH_EVENTS = 20_000;
const ZONE = 'Etc/UTC';
const TO = Math.floor(Date.now() / DAY) * DAY;
const FROM = TO - DAYS * DAY;
const STREAM = {
  table: 'meters',
  source: 'meter',
  fields: [{ name: 'Energy', type: 'decimal' as const, units: 'kWh' }],
};

const engine = await startWithEngine();
const { bench } = engine;
try {
  const { postgres, registry, workgroups, telemetry, entities } = bench.cloud.features;
  await postgres.query(
    `INSERT INTO devices (id, workgroup, name, arch, meta)
     SELECT gen_random_uuid(), $1, 'Meter ' || n, 'amd64', '{}'::jsonb FROM generate_series(1, $2::int) n`,
    [WORKGROUP, ENTITIES],
  );
  await postgres.query(
    `INSERT INTO workgroup_addons (workgroup, id, name) VALUES ($1, 'calculations', 'Calculations')`,
    [WORKGROUP],
  );
  await registry.start();
  await workgroups.tellChanged(WORKGROUP);
  const devices = registry.inWorkgroup(WORKGROUP).map(({ id }) => id);
  await feed(devices);
  const sites = devices.map((deviceId, i) => ({
    id: `site${i}`,
    name: `Site ${i}`,
    signals: { ...NO_SIGNALS, sources: [{ deviceId, source: STREAM.source }] },
  }));
  await postgres.query(
    `INSERT INTO entities (workgroup, id, parent, name, labels, meta, signals, settings)
     SELECT $1, id, 'group', name, '[]'::jsonb, '{}'::jsonb, signals, '{}'::jsonb
     FROM jsonb_to_recordset($2::jsonb) AS site (id text, name text, signals jsonb)`,
    [WORKGROUP, JSON.stringify(sites)],
  );
  await ask('POST', `entities/${WORKGROUP}`, { _id: 'group', name: 'All', meta: { timezone: ZONE } });
  console.log(
    `${(await entities.all(WORKGROUP)).length - 1} entities, ${DAYS} days, ${READINGS} readings a day; load ${loadavg()[0]?.toFixed(1)}`,
  );
  await compare(devices, telemetry.asSystem('export', WORKGROUP));
  console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await engine.stop();
}

async function feed(devices: readonly string[]): Promise<void> {
  const { telemetry } = bench.cloud.features;
  const together = Math.max(1, Math.floor(BATCH_EVENTS / (DAYS * READINGS)));
  for (let at = 0; at < devices.length; at += together) {
    const blocks = devices.slice(at, at + together).map((device) => ({
      workgroup: WORKGROUP,
      device,
      stream: STREAM,
      rows: Array.from({ length: DAYS * READINGS }, (_, n): BatchRow => {
        const time = FROM + Math.floor(n / READINGS) * DAY + NOON + (n % READINGS) * 5 * MINUTE;
        return [n + 1, time, n * 0.7 + (n % 5)];
      }),
    }));
    await telemetry.asSystem('ingest').insert(blocks, randomUUID());
  }
}

async function compare(devices: readonly string[], reader: WholeWorkgroup): Promise<void> {
  const edges = windowEdges({ from: FROM, to: TO }, '1d', ZONE, 4000) ?? [];
  const query: WindowsQuery = {
    ...{ table: STREAM.table, dateField: 'event_time', edges, operator: 'difference', percent: 50 },
    ...{ rollsOverAt: null, states: [], above: null, below: null, slice: null },
    streams: devices.map((device) => ({
      ...{ device, source: STREAM.source, field: 'Energy', factor: 1, offset: 0 },
    })),
  };
  const kpi = {
    name: 'Energy',
    values: {
      energy: {
        kind: 'aggregate',
        streams: { table: STREAM.table, field: 'Energy' },
        operator: 'difference',
        units: 'kWh',
      },
    },
  };
  const question = { entity: 'group', from: FROM, to: TO, interval: '1d' };
  const overHttp = () => ask('POST', `kpiPreview/${WORKGROUP}`, { kpi, question });
  const kept = () => reader.windows({ ...query, days: ZONE });
  // What was stored in the last half minute is looked at again by each question.
  await wait(31_000);
  console.log('ms: p50 and p95 of wall clock; processor time of engine and server'.padEnd(60));
  const making = await measure('the year the first time, days made and kept', 1, kept);
  const raw = await measure('windows from the values', ROUNDS, () => reader.windows(query));
  const fromDays = await measure('windows from kept days', ROUNDS, kept);
  const http = await measure('the KPI over HTTP, from kept days', ROUNDS, overHttp);
  let number = 10_000_000;
  const late = async () => {
    const rows = Array.from(
      { length: 12 },
      (_, i): BatchRow => [number++, FROM + 100 * DAY + i * 5 * MINUTE, 7],
    );
    const block = { workgroup: WORKGROUP, device: devices[3] as string, stream: STREAM, rows };
    await bench.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
  };
  // The hour is stored first, and not measured: the cost is that of the first answer after it.
  const after = await measure('windows after a late hour of one entity', ROUNDS, kept, late);
  console.log(
    [
      `kept days are ${(raw.ms / fromDays.ms).toFixed(1)} times as fast as the values (processor ${(raw.cpu / fromDays.cpu).toFixed(1)})`,
      `a late hour costs ${((after.cpu - fromDays.cpu) / making.cpu).toFixed(4)} of the year (aim 0.02)`,
      `over HTTP ${http.ms.toFixed(0)} ms (aim 200)`,
    ].join('\n'),
  );
}

async function measure(
  name: string,
  rounds: number,
  task: () => Promise<unknown>,
  before?: () => Promise<void>,
): Promise<{ ms: number; cpu: number }> {
  const times: number[] = [];
  let [engineMs, nodeMs] = [0, 0];
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    await before?.();
    const [node, engineBefore, started] = [process.cpuUsage(), engine.spentMs(), performance.now()];
    await task();
    if (round < 0) continue;
    times.push(performance.now() - started);
    engineMs += engine.spentMs() - engineBefore;
    const { user, system } = process.cpuUsage(node);
    nodeMs += (user + system) / 1000;
  }
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  console.log(
    `${name.padEnd(46)} ${p50.toFixed(0).padStart(7)} ${p95.toFixed(0).padStart(7)} ${(engineMs / rounds).toFixed(0).padStart(7)} ${(nodeMs / rounds).toFixed(0).padStart(7)}`,
  );
  return { ms: p50, cpu: (engineMs + nodeMs) / rounds };
}

async function ask(method: string, path: string, body: object): Promise<unknown> {
  const reply = await fetch(`${bench.cloud.url}${API_PREFIX}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bench.token}`,
      'content-type': 'application/json',
      ...bench.forgery,
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}
