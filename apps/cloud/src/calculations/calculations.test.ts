import type { CalculationChange } from '@albedo/contract/calculations/calculations.schema';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains } from '@albedo/energy/counters';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Rome sets its clocks forward on 29 March 2026: that day has 23 hours. */
const BEGIN = Date.parse('2026-03-26T23:00Z');
const DAYS = 5;

let cloud: TestCloud;
let token = '';
let device = '';
let number = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'calculations', 'Calculations')`,
  );
  await cloud.cloud.features.workgroups.tellChanged('main');
  device = (await call('POST', 'devices/main', { name: 'roof' })).body.id;
  const signals = (source: string) => ({ signals: { sources: [{ deviceId: device, source }] } });
  await send('east', [[BEGIN, 1]]);
  await send('west', [[BEGIN, 1]]);
  for (const body of [
    { _id: 'site', name: 'Site', meta: { timezone: 'Europe/Rome', kWp: 10 } },
    { _id: 'east', name: 'East', parent: 'site', labels: ['inverter'], ...signals('east') },
    { _id: 'west', name: 'West', parent: 'site', labels: ['inverter'], ...signals('west') },
  ])
    expect((await call('POST', 'entities/main', body)).status).toBe(200);
}, 120_000);
afterAll(() => cloud.stop());

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });

/** Stores readings of a counter, kWh. */
const send = (source: string, readings: readonly (readonly [number, number])[]) =>
  cloud.cloud.features.telemetry.asSystem('ingest').insert(
    [
      {
        workgroup: 'main',
        device,
        stream: { table: 'solar', source, fields: [{ name: 'counter', type: 'decimal', units: 'kWh' }] },
        rows: readings.map(([at, value]) => [++number, at, value]),
      },
    ],
    crypto.randomUUID(),
  );

const energy = (over = 'descendants') => ({
  kind: 'aggregate',
  streams: { table: 'solar', field: 'counter', over },
  operator: 'difference',
  units: 'kWh',
});
const formula = (text: string, units = '') => ({ kind: 'formula', formula: text, units });
const make = async (body: object) => {
  const reply = await call('POST', 'calculationsV2/main', body);
  expect(reply.body.message ?? '').toBe('');
  return reply.body;
};

/** Looks for what is due and computes it, as the jobs do. */
async function settle() {
  const { calculations, jobs } = cloud.cloud.features;
  await calculations.runs.watch();
  await jobs.idle({ name: 'calculations-work' });
}

const backfill = async (id: string) => {
  const range = { from: BEGIN, to: BEGIN + DAYS * DAY };
  expect((await call('POST', `calculations/main/${id}/backfill`, range)).status).toBe(200);
  await cloud.cloud.features.jobs.idle({ name: 'long-action' });
};

/** Numbers by `entity at`; records of which a number was taken back have none. */
async function numbersOf(id: string, table: string, field: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const { telemetry } = cloud.cloud.features;
  for await (const piece of telemetry.asSystem('export', 'main').everything(table))
    for (const one of piece)
      if (one.device === id && typeof one[field] === 'number')
        found.set(`${one.source} ${Date.parse(String(one.event_time))}`, one[field]);
  return found;
}

/** What was counted by the hour, shared by time where an hour ends between two readings. */
function naive(readings: readonly (readonly [number, number])[]): Map<number, number> {
  const hours = Array.from({ length: (DAYS + 2) * 24 + 1 }, (_, i) => BEGIN + i * HOUR);
  const counted = countGains(readings.map(([at, value]) => ({ at, value })));
  return new Map(
    shareByIntervals(counted, hours).flatMap(({ amount }, i) =>
      amount === null ? [] : [[hours[i] as number, amount] as const],
    ),
  );
}

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
    return at / 2 ** 31;
  };
}

const changesOf = async (id: string) => (await call('GET', `calculations/main/${id}/changes`)).body;

const PEAK = { kind: 'metadata', key: 'kWp', lookup: 'above', units: 'kWp' };

test('a calculation that an earlier release accepted is still listed, though a new one like it is refused', async () => {
  const body = { name: 'Old', target: { kind: 'entities', entities: ['east'] } };
  const values = { energy: energy(), double: formula('energy * 2') };
  const made = await make({ ...body, values });
  const { double, ...rest } = made.values;
  const old = { ...rest, event_time: double };
  expect((await call('POST', 'calculationsV2/main', { ...body, name: 'New', values: old })).status).toBe(400);
  await cloud.cloud.features.postgres.query('update calculations set values = $1 where id = $2', [
    JSON.stringify(Object.entries(old)),
    made._id,
  ]);
  const listed = await call('GET', 'calculationsV2/main');
  expect(listed.status).toBe(200);
  expect(Object.keys(listed.body[0].values)).toEqual(['energy', 'event_time']);
  expect((await call('DELETE', `calculations/main/${made._id}`)).status).toBe(200);
});

test('whatever order data comes in, with gaps, resets and a day of 23 hours, the numbers are those of paper', async () => {
  const { _id } = await make({
    name: 'Yield',
    interval: '1h',
    table: 'yields',
    target: { kind: 'label', label: 'inverter' },
    values: { energy: energy(), peak: PEAK, yield: formula('energy / peak', 'kWh/kWp') },
  });
  const roll = dice(7);
  const all: Record<string, [number, number][]> = { east: [[BEGIN, 1]], west: [[BEGIN, 1]] };
  let late: [string, [number, number]][] = [];
  for (const source of ['east', 'west'])
    for (let at = BEGIN, value = 1; at < BEGIN + DAYS * DAY; ) {
      at += roll() < 0.03 ? 9 * HOUR : Math.ceil(roll() * 50) * MINUTE;
      value = roll() < 0.02 ? 0.5 : value + roll() * 3;
      late.push([source, [at, value]]);
    }
  for (const [source, one] of late) all[source]?.push(one);
  const shuffled = late.map((one) => [roll(), one] as const).toSorted(([a], [b]) => a - b);
  late = shuffled.map(([, one]) => one);
  const third = Math.ceil(late.length / 3);
  for (let part = 0; part < 3; part++) {
    const some = late.slice(part * third, (part + 1) * third);
    for (const source of ['east', 'west'])
      await send(
        source,
        some.filter(([name]) => name === source).map(([, one]) => one),
      );
    if (part === 0) await backfill(_id);
    else await settle();
  }
  const expected = new Map<string, number>();
  for (const [source, readings] of Object.entries(all))
    for (const [hour, value] of naive(readings)) expected.set(`${source} ${hour}`, value / 10);
  const found = await numbersOf(_id, 'yields', 'yield');
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [place, value] of expected) expect(found.get(place)).toBeCloseTo(value, 9);
  const changes = await changesOf(_id);
  expect(changes.length).toBeGreaterThan(50);
  expect(new Set(changes.map((one: { cause: string }) => one.cause))).toEqual(new Set(['late']));
}, 240_000);

test('every day of a pause of a counter has its part, whichever of its two readings comes last', async () => {
  const source = 'weekly';
  await send(source, [[BEGIN - DAY, 1]]);
  const signals = { sources: [{ deviceId: device, source }] };
  const meter = { _id: source, name: 'Weekly', parent: 'site', labels: ['weekly'], signals };
  expect((await call('POST', 'entities/main', meter)).status).toBe(200);
  const { _id } = await make({
    name: 'Weekly',
    interval: '1d',
    table: 'weekly',
    target: { kind: 'label', label: 'weekly' },
    values: { energy: energy('self'), counted: formula('energy', 'kWh') },
  });
  const range = { from: BEGIN - 2 * DAY, to: BEGIN + 3 * DAY };
  expect((await call('POST', `calculations/main/${_id}/backfill`, range)).status).toBe(200);
  await cloud.cloud.features.jobs.idle({ name: 'long-action' });
  await settle();
  const valuesNow = async () => [...(await numbersOf(_id, 'weekly', 'counted')).values()];
  // Rome puts its clocks forward within: seven days have 167 hours.
  await send(source, [[BEGIN + 7 * DAY - HOUR, 193]]);
  await settle();
  const late = await valuesNow();
  expect(late).toHaveLength(8);
  expect(late.reduce((sum, one) => sum + one, 0)).toBeCloseTo(192, 6);
  // One between them, late: both pauses are shared anew.
  await send(source, [[BEGIN + 3 * DAY - HOUR, 5]]);
  await settle();
  const anew = await valuesNow();
  expect(anew).toHaveLength(8);
  expect(anew.reduce((sum, one) => sum + one, 0)).toBeCloseTo(192, 6);
  expect(anew.filter((one) => one > 40)).toHaveLength(4);
  expect((await call('DELETE', `calculations/main/${_id}`)).status).toBe(200);
}, 240_000);

test('what follows is computed again with it, and a fact of a day only from that day on', async () => {
  const [yields] = (await call('GET', 'calculationsV2/main')).body;
  const daily = await make({
    name: 'Yield of the site',
    interval: '1d',
    table: 'daily',
    target: { kind: 'entities', entities: ['site'] },
    values: {
      hours: {
        kind: 'aggregate',
        streams: { table: 'yields', field: 'yield', over: 'children' },
        operator: 'sum',
        units: 'kWh/kWp',
      },
      total: formula('hours'),
      never: formula('hours / (hours - hours)'),
    },
  });
  await backfill(daily._id);
  const before = await numbersOf(daily._id, 'daily', 'total');
  const hourly = await numbersOf(yields._id, 'yields', 'yield');
  const sum = [...hourly.values()].reduce((all, one) => all + one, 0);
  expect([...before.values()].reduce((all, one) => all + one, 0)).toBeCloseTo(sum, 6);
  // The third day, when the clocks change, is one of 23 hours.
  expect([...before.keys()][3]).toBe(`site ${BEGIN + 3 * DAY - HOUR}`);
  expect((await numbersOf(daily._id, 'daily', 'never')).size).toBe(0);

  /** Midnight in Rome, when summer time has begun. */
  const CHANGE = Date.parse('2026-03-30T22:00Z');
  const later = [...before.keys()].filter((place) => Number(place.split(' ')[1]) >= CHANGE);
  const last = later.at(-1) as string;
  await call('PUT', 'entities/main/site', {
    meta: {
      timezone: 'Europe/Rome',
      kWp: [
        { from: null, value: 10 },
        { from: '2026-03-31', value: 20 },
      ],
    },
  });
  await settle();
  const after = await numbersOf(daily._id, 'daily', 'total');
  const moved = [...after].filter(([place, value]) => Math.abs((before.get(place) ?? 0) - value) > 1e-9);
  expect(moved.map(([place]) => place)).toEqual(later);
  expect(moved.at(-1)?.[1]).toBeCloseTo((before.get(last) as number) / 2, 9);
  expect((await changesOf(yields._id))[0]).toMatchObject({ cause: 'metadata', field: 'yield' });
  expect(await changesOf(daily._id)).toContainEqual(
    expect.objectContaining({ cause: 'chain', was: before.get(last), now: after.get(last) }),
  );

  const at = Number(last.split(' ')[1]);
  const why = await call('POST', `calculations/main/${daily._id}/explain`, { entity: 'site', at });
  expect(why.body.stored.total).toBeCloseTo(after.get(last) as number, 9);
  expect(why.body.answer).toMatchObject({ zone: 'Europe/Rome', from: at, version: 1 });
  expect(why.body.answer.values.hours.streams).toHaveLength(2);
  expect(why.body.changes).toMatchObject([{ cause: 'chain' }]);
}, 120_000);

test('a cut between two writes loses nothing and counts nothing twice', async () => {
  const [yields] = (await call('GET', 'calculationsV2/main')).body;
  const system = cloud.cloud.features.telemetry.asSystem('calculations');
  const insert = system.insert;
  // Between two readings around midnight, nearer to the later one than by time: more belongs to the hour after.
  const { telemetry } = cloud.cloud.features;
  const readings: [number, number][] = [];
  for await (const piece of telemetry.asSystem('export', 'main').everything('solar'))
    for (const one of piece)
      if (one.source === 'east') readings.push([Date.parse(String(one.event_time)), Number(one.counter)]);
  readings.sort(([a], [b]) => a - b);
  const midnight = BEGIN + DAY;
  const [, before = 0] = readings.findLast(([time]) => time <= midnight) ?? [];
  const [next = 0, after = 0] = readings.find(([time]) => time > midnight) ?? [];
  const at = Math.floor((midnight + next) / 2);
  for (const isWritten of [true, false]) {
    const time = isWritten ? at : Math.floor((midnight + at) / 2);
    const part = isWritten ? 0.1 : 0.09;
    await send('east', [[time, before + part * (after - before)]]);
    const writes: unknown[] = [];
    Object.assign(system, {
      insert: async (blocks: never, key: string) => {
        if (isWritten) await insert.call(system, blocks, key);
        writes.push(blocks);
        throw new Error('The power is cut.');
      },
    });
    await settle();
    Object.assign(system, { insert });
    expect(writes.length).toBeGreaterThan(0);
    await cloud.cloud.features.postgres.query('update calculation_work set due_at = 0 where attempts > 0');
    await settle();
  }
  const found = await numbersOf(yields._id, 'yields', 'yield');
  const answer = await call('POST', `calculations/main/${yields._id}/explain`, { entity: 'east', at });
  expect(found.get(`east ${BEGIN + DAY}`)).toBeCloseTo(answer.body.answer.values.yield.value, 9);
  const [row] = await cloud.cloud.features.postgres.query<{ count: number }>(
    'select count(*)::int as count from calculation_work where due_at = 0',
  );
  expect(row?.count).toBe(0);
  // What was noted before the cut and is noted again with its writing is one change: each begins where the last one ended.
  const places = Map.groupBy(
    (await changesOf(yields._id)) as CalculationChange[],
    (one) => `${one.entity} ${one.field} ${one.at}`,
  );
  expect(places.get(`east yield ${BEGIN + DAY}`)?.length).toBeGreaterThan(1);
  for (const newestFirst of places.values())
    for (const [i, one] of newestFirst.slice(1).entries()) expect(one.now).toBe(newestFirst[i]?.was);
}, 120_000);

test('one that is switched off stays and is not computed; a circle, a bomb and a stranger are refused', async () => {
  const body = {
    name: 'A',
    interval: '1h',
    table: 'circle',
    target: { kind: 'entities', entities: ['site'] },
    values: { x: { ...energy(), streams: { table: 'circle', field: 'b' } }, a: formula('x * 2') },
  };
  const made = await make(body);
  const other = {
    ...body,
    name: 'B',
    values: { x: { ...energy(), streams: { table: 'circle', field: 'a' } }, b: formula('x') },
  };
  const listed = (await call('GET', 'calculations/main')).body;
  expect(listed).toEqual((await call('GET', 'calculationsV2/main')).body);
  expect(listed).toContainEqual(expect.objectContaining({ _id: made._id }));
  const circle = await call('POST', 'calculations/main', other);
  expect(circle).toMatchObject({ status: 400 });
  expect(circle.body.message).toContain('B > A > B');
  const own = await call('PUT', `calculations/main/${made._id}`, {
    ...body,
    values: { x: { ...energy(), streams: { table: 'circle', field: 'a' } }, a: formula('x') },
  });
  expect(own.body.message).toContain('A > A');
  const bomb = await call('POST', 'calculations/main', {
    ...body,
    name: 'Bomb',
    values: { a: formula(`${'('.repeat(500)}1${')'.repeat(500)}`) },
  });
  expect(bomb.status).toBe(400);
  expect((await call('POST', 'calculations/main', { ...body, name: 'C', interval: '7h' })).status).toBe(400);
  expect((await call('POST', 'calculations/main', { ...body, name: 'D', table: 'audit_logs' })).status).toBe(
    400,
  );
  const values = { ...body.values, event_time: formula('a') };
  const hidden = await call('POST', 'calculations/main', { ...body, name: 'E', values });
  expect(hidden.body.issues).toMatchObject([
    {
      path: 'values.event_time',
      message: 'Every record has a column event_time already. Choose another name.',
    },
  ]);
  expect((await call('POST', 'calculations/main', body)).body.error).toBe('calculation.name_taken');

  const off = await call('PUT', `calculations/main/${made._id}`, { ...body, isActive: false });
  expect(off.body).toMatchObject({ isActive: false, version: 2 });
  // The same save again, as of a client that never got the answer.
  const again = await call('PUT', `calculations/main/${made._id}`, { ...body, isActive: false, version: 1 });
  expect(again.body).toMatchObject({ isActive: false, version: 2, updatedAt: off.body.updatedAt });
  const range = { from: BEGIN, to: BEGIN + DAY };
  const century = await call('POST', `calculations/main/${made._id}/backfill`, { from: 0, to: 36_600 * DAY });
  expect(century.body.message).toContain('At most 30 years can be computed at once.');
  expect((await call('POST', `calculations/main/${made._id}/backfill`, range)).body.error).toBe(
    'calculation.off',
  );

  const group = { name: 'some', composition: { type: 'IN', devices: [device] } };
  const devGroup = (await call('POST', 'orgs/main/device-groups', group)).body._id;
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup },
  });
  const place = `calculations/main/${made._id}`;
  expect((await call('GET', `${place}/changes`, undefined, bound)).body.error).toBe('device_group.bound');
  const sources = (await call('GET', 'entitySources/main', undefined, bound)).body;
  expect(sources.some((one: { table: string }) => one.table === 'yields')).toBe(false);

  expect((await call('DELETE', place)).status).toBe(200);
  expect((await call('DELETE', place)).body.error).toBe('calculation.not_found');
  const audit = await auditOf(cloud, 'main');
  expect(
    audit.filter((one: { controller?: string }) => one.controller === 'calculation').length,
  ).toBeGreaterThan(3);
});

test('KPIs and boards read what is written like any stream, and a definition is tried before it is saved', async () => {
  const [yields] = (await call('GET', 'calculationsV2/main')).body;
  const sources = (await call('GET', 'entitySources/main')).body;
  expect(sources).toContainEqual(
    expect.objectContaining({ deviceId: yields._id, table: 'yields', source: 'east', entity: 'east' }),
  );
  const streams = await call('POST', 'entities/main/site/streams', {
    table: 'yields',
    field: 'yield',
    over: 'descendants',
  });
  expect(streams.body).toHaveLength(2);
  const values = {
    total: { kind: 'aggregate', streams: { table: 'yields', field: 'yield' }, operator: 'sum' },
  };
  const range = { from: BEGIN, to: BEGIN + DAY };
  const answer = await call('POST', 'kpiPreview/main', {
    kpi: { name: 'x', values },
    question: { entity: 'site', ...range },
  });
  const found = await numbersOf(yields._id, 'yields', 'yield');
  const inDay = [...found].filter(([place]) => Number(place.split(' ')[1]) < BEGIN + DAY);
  const sum = inDay.reduce((all, [, one]) => all + one, 0);
  expect(answer.body.values.total.value).toBeCloseTo(sum, 9);

  const { _id, version, since, waiting, failure, computedAt, updatedAt, ...calculation } = yields;
  const tried = await call('POST', 'calculationPreview/main', {
    calculation,
    question: { entity: 'east', ...range },
  });
  const series = tried.body.values.yield.series as (number | null)[];
  const east = inDay.filter(([place]) => place.startsWith('east')).reduce((all, [, one]) => all + one, 0);
  expect(series.reduce((all: number, one) => all + (one ?? 0), 0)).toBeCloseTo(east, 9);
});
