import { randomUUID } from 'node:crypto';
import { type Glance, glance, type PlantGlance } from '@albedo/contract/glance/glance.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dayOf } from '../plants/plant-day.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.now();
/** A zone in which it is early in the afternoon. */
const AHEAD = ((14 - new Date(NOW).getUTCHours() + 12 + 24) % 24) - 12;
const ZONE = AHEAD === 0 ? 'UTC' : `Etc/GMT${AHEAD > 0 ? '-' : '+'}${Math.abs(AHEAD)}`;
const TODAY = dayOf(NOW, ZONE).from;
/** Two strings of input 3 of the second inverter have been out since then. */
const LOST_AT = TODAY - 4 * DAY;

let cloud: TestCloud;
let token = '';
let plant = '';

type Row = [at: number, ...values: number[]];
async function store(table: string, source: string, named: string[], rows: Row[]) {
  const fields = named.map((text) => {
    const [name = '', units] = text.split(':');
    return { name, type: 'decimal' as const, ...(units ? { units } : {}) };
  });
  const numbered = rows.map((row) => [Math.round(row[0] / 1000), ...row] as [number, number, ...number[]]);
  const block = { workgroup: 'main', device: plant, stream: { table, source, fields }, rows: numbered };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

const call = (method: 'GET' | 'PUT' | 'POST', path: string, more: object = {}) =>
  cloud.call(method, path, { token, ...more });
const look = async (by = token): Promise<Glance> =>
  glance.parse((await cloud.call('GET', 'glance/main', { token: by })).body);
const only = async (): Promise<PlantGlance> => {
  const [one, ...others] = (await look()).plants;
  if (!one) throw new Error('There is no plant.');
  expect(others).toEqual([]);
  return one;
};

/** Light in the plane, W/m²: from 6 to 18 o'clock of the plant, 900 at noon. */
const lightAt = (at: number) =>
  Math.max(0, 900 * Math.sin((((at - TODAY) / HOUR + 240 * 24 - 6) % 24) * (Math.PI / 12)));
const INSTANTS = Array.from({ length: 21 * 96 }, (_, i) => NOW - 2 * MINUTE - i * 15 * MINUTE).reverse();
/** Each of four inputs gives 2 W for each W/m². */
const inputsW = (source: string, at: number) =>
  [1, 1, source === 'inv-02' && at >= LOST_AT ? 0.5 : 1, 1].map((part) => lightAt(at) * 2 * part);

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'daily-energy', 'Daily energy')`,
  );
  await cloud.cloud.features.workgroups.readAddons('main');
  plant = (await call('POST', 'devices/main', { body: { name: 'Hill' } })).body.id;
  const info = {
    ...{ Latitude: '0', Longitude: String(AHEAD * 15), Timezone: ZONE },
    ...{
      'Rated power': '30 kW',
      'Peak power': '30 kWp',
      Azimuth: '0',
      Slope: '10',
      'Energy price': '0.10 EUR',
    },
  };
  await call('PUT', `devices/main/${plant}/settings/info`, { body: { value: info } });
  for (const source of ['inv-01', 'inv-02', 'inv-03']) {
    let wh = 1_000_000;
    const rows = INSTANTS.map((at): Row => {
      const inputs = inputsW(source, at);
      const power = inputs.reduce((sum, one) => sum + one, 0);
      wh += power / 4;
      return [at, power, wh, ...inputs];
    });
    const named = [1, 2, 3, 4].map((input) => `DC Power ${input}:W`);
    await store('solar', source, ['AC Power:W', 'Total Energy:Wh', ...named], rows);
  }
  await store(
    'weather',
    'station',
    ['Plane Irradiance:W/m²', 'Module Temperature:°C'],
    INSTANTS.map((at): Row => [at, lightAt(at), 25]),
  );
}, 120_000);
afterAll(() => cloud.stop());

test('before days are counted it says that they are arriving, and nothing is 0', async () => {
  expect(await only()).toMatchObject({ state: 'arriving', energy: null, today: null, cost: null });
});

test('a plant with a lost string says its share, the input, since when, and what that costs', async () => {
  const { alertEngine, plants } = cloud.cloud.features;
  const { body } = await call('POST', 'energy/main/recompute', {
    body: { from: isoDay(1), to: isoDay(0) },
  });
  await vi.waitFor(
    async () =>
      expect((await call('GET', `long-actions/main/${body.id}`)).body).toMatchObject({ state: 'done' }),
    { timeout: 30_000, interval: 50 },
  );
  await call('GET', 'plants/main');
  await plants.settled();
  // A list that was asked for a moment ago is given again.
  await vi.waitFor(
    async () => {
      await alertEngine.round(NOW);
      expect((await only()).causes[0]?.incident).toBeTruthy();
    },
    { timeout: 20_000, interval: 500 },
  );
  const one = await only();
  expect(one).toMatchObject({ name: 'Hill', state: 'under', isDark: false, ratedPowerW: 30_000 });
  expect(one.causes).toEqual([
    {
      kind: 'string',
      source: 'inv-02',
      subject: 'inv-02',
      since: LOST_AT,
      percent: expect.closeTo(50, 0),
      input: '3',
      incident: expect.any(String),
    },
  ]);
  // As the report of the day has it, for the same time.
  const asked = new URLSearchParams({
    from: one.energy?.day ?? '',
    to: one.energy?.day ?? '',
    scope: `device:${plant}`,
  });
  const report = (await call('GET', `energy/main/reports/daily-energy?${asked}`)).body.total.values;
  expect(one.energy).toMatchObject({
    isToday: true,
    energyKWh: report.production,
    expectedKWh: report.expected,
    ratio: report.performance,
    inverters: { counted: 3, all: 3 },
  });
  // An eighth of what the second inverter could give, since the string went.
  const missing = INSTANTS.filter((at) => at >= LOST_AT).reduce((sum, at) => sum + lightAt(at) / 4, 0);
  expect(one.cost?.energyWh).toBeGreaterThan(missing * 0.8);
  expect(one.cost?.energyWh).toBeLessThan(missing * 1.2);
  expect(one.cost?.money).toEqual([
    { currency: 'EUR', value: expect.closeTo(((one.cost?.energyWh ?? 0) / 1000) * 0.1, 6) },
  ]);
  expect((await look()).calmSince).toBeNull();
});

test('what is silenced is no cause, and the last end of an incident is told once all is calm', async () => {
  const [open] = (await call('GET', 'incidents/main')).body;
  const until = Date.now() + HOUR;
  await call('PUT', `incidents/main/${open._id}/shelve`, { body: { reason: 'Fuses are ordered', until } });
  expect(await only()).toMatchObject({ causes: [], cost: null });
  await cloud.call('DELETE', `alerts/main/${open.alert}`, { token });
  await vi.waitFor(async () => expect((await look()).calmSince).not.toBeNull(), { timeout: 20_000 });
});

test('members of a device group see the plants of theirs alone', async () => {
  const body = { name: 'none', composition: { type: 'IN', devices: [] } };
  const devGroup = (await call('POST', 'orgs/main/device-groups', { body })).body._id;
  const bound = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'], devGroup } });
  expect((await look(bound)).plants).toEqual([]);
});

function isoDay(back: number): string {
  return new Date(TODAY - back * DAY + AHEAD * HOUR + 12 * HOUR).toISOString().slice(0, 10);
}
