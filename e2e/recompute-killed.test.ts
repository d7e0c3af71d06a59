/**
 * What changes the past (late events over the real road, a fact that holds from another day on, another definition) is computed
 * again while the cloud is killed at random moments of it. Afterwards everything stored is what somebody with paper makes of the
 * raw rows, exactly what was touched was written, and the list of changes leads from each old number to its new one.
 *
 * The short form has late events of few meters and one kill; that of `ALBEDO_TEST_LONG` has all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { calculationsApi } from '@albedo/contract/calculations/calculations.api';
import type { Calculation, CalculationChange } from '@albedo/contract/calculations/calculations.schema';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { kpisApi } from '@albedo/contract/kpis/kpis.api';
import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import { openPostgres } from '@albedo/postgres/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';
import { randomOf } from './harness/random.ts';
import { OWNER } from './owner.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const isLong = process.env.ALBEDO_TEST_LONG === '1';
const DAYS = isLong ? 12 : 4;
const EVERY = 15 * MINUTE;
const METERS = isLong ? ['a', 'b', 'c', 'd', 'e'] : ['a', 'b'];
const HEADER = 'Datetime(date),E(integer)';
const WAIT_S = 240;
/** Kills while one change is computed; more by hand. */
const KILLS = process.env.ALBEDO_FAULTS_MINUTES ? 6 : isLong ? 2 : 1;
const SEED = Number(process.env.ALBEDO_FAULTS_SEED ?? Math.floor(Math.random() * 1e6));
const random = randomOf(SEED);
/** Nothing of it is live: the last day ended days ago. */
const END = Math.floor(Date.now() / DAY) * DAY - 3 * DAY;
const BEGIN = END - DAYS * DAY;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

type Reading = readonly [at: number, value: number];
/** By `entity at`. */
type Numbers = Map<string, number>;

const folder = mkdtempSync(join(tmpdir(), 'albedo-recompute-'));
const data = join(folder, 'data');
let cloud: Cloud;
let agent: EdgeAgent;
let wg = '';
beforeAll(async () => {
  const env = { ALBEDO_STAFF_DOMAINS: 'albedo.local', ALBEDO_ADDON_MANAGERS: OWNER.email };
  cloud = new Cloud({ data, httpPort: await freePort(), mqttPort: await freePort(), env });
  await cloud.start();
  wg = await cloud.signIn();
  for (const id of ['calculations', 'entities'] as const)
    await cloud.api.call(addonsApi.add, { params: { wg }, body: { id } });
  agent = await EdgeAgent.install(cloud, wg, 'plant', folder);
}, 180_000);
afterAll(async () => {
  await Promise.all([cloud.program.end('SIGKILL'), agent?.program.end('SIGKILL')]);
  rmSync(folder, { recursive: true, force: true });
});

const write = (source: string, readings: readonly Reading[]) => {
  const lines = readings.map(([at, value]) => `${new Date(at).toISOString()},${value}`);
  if (lines.length > 0) agent.write('meters', source, HEADER, lines.join('\n'));
};

/**
 * Whether a counter that shows this began anew by any rule when it shows little next: it was neither set back a little, nor
 * does it roll over at 1000.
 */
const mayBeginAnew = (value: number): boolean => value > 600 && Math.abs(value - 1000) > 150;

/** Counters, some of which begin again; of each hour that is drawn everything comes late. */
function readingsOf(): { now: Map<string, Reading[]>; late: Map<string, Reading[]> } {
  const [now, late] = [new Map<string, Reading[]>(), new Map<string, Reading[]>()];
  for (const meter of METERS) {
    const all: Reading[] = [];
    let value = 0;
    for (let at = BEGIN; at < END; at += EVERY) {
      value = random() < 0.01 && mayBeginAnew(value) ? 0 : value + Math.ceil(random() * 20);
      all.push([at, value]);
    }
    const lateHours = new Set(Array.from({ length: 2 * DAYS }, () => Math.floor(random() * DAYS * 24)));
    // Without the first hour of a day, what was counted over midnight is shared otherwise: sums of days change as well.
    lateHours.add(24);
    const isLate = ([at]: Reading) => lateHours.has(Math.floor((at - BEGIN) / HOUR));
    now.set(
      meter,
      all.filter((one) => !isLate(one)),
    );
    late.set(meter, all.filter(isLate));
  }
  return { now, late };
}

/** Increases by pieces of time: each is shared over the time between its two readings. */
function increases(readings: readonly Reading[], lengthMs: number): Map<number, number> {
  const sums = new Map<number, number>();
  const inOrder = readings.toSorted(([a], [b]) => a - b);
  for (const [i, [at, value]] of inOrder.entries()) {
    const [from, before] = inOrder[i - 1] ?? [at, value];
    // Before the first reading nothing was counted.
    if (at === from) continue;
    const gain = value >= before ? value - before : value;
    // What was counted belongs to the time between the two readings.
    for (let piece = Math.floor(from / lengthMs) * lengthMs; piece < at; piece += lengthMs) {
      const part = (Math.min(at, piece + lengthMs) - Math.max(from, piece)) / (at - from);
      sums.set(piece, (sums.get(piece) ?? 0) + gain * part);
    }
  }
  return sums;
}

interface Facts {
  scale: number;
  /** Of meter a, from a day on. */
  peak: (meter: string, at: number) => number;
}

function expected(raw: ReadonlyMap<string, readonly Reading[]>, { scale, peak }: Facts) {
  const [hourly, daily]: [Numbers, Numbers] = [new Map(), new Map()];
  for (const meter of METERS)
    for (const [at, sum] of increases(raw.get(meter) ?? [], HOUR)) {
      const value = (sum * scale) / peak(meter, at);
      hourly.set(`${meter} ${at}`, value);
      const day = `site ${Math.floor(at / DAY) * DAY}`;
      daily.set(day, (daily.get(day) ?? 0) + value);
    }
  return { hourly, daily };
}

interface Stored {
  raw: Map<string, Reading[]>;
  /** By calculation. */
  numbers: Map<string, Numbers>;
  /** Places that were written since the instant, by calculation. */
  written: Map<string, Set<string>>;
  changes: (CalculationChange & { id: number; calculation: string })[];
  waiting: number;
}

/** What lies on the disk, by SQL and without any part of the cloud, which is killed for it. */
async function stored(since: number): Promise<Stored> {
  await cloud.program.end('SIGKILL');
  const engine = await startEmbeddedClickHouse({ dataDir: join(data, 'telemetry'), log: quiet });
  const clickhouse = connectClickHouse(engine);
  const found: Stored = {
    ...{ raw: new Map(), numbers: new Map(), written: new Map() },
    ...{ changes: [], waiting: 0 },
  };
  const within = `event_time >= fromUnixTimestamp64Milli(${BEGIN}) AND event_time < fromUnixTimestamp64Milli(${END})`;
  try {
    const slots = await clickhouse.queryRows<[string, string, number]>(
      "SELECT tbl, field, slot FROM telemetry.fields FINAL WHERE kind = 'n' AND (tbl, field) IN (('meters', 'E'), ('hourly', 'yield'), ('daily', 'total'))",
    );
    for (const [table, , slot] of slots) {
      const rows = await clickhouse.queryRows<[string, string, string, number, string]>(
        `SELECT toString(device), source, toUnixTimestamp64Milli(event_time), n${slot}, toUnixTimestamp64Milli(store_time)
         FROM telemetry.events FINAL WHERE tbl = {table:String} AND n${slot} IS NOT NULL AND ${within}`,
        { params: { table } },
      );
      for (const [device, source, at, value, storedAt] of rows) {
        if (table === 'meters') {
          found.raw.set(source, [...(found.raw.get(source) ?? []), [Number(at), value]]);
          continue;
        }
        const place = `${source} ${at}`;
        found.numbers.set(device, (found.numbers.get(device) ?? new Map()).set(place, value));
        if (Number(storedAt) < since) continue;
        found.written.set(device, (found.written.get(device) ?? new Set()).add(place));
      }
    }
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
  const postgres = await openPostgres({ dataDir: join(data, 'postgres'), log: quiet });
  try {
    found.changes = await postgres.query(
      'SELECT id::int, calculation, entity, field, at, was, now, cause FROM calculation_changes ORDER BY id',
    );
    const [row] = await postgres.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM calculation_work WHERE due_at <= ${Date.now()} AND to_at <= ${END}`,
    );
    found.waiting = row?.count ?? -1;
  } finally {
    await postgres.close();
  }
  await start();
  return found;
}

async function start(): Promise<void> {
  await cloud.start();
  await cloud.api.signIn(OWNER.email, OWNER.password);
}

/** What the cloud says that it wrote. */
async function toldBy({ _id }: Calculation, field: string, entities: readonly string[]): Promise<Numbers> {
  const numbers: Numbers = new Map();
  for (const entity of entities) {
    const { starts, fields } = await cloud.api.call(calculationsApi.values, {
      params: { wg, calculation: _id },
      body: { entity, from: BEGIN, to: END },
    });
    for (const [i, value] of (fields[field]?.values ?? []).entries())
      if (value !== null) numbers.set(`${entity} ${starts[i]}`, value);
  }
  return numbers;
}

const isNear = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));

const apart = (found: Numbers | undefined, wanted: Numbers): string[] =>
  [...new Set([...(found?.keys() ?? []), ...wanted.keys()])]
    .filter((place) => !isNear(found?.get(place), wanted.get(place)))
    .map((place) => `${place}: ${found?.get(place)}, not ${wanted.get(place)}`);

const isAnyWaiting = async (): Promise<boolean> => {
  const all = await cloud.api.call(calculationsApi.list, { params: { wg } });
  return all.some(({ waiting }) => waiting > 0);
};

/** Kills the cloud at random moments of what it computes now. */
async function killInBetween(isDone: () => Promise<boolean>): Promise<void> {
  for (let kills = 0; kills < KILLS; kills++) {
    const seen = async () => (await isAnyWaiting()) || (await isDone());
    await until('there is something to compute', WAIT_S, seen, () => cloud.program.output, 20);
    await pause(random() * 800);
    await cloud.program.end('SIGKILL');
    await start();
  }
}

/** The numbers changed from `before` to `after`: exactly these were written, and the changes lead from one to the other. */
function expectLed(
  calculation: string,
  { before, after, since }: { before: Stored; after: Stored; since: number },
  cause: CalculationChange['cause'],
): void {
  const [old, now] = [before.numbers.get(calculation), after.numbers.get(calculation)];
  const moved = new Set(
    [...(now ?? [])].filter(([place, value]) => old?.get(place) !== value).map(([p]) => p),
  );
  const written = after.written.get(calculation) ?? new Set();
  expect(moved.size).toBeGreaterThan(0);
  expect([...written].filter((place) => !moved.has(place))).toEqual([]);
  const changes = after.changes.filter((one) => one.calculation === calculation && one.id > since);
  const byPlace = Map.groupBy(changes, ({ entity, at }) => `${entity} ${at}`);
  const known = [...moved].filter((place) => old?.has(place));
  expect([...byPlace.keys()].sort()).toEqual(known.sort());
  for (const [place, led] of byPlace) {
    expect(led[0]?.was, place).toBe(old?.get(place));
    expect(led.at(-1)?.now, place).toBe(now?.get(place));
    for (const [i, one] of led.slice(1).entries()) expect(one.was, place).toBe(led[i]?.now);
    // An earlier request may reach a place only now, and then sees the later changes too.
    const others = led.map((one) => one.cause).filter((one) => one !== cause && one !== 'backfill');
    expect(others, place).toEqual([]);
  }
}

test('late events, facts and definitions are computed again through kills, and nothing beside them', {
  timeout: 20 * 60_000,
}, async () => {
  console.log(`recompute-killed: seed ${SEED}`);
  const { now, late } = readingsOf();
  for (const meter of METERS) write(meter, now.get(meter) ?? []);
  agent.program.start();
  const sources = { deviceId: agent.device.id };
  await cloud.api.call(entitiesApi.create, {
    params: { wg },
    body: { _id: 'site', name: 'Site', meta: { timezone: 'Etc/UTC' } },
  });
  const bodyOf = (meter: string, kWp: unknown) => ({
    ...{ name: `Meter ${meter}`, parent: 'site', labels: ['meter'], meta: { kWp } as never },
    signals: { ...NO_SIGNALS, sources: [{ ...sources, source: meter, table: 'meters' }] },
  });
  for (const meter of METERS)
    await cloud.api.call(entitiesApi.create, { params: { wg }, body: { _id: meter, ...bodyOf(meter, 10) } });
  const energy = {
    kind: 'aggregate',
    streams: { table: 'meters', field: 'E' },
    operator: 'difference',
  } as const;
  const hourlyBody = (formula: string) => ({
    name: 'Yield',
    interval: '1h' as const,
    table: 'hourly',
    target: { kind: 'label' as const, label: 'meter' },
    values: {
      energy,
      peak: { kind: 'metadata' as const, key: 'kWp' },
      yield: { kind: 'formula' as const, formula },
    },
  });
  const all = METERS.length * DAYS * (DAY / EVERY);
  const lateCount = [...late.values()].reduce((sum, { length }) => sum + length, 0);
  const storedOf = async () =>
    (await cloud.completeness(wg, agent.device.id)).streams
      .filter(({ table }) => table === 'meters')
      .reduce((sum, { stored: count }) => sum + count, 0);
  const arrived = (count: number) =>
    until(
      `${count} readings are stored`,
      WAIT_S,
      async () => (await storedOf()) >= count,
      () => `${cloud.program.output}\n${agent.program.output}`,
    );
  await arrived(all - lateCount);
  const hourly = await cloud.api.call(calculationsApi.create, {
    params: { wg },
    body: hourlyBody('energy / peak'),
  });
  const daily = await cloud.api.call(calculationsApi.create, {
    params: { wg },
    body: {
      name: 'Yield of the site',
      interval: '1d',
      table: 'daily',
      target: { kind: 'entities', entities: ['site'] },
      values: {
        hours: { kind: 'aggregate', streams: { table: 'hourly', field: 'yield' }, operator: 'sum' },
        total: { kind: 'formula', formula: 'hours' },
      },
    },
  });
  for (const { _id: calculation } of [hourly, daily])
    await cloud.api.call(calculationsApi.backfill, {
      params: { wg, calculation },
      body: { from: BEGIN, to: END },
    });
  const kpi = await cloud.api.call(kpisApi.create, {
    params: { wg },
    body: { name: 'Energy', values: { energy } },
  });

  const raw = new Map([...now].map(([meter, readings]) => [meter, [...readings]]));
  const facts: Facts = { scale: 1, peak: () => 10 };
  const settled = async (): Promise<boolean> => {
    const wanted = expected(raw, facts);
    const isDone =
      apart(await toldBy(daily, 'total', ['site']), wanted.daily).length === 0 &&
      apart(await toldBy(hourly, 'yield', METERS), wanted.hourly).length === 0;
    return isDone && !(await isAnyWaiting());
  };
  const settles = (what: string) => until(what, WAIT_S, settled, () => cloud.program.output, 500);
  const kpiIsRight = async () => {
    const { starts = [], values } = await cloud.api.call(kpisApi.evaluate, {
      params: { wg, kpi: kpi._id },
      body: { entity: 'site', from: BEGIN, to: END, interval: '1d' },
    });
    const wanted: Numbers = new Map();
    for (const meter of METERS)
      for (const [day, sum] of increases(raw.get(meter) ?? [], DAY))
        wanted.set(`site ${day}`, (wanted.get(`site ${day}`) ?? 0) + sum);
    const found = (values.energy?.series ?? []).map((value, i) => [`site ${starts[i]}`, value ?? 0] as const);
    expect(apart(new Map(found), wanted)).toEqual([]);
  };
  const check = async (since: number) => {
    let found = await stored(since);
    // On a slow machine, late data is noticed in two rounds.
    for (let rounds = 0; found.waiting > 0 && rounds < 3; rounds++) {
      await settles('what was noticed last is computed too');
      found = await stored(since);
    }
    expect(found.raw.size).toBe(METERS.length);
    for (const meter of METERS) expect(found.raw.get(meter)?.length).toBe(raw.get(meter)?.length);
    const wanted = expected(found.raw, facts);
    expect(apart(found.numbers.get(hourly._id), wanted.hourly)).toEqual([]);
    expect(apart(found.numbers.get(daily._id), wanted.daily)).toEqual([]);
    expect(found.waiting).toBe(0);
    await kpiIsRight();
    return found;
  };
  const changed = async (before: Stored, cause: CalculationChange['cause'], change: () => Promise<void>) => {
    const instant = Date.now();
    await change();
    await killInBetween(settled);
    await settles(`what ${cause} changed is computed again`);
    const after = await check(instant);
    const since = before.changes.at(-1)?.id ?? 0;
    expectLed(hourly._id, { before, after, since }, cause);
    expectLed(daily._id, { before, after, since }, 'chain');
    return after;
  };

  await settles('the past is computed');
  let found = await check(0);
  found = await changed(found, 'late', async () => {
    for (const meter of METERS) {
      write(meter, late.get(meter) ?? []);
      raw.get(meter)?.push(...(late.get(meter) ?? []));
    }
  });
  if (!isLong) return;
  const from = BEGIN + Math.floor(DAYS / 2) * DAY;
  found = await changed(found, 'metadata', async () => {
    const kWp = [
      { from: null, value: 10 },
      { from: new Date(from).toISOString().slice(0, 10), value: 20 },
    ];
    await cloud.api.call(entitiesApi.update, { params: { wg, entity: 'a' }, body: bodyOf('a', kWp) });
    facts.peak = (meter, at) => (meter === 'a' && at >= from ? 20 : 10);
  });
  await changed(found, 'definition', async () => {
    const params = { wg, calculation: hourly._id };
    await cloud.api.call(calculationsApi.update, { params, body: hourlyBody('1000 * energy / peak') });
    facts.scale = 1000;
  });
});
