import { randomUUID } from 'node:crypto';
import type { Trend } from '@albedo/contract/trends/trends.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.now();

let cloud: TestCloud;
let token = '';
const ids: Record<'plant' | 'machine' | 'silent', string> = { plant: '', machine: '', silent: '' };

/** A value every 5 minutes of the last hours, ending a minute ago. */
async function store(
  device: string,
  [table, source, field]: [string, string, string],
  valueAt: (at: number) => number,
) {
  const times = Array.from({ length: 12 * 23 }, (_, i) => NOW - MINUTE - i * 5 * MINUTE).reverse();
  const [name = '', units] = field.split(':');
  const fields = [{ name, type: 'decimal' as const, ...(units ? { units } : {}) }];
  const rows = times.map((at, i) => [i + 1, at, valueAt(at)] as [number, number, number]);
  const block = { workgroup: 'main', device, stream: { table, source, fields }, rows };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

async function ask(devices: string[], as = token): Promise<Trend[]> {
  const { status, body } = await cloud.call('POST', 'trends/main', { token: as, body: { devices } });
  expect(status).toBe(200);
  return body as Trend[];
}

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  for (const name of Object.keys(ids) as (keyof typeof ids)[])
    ids[name] = (await cloud.call('POST', 'devices/main', { token, body: { name } })).body.id;
  const late = (at: number) => (at > NOW - 6 * HOUR ? 1 : 0);
  await store(ids.plant, ['solar', 'inv-01', 'AC Power:kW'], (at) => 3 * late(at));
  await store(ids.plant, ['solar', 'inv-02', 'AC Power:kW'], (at) => 2 * late(at));
  await store(ids.plant, ['data', 'agent', 'cpu_usage'], () => 90);
  await store(ids.machine, ['data', 'agent', 'cpu_usage'], () => 25);
});

afterAll(() => cloud.stop());

test('a plant shows the power of its inverters together, a machine how busy it was', async () => {
  const [plant, machine, ...others] = await ask([ids.plant, ids.silent, ids.machine]);
  expect(others).toEqual([]);
  expect(plant).toMatchObject({ device: ids.plant, of: 'power', last: 5000 });
  expect(machine).toMatchObject({ device: ids.machine, of: 'cpu', last: 25 });
  const at = (one: Trend | undefined, hoursAgo: number) =>
    one?.values[Math.floor((NOW - hoursAgo * HOUR - one.from) / one.stepMs)];
  expect([at(plant, 12), at(plant, 3)]).toEqual([0, 5000]);
  expect(at(machine, 3)).toBe(25);
  expect(plant?.values.length).toBeGreaterThan(46);
});

test('members of a device group are told nothing of other devices', async () => {
  const group = { name: 'Machines', composition: { type: 'IN', devices: [ids.machine] } };
  const grouped = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({
    main: { role: 'readonly', permissions: ['read'], devGroup: grouped.body._id },
  });
  expect((await ask([ids.plant, ids.machine], bound)).map(({ device }) => device)).toEqual([ids.machine]);
});

test('a question is about fifty devices at most', async () => {
  const devices = Array.from({ length: 51 }, () => randomUUID());
  expect((await cloud.call('POST', 'trends/main', { token, body: { devices } })).status).toBe(400);
});
