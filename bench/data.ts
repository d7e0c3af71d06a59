/**
 * How fast questions about telemetry are answered over HTTP, each beside the same question as SQL written by hand at the
 * engine and at PostgreSQL 15 with the same data, in one run and in turns; and what ten times the history costs.
 *
 * `node bench/data.ts [--points 10m] [--rounds 15] [--only year] [--no-postgres] [--profile]`
 *
 * The data: 200 devices with 15 fields an event, so 10m points are 667,000 events; the newest tenth of it is stored and asked
 * first. What processors spent is counted too, since times vary with what else runs on the machine and that hardly does.
 * `--profile` asks only us, and leaves what this program did in a file for each question in the folder of temporary files.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { WORKGROUP } from './bench-cloud.ts';
import { startWithEngine } from './bench-engine.ts';
import {
  copyTo,
  DAY,
  END,
  feed,
  introduce,
  introduceFleet,
  pointsOf,
  shapesOf,
  TABLE,
  YEAR,
} from './data.feed.ts';
import { type Question, questionsOf } from './data.questions.ts';
import { percentile } from './percentile.ts';
import { INVERTER_FIELDS, POINTS_AN_EVENT } from './telemetry.data.ts';
import { Postgres15 } from './telemetry.postgres.ts';

const { values: flags } = parseArgs({
  options: {
    points: { type: 'string', default: '10m' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    'no-postgres': { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const DEVICES = 200;
const FLEET = { table: 'fleet', devices: 10_000 };
const POINTS = Number(flags.points.replace(/m$/, '')) * (flags.points.endsWith('m') ? 1e6 : 1);
const ROUNDS = Number(flags.rounds);
/** Rounds that are not counted: code is compiled and files are read in them. */
const WARM = 5;
/** Of a machine with 4 GB for it. */
const POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=64MB',
  'max_wal_size=4GB',
  'effective_cache_size=4GB',
];

const engine = await startWithEngine();
const { bench, clickhouse } = engine;
const postgres = flags['no-postgres'] ? null : new Postgres15(POSTGRES_SETTINGS);
try {
  await postgres?.start();
  const all = await addDevices();
  const devices = all.slice(0, DEVICES);
  const shapes = shapesOf(devices, POINTS / POINTS_AN_EVENT);
  await introduce(bench, shapes);
  await introduceFleet(bench, FLEET.table, all);
  const slots = await slotsOf();
  const asked = questionsOf(devices, { table: FLEET.table, devices: all }, slots).filter(({ name }) =>
    name.includes(flags.only),
  );
  const tenth = END - Math.round(YEAR / 10);
  await feed(clickhouse, shapes, slots, { from: tenth, to: END });
  if (flags.profile) await feed(clickhouse, shapes, slots, { from: END - YEAR - DAY, to: tenth });
  if (flags.profile) {
    await keepHours(asked);
    await profile(asked);
  } else {
    const window = asked.filter(({ isWindow }) => isWindow);
    say('The newest tenth of it', shapes);
    const tenths = await compareAll(window, null);
    await feed(clickhouse, shapes, slots, { from: END - YEAR - DAY, to: tenth });
    await keepHours(asked);
    const started = performance.now();
    if (postgres) await copyTo(postgres, clickhouse, slots);
    if (postgres)
      console.log(`copied to PostgreSQL in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    say('All of it', shapes);
    const wholes = await compareAll(asked, postgres);
    console.log('ten times the history, the same window: times and processor time of the engine, ratio');
    for (const { name } of window) {
      const [few, many] = [tenths.get(name), wholes.get(name)];
      if (!few || !many) continue;
      const time = percentile(many.times, 0.5) / percentile(few.times, 0.5);
      console.log(`${name.padEnd(46)} ${time.toFixed(2)} ${(many.engine / few.engine).toFixed(2)}`);
    }
  }
  console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  postgres?.stop();
  await engine.stop();
}

async function addDevices(): Promise<string[]> {
  const { postgres: records, registry } = bench.cloud.features;
  await records.query(
    `INSERT INTO devices (id, workgroup, name, arch, meta)
     SELECT gen_random_uuid(), $1, 'Inverter ' || n, 'amd64', '{}'::jsonb FROM generate_series(1, $2::int) n`,
    [WORKGROUP, FLEET.devices],
  );
  await registry.start();
  return registry.inWorkgroup(WORKGROUP).map(({ id }) => id);
}

/** The columns of the fields, in their order. */
async function slotsOf(): Promise<string[]> {
  const rows = await clickhouse.queryRows<[string, string]>(
    `SELECT field, slot FROM telemetry.fields FINAL WHERE tbl = '${TABLE}' AND workgroup = '${WORKGROUP}'`,
  );
  const slots = new Map(rows.map(([field, slot]) => [field, `n${slot}`]));
  return INVERTER_FIELDS.map(({ name }) => slots.get(name) ?? '');
}

function say(what: string, shapes: Parameters<typeof pointsOf>[0]): void {
  const points = pointsOf(shapes).toLocaleString('en');
  console.log(
    `${what} (${points} data points, ${DEVICES} devices); ${ROUNDS} rounds; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** What was spent on a question: times, and processor time of the engine and of this program, s. */
interface Spent {
  times: number[];
  engine: number;
  node: number;
}

async function compareAll(
  questions: readonly Question[],
  other: Postgres15 | null,
): Promise<Map<string, Spent>> {
  console.log(
    `${'ms: p50 and p95; processor time of each'.padEnd(46)} ${'HTTP'.padStart(11)} ${'by hand'.padStart(11)}  ratio ${'PostgreSQL'.padStart(11)} queries  engine: ours by hand  node: ours by hand  aim`,
  );
  const all = new Map<string, Spent>();
  for (const question of questions) all.set(question.name, await compare(question, other));
  return all;
}

async function compare(
  { name, aim, http, sql, postgres: text }: Question,
  other: Postgres15 | null,
): Promise<Spent> {
  const [ours, theirs, third] = [spent(), spent(), spent()];
  const before = await queriesSoFar();
  await ask(http);
  const queries = (await queriesSoFar()) - before - 1;
  for (let round = -WARM; round < ROUNDS; round++) {
    await spend(round < 0 ? null : ours, () => ask(http));
    await spend(round < 0 ? null : theirs, () => clickhouse.queryRows(sql));
    if (other && text) await spend(round < 0 ? null : third, () => other.ask(`${text};`));
  }
  const both = ({ times }: Spent) =>
    (times.length === 0
      ? '-'
      : `${percentile(times, 0.5).toFixed(0)} ${percentile(times, 0.95).toFixed(0)}`
    ).padStart(11);
  const each = (seconds: number) => ((seconds * 1000) / ROUNDS).toFixed(0).padStart(5);
  const ratio = percentile(ours.times, 0.5) / percentile(theirs.times, 0.5);
  console.log(
    `${name.padEnd(46)} ${both(ours)} ${both(theirs)} ${ratio.toFixed(2).padStart(6)} ${both(third)} ${String(queries).padStart(3)} ${each(ours.engine)} ${each(theirs.engine)} ${each(ours.node)} ${each(theirs.node)} ${String(aim).padStart(5)}`,
  );
  return ours;
}

/** What a question over a long range has kept for the next one, which the server makes within minutes of the first. */
async function keepHours(questions: readonly Question[]): Promise<void> {
  for (const { http } of questions) await ask(http);
  // What was fed last says that it was stored long ago.
  for (const name of ['chart_extents', 'chart_hours'])
    await clickhouse.exec(`TRUNCATE TABLE telemetry.${name}`);
  const started = performance.now();
  await bench.cloud.features.telemetry.asSystem('kept hours').keepHours(undefined, true);
  const [row] = await clickhouse.queryRows<[string, string]>(
    "SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE table = 'chart_hours' AND active",
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `hours kept in ${seconds} s, half of them pauses: ${row?.[0]} rows, ${(Number(row?.[1]) / 1e6).toFixed(1)} MB`,
  );
  // For so long the server remembers that nothing was kept.
  await delay(6000);
}

async function profile(questions: readonly Question[]): Promise<void> {
  for (const { name, http } of questions) {
    for (let round = 0; round < WARM; round++) await ask(http);
    const ours = spent();
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    for (let round = 0; round < ROUNDS; round++) await spend(ours, () => ask(http));
    const { profile: found } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(join(tmpdir(), `${name.replace(/\W+/g, '-')}.cpuprofile`), JSON.stringify(found));
    const each = (seconds: number) => ((seconds * 1000) / ROUNDS).toFixed(1);
    console.log(
      `${name.padEnd(46)} p50 ${percentile(ours.times, 0.5).toFixed(1)} engine ${each(ours.engine)} node ${each(ours.node)}`,
    );
  }
}

function spent(): Spent {
  return { times: [], engine: 0, node: 0 };
}

async function spend(on: Spent | null, task: () => Promise<unknown>): Promise<void> {
  const node = process.cpuUsage();
  const before = engine.spentMs() / 1000;
  const started = performance.now();
  await task();
  if (!on) return;
  on.times.push(performance.now() - started);
  on.engine += engine.spentMs() / 1000 - before;
  const { user, system } = process.cpuUsage(node);
  on.node += (user + system) / 1e6;
}

async function queriesSoFar(): Promise<number> {
  const [row] = await clickhouse.queryRows<[string]>(
    "SELECT value FROM system.events WHERE event = 'SelectQuery'",
  );
  return Number(row?.[0] ?? 0);
}

async function ask({ method, path, body }: Question['http']): Promise<unknown> {
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
