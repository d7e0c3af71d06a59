import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { block } from '../telemetry/telemetry.test-store.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const AT = Date.UTC(2026, 4, 1, 12);
let cloud: TestCloud;
let owner = '';
let roof = '';
let hall = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const make = async (name: string): Promise<string> =>
    (await cloud.call('POST', 'devices/main', { token: owner, body: { name } })).body.id;
  roof = await make('Roof');
  hall = await make('Hall');
  const power = { power: ['decimal', 'W'] } as const;
  const rows = Array.from({ length: 60 }, (_, i): [number, number, number] => [i + 1, AT + i * 60_000, i]);
  await cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert(
      [
        block('inverter', { power: [...power.power] }, rows, { workgroup: 'main', device: roof }),
        block('inverter', { power: [...power.power] }, [[1, AT, 7]], { workgroup: 'main', device: hall }),
      ],
      'mcp',
    );
});
afterAll(() => cloud.stop());

/** The official client, as an assistant has it. */
async function assistant(token: string) {
  const transport = new StreamableHTTPClientTransport(new URL(`${cloud.cloud.url}/api/v1/mcp/main`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    tools: async () => (await client.listTools()).tools,
    ask: async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      return isError ? { error: text } : JSON.parse(text);
    },
    stop: () => client.close(),
  };
}

test('an assistant with a reading token finds devices and tables, searches, and reads series and latest values', async () => {
  const body = { ...NEW_TOKEN, permissions: ['read'], canRenew: false };
  const { token } = (await cloud.call('POST', 'orgs/main/api-tokens', { token: owner, body })).body;
  const { tools, ask, stop } = await assistant(token);
  expect((await tools()).map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual(
    ['list_devices', 'list_tables', 'describe_table', 'search', 'get_series', 'latest_values'].map((name) => [
      name,
      true,
    ]),
  );
  expect(await ask('list_devices', { name: 'roo' })).toMatchObject({
    total: 1,
    devices: [{ id: roof, name: 'Roof' }],
  });
  expect((await ask('list_tables')).tables).toContain('inverter');
  const { fields } = await ask('describe_table', { table: 'inverter' });
  expect(fields).toContainEqual(expect.objectContaining({ name: 'power', units: 'W' }));
  const filters = [{ field: 'power', operator: '>=', value: 50 }];
  const aggs = [{ name: 'most', type: 'max', fields: ['power'] }];
  const found = await ask('search', { table: 'inverter', filters, aggs, rows: 1, sort: '-event_time' });
  expect(found).toMatchObject({ totalRecords: 10, records: [{ power: 59 }], stats: { most: 59 } });
  const series = [{ device: roof, table: 'inverter', source: 'inv-01', field: 'power' }];
  const span = { from: '2026-05-01T12:00:00Z', to: '2026-05-01T13:00:00Z' };
  const [points] = await ask('get_series', { series, ...span });
  expect(points.stats).toMatchObject({ count: 60, min: 0, max: 59 });
  expect(await ask('latest_values', { table: 'inverter', field: 'power' })).toHaveLength(2);
  expect(await ask('search', { table: 'nothing' })).toMatchObject({
    error: expect.stringContaining('nothing'),
  });
  expect(await ask('search', { table: 'inverter', filters: [{ field: 'power' }] })).toMatchObject({
    error: expect.stringContaining('filters'),
  });
  await stop();
});

test('an assistant sees what its person sees: a member of a device group no other device, others no log', async () => {
  const group = { name: 'Halls', composition: { type: 'IN', devices: [hall] } };
  const made = await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body: group });
  const member = { role: 'readonly', permissions: ['read'], devGroup: made.body._id } as const;
  const { ask, stop } = await assistant(
    await cloud.newUser({ main: { ...member, permissions: ['read'] } }),
  ).catch(() => ({ ask: null, stop: null }));
  // A person's session asks for the anti-forgery token, which assistants do not have: they are given API tokens.
  expect(ask).toBeNull();
  expect(stop).toBeNull();
  const body = { ...NEW_TOKEN, permissions: ['read'], canRenew: false, devGroup: made.body._id };
  const { token } = (await cloud.call('POST', 'orgs/main/api-tokens', { token: owner, body })).body;
  const bound = await assistant(token);
  expect(await bound.ask('list_devices')).toMatchObject({ total: 1, devices: [{ id: hall }] });
  expect(await bound.ask('search', { table: 'inverter' })).toMatchObject({ totalRecords: 1 });
  expect(await bound.ask('latest_values', { device: roof })).toHaveProperty('error');
  expect((await bound.ask('list_tables')).tables).not.toContain('audit_logs');
  expect(await bound.ask('search', { table: 'audit_logs' })).toHaveProperty('error');
  await bound.stop();
});
