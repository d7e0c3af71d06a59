import { randomUUID } from 'node:crypto';
import {
  type PlantSource,
  type PlantSummary,
  plantDetail,
  plantList,
} from '@albedo/contract/plants/plants.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { dayOf } from './plant-day.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.now();
/** A zone in which it is early in the afternoon. */
const AHEAD = ((14 - new Date(NOW).getUTCHours() + 12 + 24) % 24) - 12;
const ZONE = AHEAD === 0 ? 'UTC' : `Etc/GMT${AHEAD > 0 ? '-' : '+'}${Math.abs(AHEAD)}`;
const TODAY = dayOf(NOW, ZONE).from;

let cloud: TestCloud;
let token = '';
let plant = '';
let computer = '';

type Row = [at: number, ...values: (number | string)[]];
/** `name:unit` of each field. */
async function store(device: string, table: string, source: string, named: string[], rows: Row[]) {
  const fields = named.map((text, i) => {
    const [name = '', units] = text.split(':');
    const type = typeof rows[0]?.[i + 1] === 'string' ? ('keyword' as const) : ('decimal' as const);
    return { name, type, ...(units ? { units } : {}) };
  });
  const numbered = rows.map((row, i) => [i + 1, ...row] as [number, number, ...(number | string)[]]);
  const block = { workgroup: 'main', device, stream: { table, source, fields }, rows: numbered };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

/** Light of a day at an instant, W/m²: from 6 to 18 o'clock. */
const lightAt = (at: number) =>
  Math.max(0, 900 * Math.sin((((at - TODAY) / HOUR + 240 * 24 - 6) % 24) * (Math.PI / 12)));
/** Every 10 minutes of the past three weeks. */
const INSTANTS = Array.from({ length: 21 * 144 }, (_, i) => NOW - 2 * MINUTE - i * 10 * MINUTE).reverse();
const factors: Record<string, (at: number) => number> = {
  'inv-01': () => 1,
  'inv-02': (at) => (at >= TODAY - 4 * 24 * HOUR ? 0.75 : 1),
  'inv-03': () => 1,
};
const powerW = (source: string, at: number) => lightAt(at) * 20 * (factors[source]?.(at) ?? 0);

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const add = async (name: string) =>
    (await cloud.call('POST', 'devices/main', { token, body: { name } })).body.id as string;
  plant = await add('Hill');
  computer = await add('Box');
  const info = { Latitude: '0', Longitude: String(AHEAD * 15), Timezone: ZONE, 'Rated power': '60 kW' };
  await cloud.call('PUT', `devices/main/${plant}/settings/info`, { token, body: { value: info } });
  for (const source of Object.keys(factors)) {
    let wh = 1_000_000;
    const rows = INSTANTS.map((at): Row => {
      wh += powerW(source, at) / 6;
      return [at, powerW(source, at) / 1000, wh, 'MPPT'];
    });
    await store(plant, 'solar', source, ['AC Power:kW', 'Total Energy:Wh', 'Status'], rows);
  }
  const light = INSTANTS.map((at): Row => [at, lightAt(at)]);
  await store(plant, 'weather', 'station', ['Plane Irradiance:W/m²'], light);
  await store(plant, 'meter', 'grid', ['AC Power:W'], [[NOW - MINUTE, -5000]]);
  await store(computer, 'black_box', 'Black box', ['CPU usage:%'], [[NOW, 3]]);
});
afterAll(() => cloud.stop());

const detail = async (device = plant, by = token) =>
  plantDetail.parse((await cloud.call('GET', `devices/main/${device}/plant`, { token: by })).body);
const list = async (by = token): Promise<PlantSummary[]> =>
  plantList.parse((await cloud.call('GET', 'plants/main', { token: by })).body).plants;

test('energy today is what the counters counted in the day of the plant, as the search says too', async () => {
  const { day, zone, today, sources, kind } = await detail();
  expect({ kind, zone, from: day.from }).toEqual({ kind: 'plant', zone: ZONE, from: TODAY });
  const timeframe = JSON.stringify({ from: TODAY - 10 * MINUTE, to: NOW });
  const aggs = JSON.stringify({ name: 'e', type: 'difference', field: 'Total Energy', groupBy: ['source'] });
  const query = `timeframe=${encodeURIComponent(timeframe)}&aggs=${encodeURIComponent(aggs)}`;
  const { body } = await cloud.call('GET', `tables/main/solar/search?${query}`, { token });
  const counted = new Map<string, number>(
    body.aggregations.e.buckets.map((one: { key: string; e: { value: number } }) => [one.key, one.e.value]),
  );
  expect(counted.size).toBe(3);
  for (const [source, wh] of counted) {
    const own = sources.find((one: PlantSource) => one.source === source);
    expect(own).toMatchObject({ energyFrom: 'counter', energyTodayWh: expect.closeTo(wh, 3) });
  }
  const own = INSTANTS.filter((at) => at >= TODAY).flatMap((at) =>
    Object.keys(factors).map((one) => powerW(one, at) / 6),
  );
  expect(today.energyWh).toBeCloseTo(
    own.reduce((sum, one) => sum + one, 0),
    3,
  );
});

test('the curve of the day adds up the inverters, beside the light and the sky without clouds', async () => {
  const { curve, day } = await detail();
  const at = Math.floor((NOW - TODAY - HOUR) / (curve?.stepMs ?? 1));
  const expected = Object.keys(factors).reduce((sum, one) => sum + powerW(one, curve?.times[at] ?? 0), 0);
  expect(curve?.powerW[at]).toBeGreaterThan(expected * 0.9);
  expect(curve?.powerW[at]).toBeLessThan(expected * 1.1);
  expect(curve?.poaWm2[at]).toBeGreaterThan(100);
  expect(curve?.clearSkyW).toHaveLength(Math.ceil((day.to - day.from) / (curve?.stepMs ?? 1)));
  expect(Math.max(...(curve?.clearSkyW ?? []))).toBeLessThanOrEqual(60_000);
  expect(curve?.clearSkyW?.[0]).toBe(0);
});

test('an inverter that gives less than on its good days is pointed at, here and in the list', async () => {
  const finding = {
    kind: 'below',
    source: 'inv-02',
    percent: expect.closeTo(25, 0),
    since: TODAY - 4 * 24 * HOUR,
    by: 'irradiance',
  };
  expect((await detail()).findings).toEqual([finding]);
  await list();
  await cloud.cloud.features.plants.settled();
  const [one, ...others] = await list();
  expect(others).toEqual([]);
  const newest = INSTANTS.at(-1) ?? 0;
  const power = Object.keys(factors).reduce((sum, source) => sum + powerW(source, newest), 0);
  expect(one).toMatchObject({
    device: plant,
    name: 'Hill',
    ratedPowerW: 60_000,
    power: { value: expect.closeTo(power, 3), at: newest },
    grid: { value: -5000 },
    inverters: { total: 3, producing: 3, troubled: 0, silent: 0 },
    findings: [finding],
  });
  expect(one?.energyTodayWh).toBeCloseTo((await detail()).today.energyWh ?? 0, 3);
});

test('a device that has no inverters is no plant', async () => {
  expect(await detail(computer)).toMatchObject({ kind: 'computer', curve: null, findings: [] });
});

test('members of a device group see no number of what they do not see', async () => {
  const bound = async (name: string, composition: object) => {
    const body = { name, composition };
    const devGroup = (await cloud.call('POST', 'orgs/main/device-groups', { token, body })).body._id;
    return cloud.newUser({ main: { role: 'readonly', permissions: ['read'], devGroup } });
  };
  const elsewhere = await bound('boxes', { type: 'IN', devices: [computer] });
  expect(await list(elsewhere)).toEqual([]);
  const one = await bound('first', { type: 'SRC', devices: [{ device: plant, sources: ['inv-01'] }] });
  const [summary] = await list(one);
  const newest = INSTANTS.at(-1) ?? 0;
  expect(summary).toMatchObject({
    isPartial: true,
    inverters: { total: 1 },
    power: { value: expect.closeTo(powerW('inv-01', newest), 3) },
    grid: { value: null, missing: 'noSource' },
    poa: { value: null },
    findings: [],
  });
  const { sources, findings, today } = await detail(plant, one);
  expect(sources.map(({ source }) => source)).toEqual(['inv-01']);
  expect(findings).toEqual([]);
  expect(today.energyWh).toBeCloseTo(sources[0]?.energyTodayWh ?? 0, 3);
});
