import { randomUUID } from 'node:crypto';
import { plantDetail } from '@albedo/contract/plants/plants.schema';
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
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'calculations', 'Calculations')`,
  );
  await cloud.cloud.features.workgroups.tellChanged('main');
}, 120_000);
afterAll(() => cloud.stop());

const call = async (method: string, path: string, body?: unknown) =>
  cloud.call(method, path, { token, ...(body === undefined ? {} : { body }) });

let plants = 0;
/** A plant of 10 kW whose inverter has shown these energies today, a quarter of an hour apart from five in the morning on, in any order of arrival. */
async function plantWith(values: readonly number[], field = 'Total Energy') {
  const name = `p${++plants}`;
  const { body } = await call('POST', 'devices/main', { name });
  const device: string = body.id;
  const info = { Timezone: ZONE, 'Rated power': '10 kW' };
  await call('PUT', `devices/main/${device}/settings/info`, { value: info });
  const fields = [
    { name: 'AC Power', type: 'decimal' as const, units: 'kW' },
    { name: field, type: 'decimal' as const, units: 'kWh' },
  ];
  const rows = values.map((value, i): [number, number, number, number] => [
    i + 1,
    TODAY + 5 * HOUR + i * 15 * MINUTE,
    0.1,
    value,
  ]);
  const last = rows.splice(Math.floor(rows.length / 2), 1);
  for (const some of [rows.toReversed(), last])
    await cloud.cloud.features.telemetry
      .asSystem('ingest')
      .insert(
        [{ workgroup: 'main', device, stream: { table: name, source: 'inv', fields }, rows: some }],
        randomUUID(),
      );
  const signals = { sources: [{ deviceId: device, source: 'inv' }] };
  await call('POST', 'entities/main', { _id: name, name, meta: { timezone: ZONE }, signals });
  return { name, device, field };
}

/** The same energy wherever it is asked for, kWh. */
async function everywhere({ name, device, field }: Awaited<ReturnType<typeof plantWith>>) {
  const range = { from: TODAY, to: TODAY + 24 * HOUR };
  const { body: plant } = await call('GET', `devices/main/${device}/plant`);
  const { sources, today } = plantDetail.parse(plant);
  const aggs = JSON.stringify({ name: 'e', type: 'difference', field });
  const query = `timeframe=${encodeURIComponent(JSON.stringify(range))}&aggs=${encodeURIComponent(aggs)}`;
  const { body: search } = await call('GET', `tables/main/${name}/search?${query}`);
  const values = {
    e: { kind: 'aggregate', streams: { table: name, field }, operator: 'difference', units: 'kWh' },
  };
  const question = { entity: name, ...range, detail: true };
  const { body: kpi } = await call('POST', 'kpiPreview/main', { kpi: { name: 'x', values }, question });
  const hourly = { ...question, interval: '1h' };
  const { body: hours } = await call('POST', 'kpiPreview/main', {
    kpi: { name: 'x', values },
    question: hourly,
  });
  const [series] = await cloud.cloud.features.telemetry.asSystem('alerts', 'main').series({
    ...{ ...range, maxPoints: 100, interval: '1h', function: 'difference', timezone: ZONE },
    series: [{ device, table: name, source: 'inv', field }],
  });
  const sum = (all: readonly (number | null)[]) => all.reduce<number>((whole, one) => whole + (one ?? 0), 0);
  return {
    energies: {
      plant: (today.energyWh ?? Number.NaN) / 1000,
      source: (sources[0]?.energyTodayWh ?? Number.NaN) / 1000,
      search: search.stats.e,
      kpi: kpi.values.e.value,
      hours: sum(hours.values.e.series),
      chart: sum(series?.avg ?? []),
    },
    doubtedKWh: today.doubtedWh / 1000,
    energyFrom: sources[0]?.energyFrom,
    stream: kpi.values.e.streams[0],
  };
}

const all = (energy: number) => ({
  plant: expect.closeTo(energy, 9),
  source: expect.closeTo(energy, 9),
  search: expect.closeTo(energy, 9),
  kpi: expect.closeTo(energy, 9),
  hours: expect.closeTo(energy, 9),
  chart: expect.closeTo(energy, 9),
});

test.each([
  ['a dip of zeros at dawn', [1000, 1001, 0, 0, 1002, 1003, 1005], 5, [['dip', 0, 2]]],
  [
    'its last digit steps back',
    [215.6, 215.6, 215.7, 215.6, 215.6, 215.7, 215.8],
    0.2,
    [['spike', 215.7, 1]],
  ],
  ['a large one steps back', [100_000, 100_001, 100_000.9, 100_002], 2, [['dip', 100_000.9, 1]]],
  [
    'all ones at night',
    [1000, 1001, 429_496_729.5, 429_496_729.5, 1002, 1005],
    5,
    [['spike', 429_496_729.5, 2]],
  ],
  ['a negative full scale', [1000, 1001, -32_768, 1002, 1003], 3, [['dip', -32_768, 1]]],
] as const)(
  'one energy on the plant page, in search, KPI and chart: %s',
  async (_name, values, energy, excluded) => {
    const found = await everywhere(await plantWith(values));
    expect(found.energies).toEqual(all(energy));
    expect(
      found.stream.excludedReadings.map((one: { reason: string; value: number; count: number }) => [
        one.reason,
        one.value,
        one.count,
      ]),
    ).toEqual(excluded);
  },
);

test('one energy where a counter begins anew or rolls over, and lineage says where', async () => {
  const reset = await everywhere(await plantWith([5000, 5002, 1, 3, 4]));
  expect(reset.energies).toEqual(all(6));
  expect(reset.stream.restarts).toMatchObject([{ before: 5002, value: 1, kind: 'reset' }]);
  const over = await everywhere(await plantWith([6551.6, 6552.6, 0, 1, 2]));
  expect(over.energies).toEqual(all(4));
  expect(over.stream.restarts).toMatchObject([{ kind: 'rollover' }]);
});

test('more than the rating allows is doubted and kept out of the energy of today', async () => {
  const { energies, doubtedKWh } = await everywhere(
    await plantWith([100, 101, 103, 429_496_729, 429_496_731]),
  );
  expect([energies.plant, doubtedKWh]).toEqual([expect.closeTo(5, 6), expect.closeTo(429_496_626, 6)]);
});

test("what the inverter's counter of days had left from yesterday is none of today's energy", async () => {
  const plant = await plantWith([45, 45, 0.1, 0.4, 2.5], 'Daily Energy');
  const { energies, energyFrom } = await everywhere(plant);
  expect({ ...energies, energyFrom }).toMatchObject({ plant: expect.closeTo(2.5, 9), energyFrom: 'own' });
});
