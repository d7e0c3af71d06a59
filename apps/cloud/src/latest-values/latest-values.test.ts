import { cachedLatestValue, latestValue } from '@albedo/contract/latest-values/latest-values.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { block } from '../telemetry/telemetry.test-store.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const AT = Date.UTC(2026, 4, 1, 12);
let cloud: TestCloud;
let token = '';
let roof = '';
let hall = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const make = async (name: string): Promise<string> =>
    (await cloud.call('POST', 'devices/main', { token, body: { name } })).body.id;
  roof = await make('Roof');
  hall = await make('Hall');
  const power = { power: 'decimal', state: 'keyword' } as const;
  await insert(
    roof,
    block(
      'inverter',
      power,
      [
        [1, AT, 1, 'on'],
        [2, AT + 1000, 2, 'off'],
      ],
      { source: 'inv-1' },
    ),
  );
  await insert(roof, block('inverter', power, [[3, AT + 500, 7, 'on']], { source: 'inv.2' }));
  await insert(hall, block('inverter', power, [[1, AT, 9, 'on']], { source: 'inv-1' }));
});
afterAll(() => cloud.stop());

const insert = (device: string, one: ReturnType<typeof block>) =>
  cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert([{ ...one, workgroup: 'main', device }], crypto.randomUUID());

const get = async (path: string, by = token) =>
  (await cloud.call('GET', `devices/main/${path}`, { token: by })).body;

test('the newest value of a field, of each device or of each source', async () => {
  const byDevice = z.array(latestValue).parse(await get('device/latestValues?table=inverter&field=power'));
  expect(new Map(byDevice.map(({ device, value }) => [device, value]))).toEqual(
    new Map([
      [roof, 2],
      [hall, 9],
    ]),
  );
  const bySource = await get('device/latestValues?table=inverter&field=state&groupBy=source');
  expect(z.array(latestValue).parse(bySource)).toContainEqual({
    device: roof,
    source: 'inv.2',
    eventAt: AT + 500,
    value: 'on',
  });
  const unknown = await cloud.call('GET', 'devices/main/device/latestValues?table=inverter&field=none', {
    token,
  });
  expect(unknown.body.message).toContain('none');
});

test('one stream is named by its table and its source', async () => {
  expect(await get(`${roof}/latest/inverter.inv.2`)).toMatchObject({
    eventAt: AT + 500,
    values: { power: 7 },
  });
  const none = await cloud.call('GET', `devices/main/${roof}/latest/inverter.nowhere`, { token });
  expect(none.status).toBe(404);
});

test('many streams are answered in their order, with null for what is not there or not to be seen', async () => {
  const key = (device: string, source: string, field = 'power', table = 'inverter') => ({
    device,
    table,
    source,
    field,
  });
  const streams = [
    key(hall, 'inv-1'),
    key(roof, 'none'),
    key(roof, 'inv-1'),
    key(roof, 'inv-1', 'x'),
    key(roof, 'a', 'b', 'c'),
  ];
  const ask = async (by: string) =>
    (await cloud.call('POST', 'devices/main/device/cachedLatestValues', { token: by, body: { streams } }))
      .body;
  const answers = z.array(cachedLatestValue).parse(await ask(token));
  expect(answers.map((one) => one?.value ?? null)).toEqual([9, null, 2, null, null]);

  const group = { name: 'Roofs', composition: { type: 'IN', devices: [roof] } };
  const grouped = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({ main: { role: 'readonly', devGroup: grouped.body._id } });
  expect((await ask(bound)).map((one: { value: unknown } | null) => one?.value ?? null)).toEqual([
    null,
    null,
    2,
    null,
    null,
  ]);
  const seen = await get('device/latestValues?table=inverter&field=power', bound);
  expect(seen.map(({ device }: { device: string }) => device)).toEqual([roof]);
});
