import { randomUUID } from 'node:crypto';
import { type EnergyReport, energyDay, energyReport } from '@albedo/contract/energy/energy.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days of the plant end here: midnight of its clock, some days ago. */
const ZONE = 'Africa/Johannesburg';
const END = Math.floor((Date.now() - 2 * DAY) / DAY) * DAY - 2 * HOUR;
const DAYS = 10;
const dayOf = (back: number) => new Date(END - back * DAY + 2 * HOUR).toISOString().slice(0, 10);
const SPAN = { from: dayOf(DAYS), to: dayOf(1) };

let cloud: TestCloud;
let token = '';
let plant = '';

type Row = [at: number, ...values: number[]];
async function store(device: string, table: string, source: string, named: string[], rows: Row[]) {
  const fields = named.map((text) => {
    const [name = '', units] = text.split(':');
    return { name, type: 'decimal' as const, ...(units ? { units } : {}) };
  });
  const numbered = rows.map((row) => [row[0] / 1000, ...row] as [number, number, ...number[]]);
  const block = { workgroup: 'main', device, stream: { table, source, fields }, rows: numbered };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

/** Light of a day, W/m²: from 6 to 18 o'clock of the plant, 800 at noon. */
const lightAt = (at: number) =>
  Math.max(0, 800 * Math.sin(((((at - END) / HOUR + 2400) % 24) - 6) * (Math.PI / 12)));
const INSTANTS = Array.from(
  { length: (DAYS * DAY) / (15 * MINUTE) },
  (_, i) => END - DAYS * DAY + i * 15 * MINUTE,
);
/** Two inverters of 10 kWp give 8 kW at 1000 W/m², one of them three quarters of it. */
const PARTS = { 'inv-01': 1, 'inv-02': 0.75 };

const call = (method: 'GET' | 'PUT' | 'POST', path: string, more: object = {}) =>
  cloud.call(method, path, { token, ...more });
const asked = (query: object) => new URLSearchParams({ ...SPAN, ...query });
async function report(name: string, query: object = {}): Promise<EnergyReport> {
  const { status, body } = await call('GET', `energy/main/reports/${name}?${asked(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return energyReport.parse(body);
}
async function recompute(span = SPAN) {
  const { body } = await call('POST', 'energy/main/recompute', { body: span });
  await vi.waitFor(
    async () => {
      const reply = await call('GET', `long-actions/main/${body.id}`);
      expect(reply.body).toMatchObject({ state: 'done' });
    },
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
    ...{
      Latitude: '-33.9',
      Longitude: '18.9',
      Timezone: ZONE,
      'Rated power': '16 kW',
      'Peak power': '20 kWp',
    },
    ...{ Azimuth: '0', Slope: '28' },
  };
  await call('PUT', `devices/main/${plant}/settings/info`, { body: { value: info } });
  for (const [source, part] of Object.entries(PARTS)) {
    let wh = 1_000_000;
    const rows = INSTANTS.map((at): Row => {
      wh += (lightAt(at - 7.5 * MINUTE) * 8 * part) / 4;
      const ac = lightAt(at) * 8 * part;
      return [at, ac, wh, ac / 0.97];
    });
    await store(plant, 'solar', source, ['AC Power:W', 'Total Energy:Wh', 'DC Power:W'], rows);
  }
  const weather = INSTANTS.map((at): Row => [at, lightAt(at), 25 + lightAt(at) / 40]);
  await store(plant, 'weather', 'station', ['Plane Irradiance:W/m²', 'Module Temperature:°C'], weather);
  await recompute();
}, 120_000);
afterAll(() => cloud.stop());

/** Integral of the light of a day, kWh/m². */
const H = (0.8 * 24) / Math.PI;

test('energy of days is told by the roles of the fields, by the clock of the device, from the portfolio to a day', async () => {
  const all = await report('energy');
  expect(all).toMatchObject({ listed: 'devices', timezone: 'device', path: [{ scope: 'portfolio' }] });
  expect(all.rows).toMatchObject([{ name: 'Hill', level: 'device', scope: `device:${plant}` }]);
  expect(all.total.values.production).toBeCloseTo(DAYS * H * 8 * 1.75, -1);
  expect(all.periods).toHaveLength(DAYS);
  const production = all.series.find(({ key }) => key === 'production')?.values ?? [];
  expect(production.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBeCloseTo(
    Number(all.total.values.production),
    6,
  );
  const device = await report('energy', { scope: `device:${plant}` });
  expect(device.rows.map(({ name }) => name)).toEqual(['inv-01', 'inv-02']);
  const sources = device.rows.reduce((sum, { values }) => sum + Number(values.production), 0);
  expect(sources).toBeCloseTo(Number(all.total.values.production), 6);
  const source = await report('energy', { scope: device.rows[0]?.scope });
  expect(source.rows.map(({ day }) => day)).toEqual(source.periods);
  const { body } = await call('GET', `energy/main/days?${asked({ scope: `device:${plant}` })}`);
  const days = energyDay.array().parse(body);
  expect(days).toHaveLength(2 * DAYS);
  expect(days[1]).toMatchObject({ method: 'totalEnergy', samples: 96, coverage: 1, marks: [] });
});

test('daily energy holds what is expected beside it, and counts inverters that stay behind', async () => {
  const { total, rows } = await report('daily-energy', { granularity: 'month' });
  const { values } = total;
  // 0.8 of P0 H, less what heat takes.
  expect(Number(values.expected) / (DAYS * H * 20 * 0.8)).toBeGreaterThan(0.9);
  expect(Number(values.expected) / (DAYS * H * 20 * 0.8)).toBeLessThan(1);
  expect(values).toMatchObject({ below: 1, inverters: 2, wholeDays: DAYS });
  expect(values.specificYield).toBeCloseTo(Number(values.production) / 20, 6);
  expect(rows[0]?.reasons).toMatchObject({ meter: 'noMeter', budget: 'noBudget' });
});

test('the other reports divide sums last, and say why a figure is not there', async () => {
  const iec = await report('iec-performance-ratio', { granularity: 'year' });
  // Two inverters of 0.8 and 0.6 of the light, above the floor; a third one that hardly ran.
  expect(iec.total.values.performanceRatio).toBeCloseTo(0.7, 1);
  expect(Number(iec.total.values.performanceRatio25)).toBeGreaterThan(
    Number(iec.total.values.performanceRatio),
  );
  expect(iec.total.reasons.performanceRatioWeather).toBe('noReference');
  expect(iec.notes).toContainEqual({ reason: 'irradianceFloor', value: 20, names: [] });
  const { finalYield, arrayYield, referenceYield, captureLoss, systemLoss } = iec.total.values as Record<
    string,
    number
  >;
  expect((captureLoss ?? 0) + (systemLoss ?? 0)).toBeCloseTo((referenceYield ?? 0) - (finalYield ?? 0), 1);
  expect(arrayYield).toBeGreaterThan(finalYield ?? 0);
  const factor = await report('capacity-factor');
  const { production, capacityFactor, basis } = factor.total.values;
  expect(basis).toBe('ac');
  expect(capacityFactor).toBeCloseTo(Number(production) / (16 * 24 * DAYS), 2);
  const inverters = await report('inverter-performance');
  const [first, second] = inverters.rows;
  expect(first).toMatchObject({ name: 'inv-01', level: 'source', values: { below: 0 } });
  expect(second).toMatchObject({ name: 'inv-02', values: { below: 1 } });
  expect(first?.values.efficiency).toBeCloseTo(0.97, 6);
  expect(first?.values.europeanEfficiency).toBeCloseTo(0.97, 6);
  expect(second?.reasons.europeanEfficiency).toBe('emptyPowerBin');
  expect(first?.values.availability).toBeCloseTo(1, 6);
  const found = await report('daily-energy-anomalies');
  expect(found.rows.map(({ values }) => values.rule)).toContain('underperformance');
  expect((await call('GET', `energy/main/reports/energy?${asked({ scope: 'device:nobody' })}`)).status).toBe(
    404,
  );
  expect((await call('GET', `energy/main/reports/energy?${asked({ to: '2020-01-01' })}`)).status).toBe(400);
});

test('a day is replaced or left out by a decision, which can be taken back', async () => {
  const before = await report('energy');
  const place = { deviceId: plant, table: 'solar', source: 'inv-01', day: dayOf(3) };
  const decide = (more: object) => call('POST', 'energy/main/days/review', { body: { ...place, ...more } });
  const total = async () => Number((await report('energy')).total.values.production);
  const was = Number(before.total.values.production);
  const computed = (await decide({ decision: 'override', energyKWh: 1, reason: 'Read by hand' })).body;
  expect(computed).toMatchObject({ marks: ['overridden'], review: { decision: 'override', energyKWh: 1 } });
  expect(await total()).toBeCloseTo(was - computed.energyKWh + 1, 6);
  await decide({ decision: 'exclude', reason: 'Exchanged' });
  expect(await total()).toBeCloseTo(was - computed.energyKWh, 6);
  const daily = await report('daily-energy');
  expect(Number(daily.total.values.expected)).toBeLessThan(DAYS * H * 20 * 0.8);
  await decide({ decision: null });
  expect(await total()).toBeCloseTo(was, 6);
  expect((await decide({ decision: 'override' })).status).toBe(400);
  expect((await decide({ decision: 'accept', source: 'nobody' })).body.error).toBe('energy.day_unknown');
});

test('configurations have versions: who saves over a newer one is told both', async () => {
  const path = 'energy/main/config/capacity-factor-config';
  expect((await call('GET', path)).body).toEqual({
    version: 0,
    value: { basis: 'ac', roles: {}, devices: {}, entities: {} },
  });
  const saved = await call('PUT', path, { body: { value: { basis: 'dc' }, version: 0 } });
  expect(saved.body).toMatchObject({ version: 1, value: { basis: 'dc' } });
  const late = await call('PUT', path, { body: { value: { basis: 'ac' }, version: 0 } });
  expect(late).toMatchObject({ status: 409, body: { error: 'energy.config_changed' } });
  expect((await report('capacity-factor')).total.values.basis).toBe('dc');
  const wrong = await call('PUT', path, { body: { value: { basis: 'both' } } });
  expect(wrong.body.issues?.[0]?.path).toBe('value.basis');
  const { body: versions } = await call('GET', 'history/main/report/capacity-factor-config');
  expect(versions).toMatchObject([{ version: 1, name: 'capacity-factor-config' }]);
  const { body: settings } = await call('GET', 'orgs/main/settings');
  expect(settings).toMatchObject({ perfRatio: true });
});

test('a configuration is tried on yesterday before it is saved, and says what devices lack', async () => {
  const body = { value: { gammaPerK: -0.004 } };
  const { body: preview, status } = await call('POST', 'energy/main/config/iec-perf-ratio-config/preview', {
    body,
  });
  expect(status).toBe(200);
  expect(preview.lacking).toEqual([]);
  const refused = [
    ['iec-perf-ratio-config', { gammaPerK: 0.004 }],
    ['iec-perf-ratio-config', { reference: 'contract' }],
    ['performance-ratio-config', { roles: { latitude: { from: 'value', value: 91 } } }],
    ['performance-ratio-config', { roles: { azimuth: { from: 'value', value: '0.6:90,0.6:270' } } }],
    ['daily-energy-config', { timezone: 'Mars/Base' }],
    ['meter-data-config', { codes: [{ code: 'a|b' }] }],
  ] as const;
  for (const [name, value] of refused)
    expect((await call('PUT', `energy/main/config/${name}`, { body: { value } })).status, name).toBe(400);
});

test('a report is a file as well, in which a name that looks like a formula stays text', async () => {
  await call('PUT', `devices/main/${plant}`, { body: { name: '=Hill' } });
  const { bytes, headers } = await call(
    'GET',
    `energy/main/reports/energy?${asked({ format: 'csv', granularity: 'year' })}`,
  );
  expect(headers.get('content-type')).toContain('text/csv');
  const [head, row] = bytes.toString().split('\r\n');
  expect(head).toBe('name,device,table,source,day,production [kWh],estimate [kWh],meter [kWh],budget [kWh]');
  expect(row).toMatch(/^"?'=Hill"?,/);
});

test('light of a month is a file for those who are named', async () => {
  const value = { irradiation: { isOn: true, recipients: ['asset@example.org'] } };
  await call('PUT', 'energy/main/config/mppt-extract-config', { body: { value } });
  const month = SPAN.to.slice(0, 7);
  const [file, ...none] = await cloud.cloud.features.energy.extracts('main', month);
  expect(none).toEqual([]);
  expect(file).toMatchObject({ to: ['asset@example.org'], name: `irradiation-${month}.csv` });
  const [head = '', row = ''] = file?.text.split('\r\n') ?? [];
  expect(head).toContain('name,deviceId,Irradiation type,Available days,Total irradiation,');
  const [, id, type, days, total] = row.split(',');
  expect([id, type]).toEqual([plant, 'global inclined']);
  expect(Number(total) / Number(days)).toBeCloseTo(H, 1);
});

test('members of a device group see their devices, and a part of a device without the rest', async () => {
  const member = async (composition: object) => {
    const body = { name: randomUUID(), composition };
    const { _id: devGroup } = (await call('POST', 'orgs/main/device-groups', { body })).body;
    const by = await cloud.newUser({
      main: { role: 'power', permissions: ['read', 'coordinate'], devGroup },
    });
    return (await cloud.call('GET', `energy/main/reports/energy?${asked({})}`, { token: by })).body;
  };
  const all = await report('energy');
  const none = await member({ type: 'IN', devices: [] });
  expect(none).toMatchObject({ rows: [], total: { values: { production: null } } });
  const some = await member({ type: 'SRC', devices: [{ device: plant, sources: ['inv-02'] }] });
  expect(some.rows).toHaveLength(1);
  expect(Number(some.total.values.production) / Number(all.total.values.production)).toBeCloseTo(
    0.75 / 1.75,
    3,
  );
});

test('late rows change the days that they touch, and no others', async () => {
  const before = await report('energy');
  await store(
    plant,
    'solar',
    'inv-03',
    ['AC Power:W', 'Total Energy:Wh', 'DC Power:W'],
    [
      [END - DAY + 9 * HOUR, 1000, 500, 1100],
      [END - DAY + 9.25 * HOUR, 1000, 750, 1100],
    ],
  );
  await recompute();
  const after = await report('energy');
  const of = ({ series }: EnergyReport) => series.find(({ key }) => key === 'production')?.values ?? [];
  expect(of(after).slice(0, -1)).toEqual(of(before).slice(0, -1));
  expect(Number(of(after).at(-1)) - Number(of(before).at(-1))).toBeCloseTo(0.25, 6);
});

test('a day keeps its energy when its readings expire, and days without readings have their part of a gain', async () => {
  const [from, to] = [END - 9 * DAY + 12 * HOUR, END - 6 * DAY + 12 * HOUR];
  await store(
    plant,
    'solar',
    'inv-04',
    ['Total Energy:Wh'],
    [
      [from, 1000],
      [to, 73_000],
    ],
  );
  await recompute();
  const own = async () => {
    const scope = (await report('energy', { scope: `device:${plant}` })).rows.find(
      ({ name }) => name === 'inv-04',
    )?.scope;
    const { body } = await call('GET', `energy/main/days?${asked({ scope: scope ?? '' })}`);
    return energyDay
      .array()
      .parse(body)
      .map(({ day, energyKWh }) => [day, Math.round(energyKWh)]);
  };
  const days = [
    [dayOf(9), 12],
    [dayOf(8), 24],
    [dayOf(7), 24],
    [dayOf(6), 12],
  ];
  expect(await own()).toEqual(days);
  const before = await report('daily-energy', { scope: `device:${plant}` });
  // The day before and after it have two sources without a value.
  expect(before.total.values.wholeDays).toBe(0);
  await cloud.cloud.features.telemetry
    .asSystem('data administration')
    .deleteEvents('main', 'solar', END - 3 * DAY);
  await recompute();
  expect(await own()).toEqual(days);
  const after = await report('daily-energy', { scope: `device:${plant}` });
  expect(after.total.values.production).toBeCloseTo(Number(before.total.values.production), 6);
});

test('figures of plants of which one has no sensor or no rating are those of what has both', async () => {
  await call('PUT', 'energy/main/config/capacity-factor-config', { body: { value: { basis: 'ac' } } });
  const [iec, factor] = [await report('iec-performance-ratio'), await report('capacity-factor')];
  const valley = (await call('POST', 'devices/main', { body: { name: 'Valley' } })).body.id;
  await call('PUT', `devices/main/${valley}/settings/info`, {
    body: { value: { Timezone: ZONE, 'Peak power': '20 kWp' } },
  });
  await store(
    valley,
    'solar',
    'inv-01',
    ['Total Energy:Wh'],
    INSTANTS.map((at, i): Row => [at, 1000 * i]),
  );
  await recompute();
  const [mixed, both] = [await report('iec-performance-ratio'), await report('capacity-factor')];
  expect(Number(mixed.total.values.production)).toBeGreaterThan(Number(iec.total.values.production) + 900);
  expect(mixed.total.values.referenceYield).toBeCloseTo(Number(iec.total.values.referenceYield), 6);
  expect(mixed.total.values.irradiation).toBeCloseTo(Number(iec.total.values.irradiation), 6);
  expect(both.total.values.capacityFactor).toBeCloseTo(Number(factor.total.values.capacityFactor), 6);
  expect(both.total.values.rating).toBeCloseTo(Number(factor.total.values.rating), 6);
});

test('a day that was computed before it was over is computed once more when it is, with the days beside it', async () => {
  const { postgres } = cloud.cloud.features;
  const computed = async () => {
    const rows = await postgres.query(
      `select day::text, computed_at::float8 as at from energy_device_days where device = $1 and day < $2 order by day`,
      [plant, dayOf(1)],
    );
    return new Map(rows.map(({ day, at }) => [String(day), Number(at)]));
  };
  const computedAgain = async () => {
    // What the tests before this one changed is computed first.
    await recompute({ from: dayOf(1), to: dayOf(1) });
    const noon = END - 4.5 * DAY;
    await postgres.query('update energy_device_days set computed_at = $1 where device = $2 and day = $3', [
      ...[noon, plant, dayOf(5)],
    ]);
    // Nothing was stored since then.
    await postgres.query('update energy_watches set stored_at = $1', [Date.now() + HOUR]);
    const before = await computed();
    expect(before.get(dayOf(5))).toBe(noon);
    await recompute({ from: dayOf(1), to: dayOf(1) });
    return [...(await computed())].filter(([day, at]) => at !== before.get(day)).map(([day]) => day);
  };
  // The round of the minute computes what other tests changed, now and then in between.
  const days = [dayOf(6), dayOf(5), dayOf(4)];
  await vi.waitFor(async () => expect(await computedAgain()).toEqual(days), {
    timeout: 30_000,
    interval: 200,
  });
});

test('a day that has not begun where the plant stands has no energy, and keeps no other day waiting', async () => {
  const ahead = (await call('POST', 'devices/main', { body: { name: 'Ahead' } })).body.id;
  await call('PUT', `devices/main/${ahead}/settings/info`, { body: { value: { Timezone: ZONE } } });
  // Its clock runs ahead of the cloud.
  const noon = END + 2 * HOUR + Math.ceil((Date.now() - END) / DAY) * DAY + 10 * HOUR;
  const rows = (value: number) => [0, 15, 30].map((minutes): Row => [noon + minutes * MINUTE, value]);
  await store(ahead, 'solar', 'inv-01', ['AC Power:W'], rows(4000));
  await store(ahead, 'weather', 'station', ['Plane Irradiance:W/m²'], rows(600));
  const day = new Date(noon).toISOString().slice(0, 10);
  await recompute({ from: dayOf(1), to: day });
  const { body } = await call('GET', `energy/main/reports/energy?${asked({ from: day, to: day })}`);
  expect(body.total.values.production).toBeNull();
});
