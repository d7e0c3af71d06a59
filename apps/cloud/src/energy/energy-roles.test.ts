import { randomUUID } from 'node:crypto';
import { type EnergyReport, energyReport } from '@albedo/contract/energy/energy.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 3;
const END = Math.floor((Date.now() - 2 * DAY) / DAY) * DAY;
const dayOf = (back: number) => new Date(END - back * DAY).toISOString().slice(0, 10);
const SPAN = { from: dayOf(DAYS), to: dayOf(1) };
const INSTANTS = Array.from({ length: DAYS * 96 }, (_, i) => END - DAYS * DAY + i * 0.25 * HOUR);
const lightAt = (at: number) => Math.max(0, 800 * Math.sin((((at % DAY) / HOUR - 6) * Math.PI) / 12));

let cloud: TestCloud;
let token = '';
let hill = '';
let mast = '';

async function store(
  device: string,
  table: string,
  source: string,
  named: readonly string[],
  rows: [number, ...number[]][],
) {
  const fields = named.map((text) => {
    const [name = '', units = ''] = text.split(':');
    return { name, type: 'decimal' as const, ...(units ? { units } : {}) };
  });
  const numbered = rows.map((row) => [row[0] / 1000, ...row] as [number, number, ...number[]]);
  const block = { workgroup: 'main', device, stream: { table, source, fields }, rows: numbered };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}
const call = (method: 'GET' | 'PUT' | 'POST', path: string, more: object = {}) =>
  cloud.call(method, path, { token, ...more });
async function report(name: string): Promise<EnergyReport> {
  const asked = new URLSearchParams({ ...SPAN, granularity: 'year' });
  const { status, body } = await call('GET', `energy/main/reports/${name}?${asked}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return energyReport.parse(body);
}
async function recompute() {
  const { body } = await call('POST', 'energy/main/recompute', { body: SPAN });
  await vi.waitFor(
    async () => {
      const reply = await call('GET', `long-actions/main/${body.id}`);
      expect(reply.body).toMatchObject({ state: 'done' });
    },
    { timeout: 30_000, interval: 50 },
  );
}
const put = (name: string, value: object) => call('PUT', `energy/main/config/${name}`, { body: { value } });
async function configure(name: string, value: object) {
  const { status, body } = await put(name, value);
  expect(status, JSON.stringify(body)).toBe(200);
  await recompute();
}
const field = (table: string, name: string, device?: string) => ({
  ...{ from: 'field', table, field: name },
  ...(device === undefined ? {} : { device }),
});

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'daily-energy', 'Daily energy')`,
  );
  hill = (await call('POST', 'devices/main', { body: { name: 'Hill' } })).body.id;
  mast = (await call('POST', 'devices/main', { body: { name: 'Mast' } })).body.id;
  const info = { Latitude: '0', Longitude: '0', Timezone: 'UTC', Azimuth: '0', Slope: '0' };
  await call('PUT', `devices/main/${hill}/settings/info`, { body: { value: info } });
  for (const source of ['inv-01', 'inv-02']) {
    let wh = 0;
    const rows = INSTANTS.map((at): [number, ...number[]] => {
      const ac = lightAt(at) * 8;
      wh += (lightAt(at - HOUR / 8) * 8) / 4;
      // The array gives twice what comes out; a module was added on the last day.
      return [at, ac, wh, ac / 0.97, (2 * wh) / 1000, at < END - DAY ? 9000 : 10_000];
    });
    const named = ['AC Power:W', 'Total Energy:Wh', 'DC Power:W', 'Strings:kWh', 'Nameplate:W'];
    await store(hill, 'solar', source, named, rows);
  }
  // Sent once, in a table of its own, by what controls the whole device.
  await store(hill, 'plant', 'controller', ['Limit:kW'], [[END - DAY, 16]]);
  const own = INSTANTS.map((at): [number, ...number[]] => [at, lightAt(at) / 2]);
  await store(hill, 'weather', 'station', ['Plane Irradiance:W/m²'], own);
  const sky = INSTANTS.map((at): [number, ...number[]] => [at, lightAt(at), lightAt(at) / 10, lightAt(at)]);
  await store(mast, 'sky', 'mast', ['Light:W/m²', 'Behind:W/m²', 'Satellite:W/m²'], sky);
  await recompute();
}, 120_000);
afterAll(() => cloud.stop());

/** Light of the days, kWh/m². */
const H = (DAYS * 0.8 * 24) / Math.PI;

test('a rating is the newest value of the field it is mapped to, of each source or a part of that of its device', async () => {
  expect((await report('capacity-factor')).total.reasons.capacityFactor).toBe('noRating');
  const roles = { peakPower: field('solar', 'Nameplate'), ratedPower: field('plant', 'Limit') };
  await configure('daily-energy-config', { roles });
  expect((await report('capacity-factor')).total.values).toMatchObject({ basis: 'ac', rating: 16 });
  await configure('capacity-factor-config', { basis: 'dc' });
  expect((await report('capacity-factor')).total.values).toMatchObject({ basis: 'dc', rating: 20 });
});

test('the light of another device is read where it is mapped, in place of what is found by itself', async () => {
  const ratio = async () => Number((await report('iec-performance-ratio')).total.values.performanceRatio);
  expect(await ratio()).toBeCloseTo(1.6, 1);
  await configure('iec-perf-ratio-config', { roles: { irradiancePoa: field('sky', 'Light', mast) } });
  expect(await ratio()).toBeCloseTo(0.8, 1);
});

test('light on the rear and energy before the inverter are those of the mapped fields', async () => {
  const roles = { irradiancePoa: field('sky', 'Light', mast) };
  const bifacial = { isBifacial: true, bifaciality: 1 };
  await configure('iec-perf-ratio-config', { ...bifacial, roles });
  const front = await report('iec-performance-ratio');
  expect(front.notes.map(({ reason }) => reason)).toContain('frontSideOnly');
  const more = { irradianceRear: field('sky', 'Behind', mast), dcEnergy: field('solar', 'Strings') };
  await configure('iec-perf-ratio-config', { ...bifacial, roles: { ...roles, ...more } });
  const both = await report('iec-performance-ratio');
  expect(both.notes.map(({ reason }) => reason)).not.toContain('frontSideOnly');
  const of = ({ total }: EnergyReport, key: string) => Number(total.values[key]);
  expect(of(front, 'performanceRatio') / of(both, 'performanceRatio')).toBeCloseTo(1.1, 2);
  expect(of(front, 'arrayYield') / of(front, 'finalYield')).toBeCloseTo(1 / 0.97, 1);
  expect(of(both, 'arrayYield') / of(both, 'finalYield')).toBeCloseTo(2, 1);
});

test('the external feed is the field that is mapped to it', async () => {
  const roles = { irradianceFeed: field('sky', 'Satellite', mast) };
  const irradiation = async () => (await report('iec-performance-ratio')).total.values.irradiation;
  await configure('performance-ratio-config', { irradiance: ['feed'] });
  expect(await irradiation()).toBeNull();
  await configure('performance-ratio-config', { irradiance: ['feed'], roles });
  expect(Number(await irradiation()) / H).toBeCloseTo(1, 1);
});

test('what cannot be read is refused, and members of a device group see no other devices in it', async () => {
  const refused = [
    [{ roles: { irradiancePoa: { from: 'value', value: 500 } } }, 'value.roles.irradiancePoa.from'],
    [{ roles: { irradiancePoa: field('sky', 'Light', randomUUID()) } }, 'value.roles.irradiancePoa.device'],
    [{ roles: { peakPower: field('solar', 'Nameplate', mast) } }, 'value.roles.peakPower.device'],
    [{ entities: { e: { moduleTemperature: field('sky', 'Light') } } }, 'value.entities.e.moduleTemperature'],
  ] as const;
  for (const [value, path] of refused) {
    const { status, body } = await put('performance-ratio-config', value);
    expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
  }
  const group = { name: 'Hill only', composition: { type: 'IN', devices: [hill] } };
  const { _id: devGroup } = (await call('POST', 'orgs/main/device-groups', { body: group })).body;
  const by = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'], devGroup } });
  const { body } = await cloud.call('GET', 'energy/main/config/iec-perf-ratio-config', { token: by });
  expect(Object.keys(body.value.roles)).toEqual(['dcEnergy']);
});
