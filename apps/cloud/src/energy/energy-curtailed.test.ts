import { randomUUID } from 'node:crypto';
import { type EnergyReport, energyDay, energyReport } from '@albedo/contract/energy/energy.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A whole day in UTC, some days ago; the one before it has no limit. */
const DAY_AT = Math.floor((Date.now() - 2 * DAY) / DAY) * DAY;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const [FREE, LIMITED] = [dayOf(DAY_AT - DAY), dayOf(DAY_AT)];

let cloud: TestCloud;
let token = '';
let plant = '';
const call = (method: 'GET' | 'PUT' | 'POST', path: string, more: object = {}) =>
  cloud.call(method, path, { token, ...more });

/** Two inverters, together 0.8 of 10 kWp at 25 °C from 6 to 18 o'clock; from 12 to 14 o'clock of the last day 20 % of it. */
const lightAt = (at: number) =>
  Math.max(0, 800 * Math.sin((((at % DAY) / HOUR + 24 - 6) % 24) * (Math.PI / 12)));
const isLimitedAt = (at: number) => at >= DAY_AT + 12 * HOUR && at < DAY_AT + 14 * HOUR;
const powerAt = (at: number) => lightAt(at) * 8 * (isLimitedAt(at) ? 0.2 : 1);

async function store(table: string, source: string, named: string[], rows: number[][]) {
  const fields = named.map((text) => {
    const [name = '', units = ''] = text.split(':');
    return { name, type: 'decimal' as const, units };
  });
  const numbered = rows.map((row) => [(row[0] ?? 0) / 1000, ...row] as [number, number, ...number[]]);
  const block = { workgroup: 'main', device: plant, stream: { table, source, fields }, rows: numbered };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

/** A version as an order leaves it behind. */
async function limited(setpoint: string, version: number, value: string, from: number, to: number) {
  const [begin, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const ordered = JSON.stringify([{ datetime: begin, value }]);
  await cloud.cloud.features.postgres.query(
    `insert into schedule_versions (workgroup, device_id, setpoint, version, device_schedule_id, name, origin, entries, ordered,
      ends_at, is_stop, outcome, sent_at, tried_at, taken_at, ended_at)
     values ('main', $1, $2, $3, $4, 'x', 'schedule', '[]', $5, $6, false, 'over', $7, $7, $7, $8)`,
    [plant, setpoint, version, randomUUID(), ordered, to, begin, end],
  );
}

async function report(name: string, query: object = {}): Promise<EnergyReport> {
  const search = new URLSearchParams({ from: LIMITED, to: LIMITED, ...query });
  const { status, body } = await call('GET', `energy/main/reports/${name}?${search}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return energyReport.parse(body);
}

async function recompute() {
  const { body } = await call('POST', 'energy/main/recompute', { body: { from: FREE, to: LIMITED } });
  await vi.waitFor(
    async () =>
      expect((await call('GET', `long-actions/main/${body.id}`)).body).toMatchObject({ state: 'done' }),
    { timeout: 30_000, interval: 50 },
  );
}

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'daily-energy', 'Daily energy')`,
  );
  plant = (await call('POST', 'devices/main', { body: { name: 'Hill' } })).body.id;
  const info = {
    ...{ Latitude: '0', Longitude: '0', Timezone: 'UTC', Azimuth: '0', Slope: '10' },
    ...{ 'Rated power': '10 kW', 'Peak power': '10 kWp' },
  };
  await call('PUT', `devices/main/${plant}/settings/info`, { body: { value: info } });
  const times = Array.from({ length: (2 * DAY) / (15 * MINUTE) }, (_, i) => DAY_AT - DAY + i * 15 * MINUTE);
  for (const source of ['inv-01', 'inv-02']) {
    let wh = 1_000_000;
    const rows = times.map((at) => {
      wh += powerAt(at - 15 * MINUTE) / 8;
      return [at, powerAt(at) / 2, wh];
    });
    await store('solar', source, ['AC Power:W', 'Total Energy:Wh'], rows);
  }
  const weather = times.map((at) => [at, lightAt(at), 25]);
  await store('weather', 'station', ['Plane Irradiance:W/m²', 'Module Temperature:°C'], weather);
}, 120_000);
afterAll(() => cloud.stop());

test('hours in which power was limited leave ratios, energy stays, and the row says for how long', async () => {
  await recompute();
  const before = {
    iec: await report('iec-performance-ratio'),
    energy: await report('energy'),
    daily: await report('daily-energy'),
  };
  expect(before.iec.total.values.performanceRatio).toBeLessThan(0.7);
  expect(before.iec.rows).toMatchObject([{ name: 'Hill', curtailedHours: null }]);
  const free = await report('iec-performance-ratio', { from: FREE, to: FREE });
  expect(free.total.values.performanceRatio).toBeCloseTo(0.8, 3);

  await limited('plant/setpoint_activepower', 1, '20%', DAY_AT + 12 * HOUR, DAY_AT + 14 * HOUR);
  // None of these takes energy.
  await limited('plant/setpoint_activepower', 2, '100%', DAY_AT + 8 * HOUR, DAY_AT + 9 * HOUR);
  await limited('plant/setpoint_activepower', 3, '10000 W', DAY_AT + 9 * HOUR, DAY_AT + 10 * HOUR);
  await limited('plant/setpoint_cosphi', 1, '0.9 over-excited', DAY_AT + 6 * HOUR, DAY_AT + 10 * HOUR);
  await recompute();

  const iec = await report('iec-performance-ratio');
  expect(iec.total.values.performanceRatio).toBeCloseTo(0.8, 3);
  expect(iec.total.values.completeness).toBeCloseTo(1, 6);
  expect(iec.rows).toMatchObject([{ curtailedHours: 2, reasons: { performanceRatio: 'curtailed' } }]);
  expect(iec.notes).toContainEqual({ reason: 'curtailed', value: 2, names: ['Hill'] });
  const untouched = await report('iec-performance-ratio', { from: FREE, to: FREE });
  expect(untouched.total).toEqual(free.total);

  const unlimited = Number((await report('daily-energy', { from: FREE, to: FREE })).total.values.performance);
  for (const name of ['performance-ratio', 'inverter-performance', 'daily-energy']) {
    const { total, rows } = await report(name);
    expect(Number(total.values.performance) / unlimited, name).toBeCloseTo(1, 2);
    expect(rows.length, name).toBe(name === 'inverter-performance' ? 2 : 1);
    for (const row of rows)
      expect(row, name).toMatchObject({ curtailedHours: 2, reasons: { performance: 'curtailed' } });
  }
  expect((await report('daily-energy')).total.values).toMatchObject({
    below: 0,
    expected: before.daily.total.values.expected,
  });
  expect(Number(before.daily.total.values.performance) / unlimited).toBeLessThan(0.85);
  const energy = await report('energy');
  expect(energy.total.values).toEqual(before.energy.total.values);
  expect(energy.rows).toMatchObject([{ curtailedHours: 2, reasons: { production: 'curtailed' } }]);
  expect((await report('capacity-factor')).rows).toMatchObject([{ curtailedHours: 2 }]);
  const byDay = await report('energy', { from: FREE, scope: `source:${plant}/solar/inv-01` });
  expect(byDay.rows.map(({ curtailedHours }) => curtailedHours)).toEqual([null, 2]);
  const search = new URLSearchParams({ from: FREE, to: LIMITED, scope: `device:${plant}` });
  const days = energyDay.array().parse((await call('GET', `energy/main/days?${search}`)).body);
  expect(days.map(({ marks }) => marks)).toEqual([[], ['curtailed'], [], ['curtailed']]);
});

test('who sees sources of a device reads the hours of it once', async () => {
  const composition = { type: 'SRC', devices: [{ device: plant, sources: ['inv-01', 'inv-02'] }] };
  const group = await call('POST', 'orgs/main/device-groups', { body: { name: 'Some', composition } });
  const by = await cloud.newUser({
    main: { role: 'power', permissions: ['read'], devGroup: group.body._id },
  });
  const search = new URLSearchParams({ from: FREE, to: LIMITED });
  const { body } = await cloud.call('GET', `energy/main/reports/energy?${search}`, { token: by });
  expect(body).toMatchObject({ rows: [{ curtailedHours: 2 }], notes: [{ reason: 'curtailed', value: 2 }] });
});

test('a day that was limited from morning to evening has no ratio, and says why', async () => {
  await limited('plant/setpoint_activepower', 4, '5 kW', DAY_AT, DAY_AT + DAY);
  await recompute();
  const { total } = await report('performance-ratio');
  expect(total.values).toMatchObject({ performance: null, performanceRatio: null });
  expect(total.reasons).toMatchObject({ performance: 'curtailed', performanceRatio: 'curtailed' });
  expect(total.values.production).toBeGreaterThan(30);
});
