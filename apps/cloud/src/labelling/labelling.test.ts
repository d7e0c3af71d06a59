import { device } from '@albedo/contract/devices/devices.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

let names = 0;
const newDevice = async (): Promise<string> =>
  device.parse(
    (await cloud.call('POST', 'devices/main', { token, body: { name: `Labelled ${++names}` } })).body,
  ).id;
const save = (sources: object[], as = token) =>
  cloud.call('PUT', 'labelling/main', { token: as, body: { sources } });
const listOf = async (id: string, as = token) =>
  (await cloud.call('GET', 'labelling/main', { token: as })).body
    .filter((one: { device: string }) => one.device === id)
    .map(({ device: _of, ...one }: { device: string }) => one);

test('sources are labelled together, and those that are not named stay as they are', async () => {
  const [a, b] = [await newDevice(), await newDevice()];
  await save([
    { device: a, source: 'inverter/1', labels: ['pv'], parent: 'station' },
    { device: a, source: 'inverter/2', labels: ['pv'] },
    { device: b, source: 'meter', labels: ['grid', 'pv'] },
  ]);
  expect((await save([{ device: a, source: 'inverter/2', labels: [] }])).status).toBe(200);
  expect(await listOf(a)).toEqual([{ source: 'inverter/1', labels: ['pv'], parent: 'station' }]);
  const { body } = await cloud.call('GET', `devices/main/${b}`, { token });
  expect(body.settings.sourceLabels).toEqual({ meter: { labels: ['grid', 'pv'], parent: null } });
  const log = (await auditOf(cloud, 'main')).filter((one) => one.device === b);
  expect(log.at(-1)).toMatchObject({ attribute: 'sourceLabels', old_value: '{}' });
});

test('what would stand below itself, or is of a device that is not there, changes nothing of all', async () => {
  const a = await newDevice();
  const good = { device: a, source: 'one', labels: ['pv'] };
  const circle = await save([
    good,
    { device: a, source: 'two', labels: [], parent: 'three' },
    { device: a, source: 'three', labels: [], parent: 'two' },
  ]);
  expect(circle).toMatchObject({ status: 400, body: { issues: [{ issue: 'issue.labelling_circle' }] } });
  expect((await save([good, { ...good, device: crypto.randomUUID() }])).status).toBe(404);
  const byHand = await cloud.call('PUT', `devices/main/${a}/settings/sourceLabels`, {
    token,
    body: { value: { one: { labels: [], parent: 'one' } } },
  });
  expect(byHand.status).toBe(400);
  expect(await listOf(a)).toEqual([]);
});

test('members of a group see the labels of their sources alone and change none', async () => {
  const [a, b] = [await newDevice(), await newDevice()];
  await save([
    { device: a, source: 'one', labels: ['pv'], parent: 'two' },
    { device: a, source: 'two', labels: ['pv'] },
    { device: b, source: 'one', labels: ['pv'] },
  ]);
  const composition = { type: 'SRC', devices: [{ device: a, sources: ['one'] }] };
  const { body: group } = await cloud.call('POST', 'orgs/main/device-groups', {
    token,
    body: { name: 'One', composition },
  });
  const member = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup: group._id },
  });
  expect(await listOf(a, member)).toEqual([{ source: 'one', labels: ['pv'], parent: null }]);
  expect(await listOf(b, member)).toEqual([]);
  expect((await save([], member)).body.error).toBe('device_group.bound');
});

test('a save keeps what the setting holds that cannot be read, and lists the rest', async () => {
  const a = await newDevice();
  await save([{ device: a, source: 'one', labels: ['pv'] }]);
  const odd = { labels: 'pv' };
  await cloud.cloud.features.postgres.query(
    `update devices set settings = jsonb_set(settings, '{sourceLabels,odd}', '${JSON.stringify(odd)}') where id = '${a}'`,
  );
  expect((await save([{ device: a, source: 'two', labels: ['grid'] }])).status).toBe(200);
  expect((await listOf(a)).map(({ source }: { source: string }) => source).toSorted()).toEqual([
    'one',
    'two',
  ]);
  const { body } = await cloud.call('GET', `devices/main/${a}`, { token });
  expect(body.settings.sourceLabels).toEqual({
    one: { labels: ['pv'], parent: null },
    two: { labels: ['grid'], parent: null },
    odd,
  });
});
