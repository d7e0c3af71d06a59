import { KPI_TEMPLATES, templateValues } from '@albedo/contract/kpis/kpi-templates';
import {
  type KpiAnswer,
  type KpiCell,
  type KpiQuestion,
  type KpiRows,
  kpiRows,
} from '@albedo/contract/kpis/kpis.schema';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const HOUR = 3_600_000;
/** Midnight in Rome, in winter. */
const DAY = Date.parse('2026-01-14T23:00Z');

let cloud: TestCloud;
let token = '';
const devices: Record<string, string> = {};
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'calculations', 'Calculations')`,
  );
  await cloud.cloud.features.workgroups.tellChanged('main');
  for (const name of ['north', 'south']) {
    const made = await cloud.call('POST', 'devices/main', { token, body: { name } });
    devices[name] = made.body.id;
  }
  // Two sites: the energy of the south is twice that of the north, its irradiance half.
  const blocks = Object.entries(devices).flatMap(([name, device], s) => {
    const stream = (source: string, field: string, units: string) => ({
      table: 'solar',
      source,
      fields: [{ name: field, type: 'decimal' as const, units }],
    });
    const hours = Array.from({ length: 49 }, (_, h) => h);
    return [
      {
        workgroup: 'main',
        device,
        stream: stream('inv', 'Total Energy', 'Wh'),
        rows: hours.map((h): [number, number, number] => [h + 1, DAY + h * HOUR, 5000 + h * 1000 * (s + 1)]),
      },
      {
        workgroup: 'main',
        device,
        stream: stream('sky', 'Plane Irradiance', 'W/m²'),
        rows: hours.map((h): [number, number, number] => [
          h + 101,
          DAY + h * HOUR,
          name === 'north' ? 400 : 200,
        ]),
      },
    ];
  });
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(blocks, 'kpis');
  const site = (name: string, kWp: number) => ({
    _id: name,
    name,
    parent: 'group',
    labels: ['site'],
    meta: { kWp },
    signals: { sources: ['inv', 'sky'].map((source) => ({ deviceId: devices[name], source })) },
  });
  const all = { _id: 'group', name: 'All', meta: { timezone: 'Europe/Rome', kWp: 30 } };
  for (const body of [all, site('north', 10), site('south', 20)])
    expect((await call('POST', 'entities/main', body)).status).toBe(200);
}, 120_000);
afterAll(() => cloud.stop());

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });

const RANGE = { from: DAY, to: DAY + 48 * HOUR };
const asked = async (
  values: unknown,
  question: Partial<KpiQuestion> & { entity: string },
  by = token,
): Promise<KpiAnswer> => {
  const body = { kpi: { name: 'x', values }, question: { ...RANGE, ...question } };
  const reply = await call('POST', 'kpiPreview/main', body, by);
  expect(reply.body.message ?? '').toBe('');
  return reply.body;
};

test('a table or field that nothing has is named, where a value would only be empty', async () => {
  const of = (table: string, field: string) => ({
    kind: 'aggregate',
    streams: { table, field },
    operator: 'average',
  });
  const { values } = await asked(
    { typo: of('sollar', 'Total Energy'), field: of('solar', 'Totall'), there: of('solar', 'Total Energy') },
    { entity: 'group' },
  );
  expect(values.typo).toMatchObject({ value: null, missing: { part: 'table', name: 'sollar' } });
  expect(values.field).toMatchObject({ value: null, missing: { part: 'field', name: 'Totall' } });
  expect(values.there?.missing).toBeUndefined();
  const before = await asked({ there: of('solar', 'Plane Irradiance') }, { entity: 'north' });
  expect(before.values.there?.missing).toBeUndefined();
});

test('what an earlier release accepted is still listed, though a new one with it is refused', async () => {
  const value = { kind: 'aggregate', streams: { role: 'acPower' }, operator: 'average' };
  const odd = { 'two words': { ...value, operator: 'weightedAverage' } };
  expect((await call('POST', 'kpis/main', { name: 'Odd', values: odd })).status).toBe(400);
  const { body: made } = await call('POST', 'kpis/main', { name: 'Odd', values: { power: value } });
  await cloud.cloud.features.postgres.query('update kpis set values = $1 where id = $2', [
    JSON.stringify(Object.entries({ 'two words': { ...made.values.power, operator: 'weightedAverage' } })),
    made._id,
  ]);
  const listed = await call('GET', 'kpis/main');
  expect(listed.status).toBe(200);
  const kept = listed.body.find(({ _id }: { _id: string }) => _id === made._id);
  expect(Object.keys(kept.values)).toEqual(['two words']);
  await call('DELETE', `kpis/main/${made._id}`);
});

test('a KPI that was kept before values had all of their parts is read, computed and saved as before', async () => {
  const { body: made } = await cloud.call('POST', 'kpis/main', {
    token,
    body: {
      name: 'Old',
      values: {
        irradiance: {
          kind: 'aggregate',
          streams: { role: 'irradiancePoa' },
          operator: 'average',
          aggregator: 'average',
        },
      },
    },
  });
  await cloud.cloud.features.postgres.query(
    `update kpis set values = jsonb_build_array(jsonb_build_array('irradiance', (values->0->1)::jsonb - 'weightedBy'::text)) where id = $1`,
    [made._id],
  );
  const { body: all } = await cloud.call('GET', 'kpis/main', { token });
  expect(all.find(({ _id }: { _id: string }) => _id === made._id).values).toEqual(made.values);
  const question = { entity: 'north', from: DAY, to: DAY + 24 * HOUR };
  const { body } = await cloud.call('POST', `kpis/main/${made._id}/evaluate`, { token, body: question });
  expect(body.values.irradiance.value).toBe(400);
  expect(await cloud.call('DELETE', `kpis/main/${made._id}`, { token })).toMatchObject({ status: 200 });
});

test('a timeframe is whole days of the site up to now, and stands in place of two instants', async () => {
  const values = templateValues('performanceRatio');
  const question = { entity: 'group', timeframe: 'today', timezone: 'Pacific/Auckland', interval: '1d' };
  const { body } = await call('POST', 'kpiPreview/main', { kpi: { name: 'x', values }, question });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Rome', timeStyle: 'medium' });
  expect(clock.format(body.from)).toBe('00:00:00');
  expect(body.to).toBe(body.computedAt);
  const neither = { kpi: { name: 'x', values }, question: { entity: 'group', from: 1 } };
  expect(await call('POST', 'kpiPreview/main', neither)).toMatchObject({ status: 400 });
});

test('sums come first and the division last, over days of the site, and every number says where it comes from', async () => {
  const values = templateValues('performanceRatio');
  const answer = await asked(values, { entity: 'group', interval: '1d', detail: true });
  expect(answer).toMatchObject({ zone: 'Europe/Rome', zoneFrom: 'entity' });
  expect(answer.starts).toEqual([DAY, DAY + 24 * HOUR, DAY + 48 * HOUR]);
  const { energy, reference, performanceRatio } = answer.values;
  // The last reading lies on the edge: what was counted up to it belongs to the day before.
  expect(energy).toMatchObject({ value: 144, series: [72, 72], units: 'kWh', count: 96, streamCount: 2 });
  // 10 kWp at 400 W/m² and 20 kWp at 200 W/m², each with its own irradiance: 8 kW for 48 hours.
  expect(reference?.value).toBeCloseTo(384);
  expect(performanceRatio?.value).toBeCloseTo(144 / 384);
  expect(performanceRatio?.series?.[1]).toBeCloseTo(72 / 192);
  expect(performanceRatio?.coverage).toBeCloseTo(1);
  expect(energy?.streams).toMatchObject([
    { entity: 'north', source: 'inv', count: 48, value: 48, excluded: null, lateCount: 48 },
    { entity: 'south', source: 'inv', count: 48, value: 96, excluded: null },
  ]);
  expect(answer.values.peak?.facts).toEqual([
    { entity: 'group', key: 'kWp', value: 30, since: null, excluded: null },
  ]);
});

test('a ratio to the light is none where there is too little light, and says so; what is no ratio stays', async () => {
  const device = devices.north ?? '';
  const of = (source: string, name: string, units: string, at: (h: number) => number) => ({
    ...{ workgroup: 'main', device },
    stream: { table: 'dim', source, fields: [{ name, type: 'decimal' as const, units }] },
    rows: Array.from({ length: 49 }, (_, h): BatchRow => [401 + h, DAY + h * HOUR, at(h)]),
  });
  // 96 Wh/m² on the first day, which is no day of a plant; 9 kWh/m² on the second.
  const blocks = [
    of('inv3', 'Total Energy', 'Wh', (h) => h * 1000),
    of('sky3', 'Plane Irradiance', 'W/m²', (h) => (h < 26 ? 4 : 400)),
  ];
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(blocks, 'kpis-dim');
  const signals = { sources: ['inv3', 'sky3'].map((source) => ({ deviceId: device, source })) };
  const dim = {
    _id: 'dim',
    name: 'Dim',
    labels: ['site'],
    meta: { kWp: 10, timezone: 'Europe/Rome' },
    signals,
  };
  expect((await call('POST', 'entities/main', dim)).status).toBe(200);
  const values = templateValues('performanceRatio');
  const days = (await asked(values, { entity: 'dim', interval: '1d' })).values;
  expect(days.performanceRatio?.series).toEqual([null, expect.any(Number)]);
  expect(days.performanceRatio?.isTooDark).toBeUndefined();
  const dark = (await asked(values, { entity: 'dim', from: DAY, to: DAY + 24 * HOUR })).values;
  expect(dark.performanceRatio).toMatchObject({ value: null, isTooDark: true });
  expect(dark.reference?.value).toBeCloseTo(0.96);
  expect(dark.reference?.isTooDark).toBeUndefined();
  expect((await call('DELETE', 'entities/main/dim')).status).toBe(200);
});

test('the ratio at 25 °C takes out the heat, weighing temperatures by the sun, and the ratio to peers has their median', async () => {
  // Nights are cold and without sun: only the 45 °C of the days count.
  const isDay = (h: number) => h % 24 >= 8 && h % 24 < 16;
  const of = (
    device: string,
    source: string,
    fields: Record<string, string>,
    at: (h: number) => number[],
  ) => ({
    ...{ workgroup: 'main', device },
    stream: {
      ...{ table: 'warm', source },
      fields: Object.entries(fields).map(([name, units]) => ({ name, type: 'decimal' as const, units })),
    },
    rows: Array.from({ length: 49 }, (_, h): BatchRow => [201 + h, DAY + h * HOUR, ...at(h)]),
  });
  const sun = { 'Plane Irradiance': 'W/m²' };
  const [north = '', south = ''] = [devices.north, devices.south];
  const blocks = [
    of(north, 'inv2', { 'Total Energy': 'Wh' }, (h) => [h * 1000]),
    of(south, 'inv2', { 'Total Energy': 'Wh' }, (h) => [h * 2000]),
    of(north, 'sky2', { ...sun, 'Module Temperature': '°C' }, (h) => (isDay(h) ? [500, 45] : [-3, -5])),
    of(south, 'sky2', sun, (h) => [isDay(h) ? 500 : -3]),
  ];
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(blocks, 'warm');
  const site = (name: string, of: string, kWp: number) => ({
    ...{
      _id: name,
      name,
      parent: 'warm',
      labels: ['site'],
      meta: { kWp, temperatureCoefficient: '-0.5 %/°C' },
    },
    signals: { sources: ['inv2', 'sky2'].map((source) => ({ deviceId: devices[of], source })) },
  });
  const all = { _id: 'warm', name: 'Warm', meta: { timezone: 'Europe/Rome' } };
  for (const body of [all, site('warm-north', 'north', 10), site('warm-south', 'south', 10)])
    expect((await call('POST', 'entities/main', body)).status).toBe(200);

  const corrected = templateValues('correctedRatio');
  const { values: ofNorth } = await asked(corrected, { entity: 'warm-north', interval: '1d', detail: true });
  const { values: plain } = await asked(templateValues('performanceRatio'), { entity: 'warm-north' });
  expect(ofNorth.temperature).toMatchObject({
    units: '°C',
    value: expect.closeTo(45),
    series: [expect.closeTo(45), expect.closeTo(45)],
  });
  // Where the average comes from says what it is weighted by.
  expect(ofNorth.temperature?.weights).toMatchObject([
    { entity: 'warm-north', source: 'sky2', field: 'Plane Irradiance', units: 'W/m²', isUsed: true },
  ]);
  const { temperature, ...others } = corrected;
  const byField = { ...temperature, weightedBy: { table: 'warm', field: 'Plane Irradiance' } };
  const named = await asked({ ...others, temperature: byField }, { entity: 'warm-north' });
  expect(named.values.temperature?.value).toBeCloseTo(45);
  expect(ofNorth.correctedRatio?.value).toBeCloseTo((plain.performanceRatio?.value ?? 0) / 0.9);
  // The south measures no temperature: neither its energy nor its sun is compared.
  const { values: both } = await asked(corrected, { entity: 'warm' });
  expect(both.correctedRatio?.value).toBeCloseTo(ofNorth.correctedRatio?.value ?? 0);
  expect(both.energy?.value).toBeCloseTo(3 * (both.comparable?.value ?? 0));

  const peers = await asked(templateValues('peerRatio'), { entity: 'warm-north', detail: true });
  expect(peers.values.peers).toMatchObject({ kind: 'peers', uses: ['specificYield'], units: 'kWh/kWp' });
  expect(peers.values.peers?.peers).toEqual([{ entity: 'warm-south', value: expect.closeTo(9.6) }]);
  expect(peers.values.peerRatio?.value).toBeCloseTo(50);
  const alone = await asked(templateValues('peerRatio'), { entity: 'warm' });
  expect(alone.values.peerRatio?.value).toBeNull();
  const byLabel = {
    ...templateValues('peerRatio'),
    peers: { kind: 'peers', of: 'specificYield', label: 'site' },
  };
  const among = await asked(byLabel, { entity: 'warm-north', detail: true });
  expect(among.values.peers?.peers?.map(({ entity }) => entity)).toEqual(['north', 'south', 'warm-south']);
  const circle = { a: { kind: 'peers', of: 'b' }, b: { kind: 'formula', formula: 'a + 1' } };
  const refused = await call('POST', 'kpis/main', { name: 'Circle', values: circle });
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.body.message).toContain('needs itself');
}, 60_000);

test('the rows of many entities are what naive sums say, each by the clock of its site, and what each is asked alone', async () => {
  const values = {
    ...templateValues('specificYield'),
    sun: {
      ...{ kind: 'aggregate', streams: { role: 'irradiancePoa' }, operator: 'weightedAverage' },
      ...{ weightedBy: { role: 'irradiancePoa' }, aggregator: 'average' },
    },
  };
  const { body: made } = await call('POST', 'kpis/main', { name: 'Rows', values });
  const rowsOf = async (entities: string[], range: object): Promise<KpiRows> =>
    kpiRows.parse((await call('POST', `kpis/main/${made._id}/rows`, { entities, ...range })).body);
  // Counters go up by so much every hour, from the first midnight on and for two days.
  const naive = (perHour: number, from: number, to: number) =>
    (perHour * (Math.min(to, DAY + 48 * HOUR) - Math.max(from, DAY))) / HOUR;
  for (const [first, last] of [
    [0, 48],
    [3, 4],
    [0.5, 30],
    [24, 49],
  ] as const) {
    const range = { from: DAY + first * HOUR, to: DAY + last * HOUR };
    const { rows, columns } = await rowsOf(['south', 'nobody', 'north', 'group', 'south'], range);
    expect(columns.specificYield).toMatchObject({ isPrimary: true, units: 'kWh/kWp' });
    expect(rows.map(({ entity }) => entity)).toEqual(['south', 'north', 'group']);
    const energies = [2, 1, 3].map((perHour) => naive(perHour, range.from, range.to));
    for (const [at, kWp] of [20, 10, 30].entries()) {
      const row = rows[at];
      expect(row).toMatchObject({ ...range, zone: 'Europe/Rome' });
      expect(row?.values.energy?.value).toBeCloseTo(energies[at] ?? 0);
      expect(row?.values.specificYield?.value).toBeCloseTo((energies[at] ?? 0) / kWp);
      const alone = await call('POST', `kpis/main/${made._id}/evaluate`, { ...range, entity: row?.entity });
      for (const [name, { value, coverage, count }] of Object.entries<KpiCell>(alone.body.values))
        expect(row?.values[name]).toEqual({ value, coverage, count });
    }
  }
  const far = { name: 'Far', _id: 'far', meta: { timezone: 'Pacific/Auckland' } };
  expect((await call('POST', 'entities/main', far)).status).toBe(200);
  const { rows } = await rowsOf(['far', 'north'], { timeframe: 'today' });
  for (const [at, zone] of ['Pacific/Auckland', 'Europe/Rome'].entries()) {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });
    expect([rows[at]?.zone, clock.format(rows[at]?.from)]).toEqual([zone, '00:00:00']);
  }
  const tooMany = { entities: Array.from({ length: 501 }, (_, i) => `e${i}`), timeframe: 'today' };
  expect((await call('POST', `kpis/main/${made._id}/rows`, tooMany)).status).toBe(400);
  expect((await call('DELETE', `kpis/main/${made._id}`)).status).toBe(200);
}, 60_000);

test('a division by zero is null, what a fact was on its day counts, and what never came is said', async () => {
  const counted = { kind: 'aggregate', streams: { role: 'energyTotal' }, operator: 'difference' };
  await call('PUT', 'entities/main/south', {
    meta: {
      kWp: [
        { from: null, value: 10 },
        { from: '2026-01-16', value: 20 },
      ],
    },
  });
  const answer = await asked(
    {
      none: { kind: 'metadata', key: 'nobody says it', fallback: 0 },
      energy: { ...counted, units: 'MWh' },
      peak: { kind: 'metadata', key: 'kWp', units: 'kWp' },
      ratio: { kind: 'formula', formula: 'energy / none' },
      wrong: {
        kind: 'aggregate',
        streams: { table: 'solar', field: 'Total Energy' },
        operator: 'max',
        units: 'K',
      },
    },
    { entity: 'south', interval: '1d', detail: true },
  );
  expect(answer.values.ratio).toMatchObject({ value: null, series: [null, null] });
  expect(answer.values.energy?.value).toBeCloseTo(0.096);
  const facts = [{ entity: 'south', key: 'kWp', value: 15, since: '2026-01-16', excluded: null }];
  expect(answer.values.peak).toMatchObject({ value: 15, series: [10, 20], facts });
  expect(answer.values.wrong).toMatchObject({ value: null, streams: [{ excluded: 'units' }] });
  await call('PUT', 'entities/main/south', { meta: { kWp: 20 } });
});

test('a fact is what the source says now that the entity refers to, under what the entity says itself', async () => {
  const device = devices.south ?? '';
  const say = (info: object) => call('PUT', `devices/main/${device}/metadata`, { source: 'inv', info });
  expect((await say({ kWp: '11 kWp', limit: '70' })).status).toBe(200);
  const $ref = `${device}.inv`;
  const limit = [
    { from: null, value: 40 },
    { from: '2026-01-16', value: { $ref: `${device}.none` } },
  ];
  await call('PUT', 'entities/main/south', { meta: { $ref, limit, whole: { $ref } } });
  const fact = (key: string, units = '') => ({ kind: 'metadata', key, units });
  const ask = () =>
    asked(
      { peak: fact('kWp', 'kWp'), limit: fact('limit'), whole: fact('whole') },
      { entity: 'south', interval: '1d' },
    );
  const first = await ask();
  expect(first.values.peak).toMatchObject({ value: 11, series: [11, 11] });
  expect(first.values.limit).toMatchObject({ value: 40, series: [40, null] });
  expect(first.values.whole?.value).toBeNull();
  await say({ kWp: '12 kWp' });
  expect((await ask()).values.peak?.value).toBe(12);
  const { body: kept } = await call('GET', 'entities/main');
  expect(kept.find(({ _id }: { _id: string }) => _id === 'south').meta.$ref).toBe($ref);
  await say({});
  expect((await ask()).values.peak?.value).toBeNull();
  await call('PUT', 'entities/main/south', { meta: { kWp: 20 } });
});

test('definitions that cannot work are refused with the part at fault', async () => {
  const formula = (text: string, units = '') => ({ kind: 'formula', formula: text, units });
  const refused = async (values: unknown) =>
    (await call('POST', 'kpis/main', { name: 'Bad', values })).body.message;
  expect(await refused({ a: formula('b + 1'), b: formula('a') })).toContain('values.a.formula');
  expect(await refused({ a: formula('1 +') })).toContain('values.a.formula: Character');
  expect(await refused({ a: formula('missing * 2') })).toContain('missing');
  expect(await refused({ a: formula('5 kWh', 'm') })).toContain('values.a.units');
  expect(await refused({ 'a b': formula('1') })).toContain('begins with a letter');
  const state = { kind: 'aggregate', streams: { role: 'state' }, operator: 'timeInState' };
  expect(await refused({ a: state })).toContain('values.a.states');
  const inKelvin = { kind: 'aggregate', streams: { role: 'acPower' }, operator: 'average', units: 'K' };
  expect(await refused({ a: inKelvin })).toContain('cannot be shown in K');
  const endless = { entity: 'group', from: 0, to: 4e12, interval: '1m' };
  const reply = await call('POST', 'kpiPreview/main', { kpi: { name: 'x', values: {} }, question: endless });
  expect(reply).toMatchObject({ status: 400, body: { error: 'kpi.too_much' } });
});

test('a KPI is kept with its values in their order, a name stands once, and the audit log knows', async () => {
  for (const template of KPI_TEMPLATES) {
    const reply = await call('POST', 'kpis/main', { name: template, values: templateValues(template) });
    expect(reply.body).toMatchObject({ name: template, version: 1 });
    expect(Object.keys(reply.body.values)).toEqual(Object.keys(templateValues(template)));
  }
  const { body: all } = await call('GET', 'kpis/main');
  expect(all).toHaveLength(KPI_TEMPLATES.length);
  const { _id } = all[0];
  const renamed = { name: 'Independence', values: all[0].values };
  expect((await call('PUT', `kpis/main/${_id}`, renamed)).body).toMatchObject({ version: 2 });
  expect(await call('POST', 'kpis/main', { name: 'energy' })).toMatchObject({
    status: 409,
    body: { error: 'kpi.name_taken' },
  });
  const { body: answer } = await call('POST', `kpis/main/${_id}/evaluate`, { ...RANGE, entity: 'group' });
  expect(answer).toMatchObject({ version: 2, values: { energy: { value: 144 } } });
  expect((await call('DELETE', `kpis/main/${_id}`)).status).toBe(200);
  expect(await call('DELETE', `kpis/main/${_id}`)).toMatchObject({ body: { error: 'kpi.not_found' } });
  const written = await auditOf(cloud, 'main');
  for (const action of ['create', 'update', 'delete'])
    expect(written).toContainEqual(expect.objectContaining({ controller: 'kpi', action }));
});

test('members of a device group get numbers of what they see alone; readers change nothing; the addon is needed', async () => {
  const group = { name: 'North', composition: { type: 'IN', devices: [devices.north] } };
  const { body } = await call('POST', 'orgs/main/device-groups', group);
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup: body._id },
  });
  const { values } = await asked(templateValues('energy'), { entity: 'group', detail: true }, bound);
  expect(values.energy).toMatchObject({ value: 48, streamCount: 1 });
  const hidden = { kpi: { name: 'x', values: {} }, question: { ...RANGE, entity: 'south' } };
  expect(await call('POST', 'kpiPreview/main', hidden, bound)).toMatchObject({
    body: { error: 'entity.not_found' },
  });
  const yields = { name: 'Bound', values: templateValues('energy') };
  const { body: kpi } = await call('POST', 'kpis/main', yields);
  const question = { ...RANGE, entities: ['north', 'south', 'group'] };
  const { body: told } = await call('POST', `kpis/main/${kpi._id}/rows`, question, bound);
  expect(told.rows).toMatchObject([
    { entity: 'north', values: { energy: { value: 48 } } },
    { entity: 'group', values: { energy: { value: 48 } } },
  ]);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect(await call('POST', 'kpis/main', { name: 'No' }, reader)).toMatchObject({ status: 403 });
  const other = await cloud.newUser({ other: { role: 'owner' } });
  expect(await call('GET', 'kpis/other', undefined, other)).toMatchObject({
    body: { error: 'access.addon_missing' },
  });
});

test('work before the sun counts makes up for no standstill at noon, and each inverter has the sun of its site', async () => {
  const { body } = await call('POST', 'devices/main', { name: 'sunny' });
  const quarters = Array.from({ length: 96 }, (_, q) => q);
  const hourOf = (q: number) => q / 4;
  const of = (source: string, name: string, units: string, valueAt: (h: number) => number) => ({
    workgroup: 'main',
    device: body.id as string,
    stream: { table: 'sunny', source, fields: [{ name, type: 'decimal' as const, units }] },
    rows: quarters.map((q): [number, number, number] => [
      q + 1 + 100 * source.length,
      DAY + (q * HOUR) / 4,
      valueAt(hourOf(q)),
    ]),
  });
  const between = (from: number, to: number, v: number) => (h: number) => (h >= from && h < to ? v : 0);
  // The sun of the east counts from 8 to 16, that of the west from 10 to 12.
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(
    [
      of('e', 'Plane Irradiance', 'W/m²', between(8, 16, 600)),
      of('we', 'Plane Irradiance', 'W/m²', between(10, 12, 600)),
      // Begins three hours early, stands still for three hours at noon.
      of('inv', 'AC Power', 'W', (h) => between(5, 18, 5000)(h) - between(11, 14, 5000)(h)),
      of('inv2', 'AC Power', 'W', between(5, 18, 5000)),
      of('inv-3', 'AC Power', 'W', between(11, 18, 5000)),
    ],
    'sunny',
  );
  const entity = (_id: string, parent: string | null, source?: string) =>
    call('POST', 'entities/main', {
      ...{ _id, parent, name: _id, meta: {} },
      signals: { sources: source ? [{ deviceId: body.id, source }] : [] },
    });
  await entity('sunny', null);
  for (const [site, sky] of [
    ['sunny-east', 'e'],
    ['sunny-west', 'we'],
  ] as const)
    await entity(site, 'sunny', sky);
  await entity('east-1', 'sunny-east', 'inv');
  await entity('east-2', 'sunny-east', 'inv2');
  await entity('west-1', 'sunny-west', 'inv-3');
  const values = templateValues('availability');
  const of1 = async (id: string) =>
    (await asked(values, { entity: id, detail: true, to: DAY + 24 * HOUR })).values;
  const one = await of1('east-1');
  expect([one.producing?.value, one.sun?.value, one.availability?.value]).toEqual([5, 8, 62.5]);
  expect(one.producing?.weights).toMatchObject([{ entity: 'sunny-east', source: 'e', isUsed: true }]);
  expect((await of1('east-2')).availability?.value).toBe(100);
  expect((await of1('west-1')).availability?.value).toBe(50);
  const all = await of1('sunny');
  expect([all.producing?.value, all.sun?.value]).toEqual([14, 18]);
  expect(all.producing?.weights?.map(({ source }) => source)).toEqual(['e', 'we']);
});

test('a counter of days begins anew at midnight of its site, by its role and by its field', async () => {
  const { body } = await call('POST', 'devices/main', { name: 'daily' });
  const rows = [1, 2, 3, 4, 5, 20].map((kWh, i): [number, number, number] => {
    return [i + 1, DAY + (i < 5 ? 14 + i : 36) * HOUR, kWh];
  });
  const fields = [{ name: 'E-Today', type: 'decimal' as const, units: 'kWh' }];
  const stream = { table: 'daily', source: 'inv', fields };
  await cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert([{ workgroup: 'main', device: body.id, stream, rows }], 'daily');
  const site = { _id: 'daily', name: 'Daily', meta: { timezone: 'Europe/Rome' } };
  const signals = { sources: [{ deviceId: body.id, source: 'inv' }] };
  expect((await call('POST', 'entities/main', { ...site, signals })).status).toBe(200);
  for (const streams of [{ role: 'energyToday' }, { table: 'daily', field: 'E-Today' }]) {
    const energy = { kind: 'aggregate', streams, operator: 'difference', units: 'kWh' };
    const { values } = await asked({ energy }, { entity: 'daily', interval: '1d' });
    expect(values.energy).toMatchObject({ value: 24, series: [4, 20] });
  }
});
