import { text } from 'node:stream/consumers';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let agent: FakeAgent;
let token = '';
const AT = Date.now() - 60_000;
const LARGE = '18446744073709551615';
const FIELDS = [
  { name: 'energy', type: 'integer' as const, units: 'Wh' },
  { name: 'count', type: 'integer' as const },
];
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  agent = await connectAgent(cloud);
  const rows = [
    [AT, 1000, 1],
    [AT + 1000, '9007199254740993', 2],
    [AT + 2000, LARGE, 3],
  ];
  await agent.send([{ table: 'meter', source: 'm', fields: FIELDS, rows }]);
  await agent.acknowledged();
});
afterAll(async () => {
  await agent?.leave();
  await cloud.stop();
});

/** Lists repeat the parameter, objects travel as JSON. */
function search(query: Record<string, unknown>) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      params.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  return cloud.call('GET', `tables/main/meter/search?${params}`, { token });
}

test('a counter of 64 bits is found with all its digits, by search, as CSV and as the newest value', async () => {
  const { body } = await search({ sort: 'event_time' });
  expect(body.records.map((row: Record<string, unknown>) => [row.energy, row.count])).toEqual([
    [1000, 1],
    ['9007199254740993', 2],
    [LARGE, 3],
  ]);
  const { bytes } = await search({ csvScroll: true, fields: ['energy', 'count'] });
  expect(bytes.toString().trim().split('\r\n')).toEqual([
    'energy,count',
    '1000,1',
    '9007199254740993,2',
    `${LARGE},3`,
  ]);
  const whole = cloud.cloud.features.telemetry.asSystem('export', 'main');
  const newest = await whole.latest(agent.id);
  expect(newest.find(({ table }) => table === 'meter')?.values).toMatchObject({ energy: LARGE, count: 3 });
  expect((await whole.latestOf('meter', 'energy'))[0]?.value).toBe(LARGE);
});

test('files that the engine writes have the digits as text', async () => {
  const whole = cloud.cloud.features.telemetry.asSystem('export', 'main');
  const query = searchQuery.parse({ fields: ['energy', 'count'] });
  const lines = await text(await whole.file('meter', query, 'JSONEachRow'));
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).energy),
  ).toEqual(['1000', '9007199254740993', LARGE]);
});

test('as a number it can be drawn, filtered and summed up like any other, to sixteen digits', async () => {
  const { body } = await search({
    filters: [{ field: 'energy', operator: '>', value: 10_000 }],
    aggs: [{ name: 'm', type: 'max', field: 'energy' }],
  });
  expect(body.records).toHaveLength(2);
  expect(JSON.stringify(body)).toContain('18446744073709552000');
  const { body: series } = await cloud.call('POST', 'series/main', {
    token,
    body: {
      from: AT - 1000,
      to: AT + 9000,
      series: [{ device: agent.id, table: 'meter', source: 'm', field: 'energy' }],
    },
  });
  expect(JSON.stringify(series)).toContain('18446744073709552000');
  const { body: table } = await cloud.call('GET', 'tables/main/meter', { token });
  expect(table.fields).toContainEqual(
    expect.objectContaining({ name: 'energy', type: 'integer', units: 'Wh' }),
  );
});
