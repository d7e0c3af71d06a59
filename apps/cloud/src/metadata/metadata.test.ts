import { device } from '@albedo/contract/devices/devices.schema';
import { metadataInUse } from '@albedo/contract/metadata/metadata.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

let names = 0;
async function newDevice(): Promise<string> {
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name: `Device ${++names}` } });
  return device.parse(body).id;
}
const say = (id: string, source: string, info: unknown) =>
  cloud.call('PUT', `devices/main/${id}/metadata`, { token, body: { source, info } });
const inUse = async () =>
  metadataInUse.parse((await cloud.call('GET', 'devices/main/device/metadata', { token })).body);

test('each source keeps metadata of its own, also when several people save at once', async () => {
  const id = await newDevice();
  const sources = Array.from({ length: 8 }, (_, at) => `inverter/${at}`);
  await Promise.all(sources.map((source, at) => say(id, source, { kWp: `${at + 1} kWp`, Notes: '' })));
  const { settings } = device.parse((await cloud.call('GET', `devices/main/${id}`, { token })).body);
  expect(settings.sourceInfo).toEqual(
    Object.fromEntries(sources.map((source, at) => [source, { kWp: `${at + 1} kWp` }])),
  );
  for (const source of sources.slice(1)) await say(id, source, {});
  const { body } = await cloud.call('GET', `devices/main/${id}`, { token });
  expect(device.parse(body).settings.sourceInfo).toEqual({ 'inverter/0': { kWp: '1 kWp' } });
});

test('fields in use are counted over devices and sources, those that most have first', async () => {
  const [a, b] = [await newDevice(), await newDevice()];
  for (const [id, value] of [
    [a, { Site: 'Hill', Rare: 'once' }],
    [b, { Site: 'Dale', Empty: '' }],
  ] as const)
    await cloud.call('PUT', `devices/main/${id}/settings/info`, { token, body: { value } });
  await say(a, 'one', { Model: 'X' });
  await say(b, 'two', { Model: 'Y', Maker: 'Z' });
  const { deviceFields, sourceFields, ...counts } = await inUse();
  expect(deviceFields).toEqual([
    { name: 'Site', count: 2, example: 'Hill' },
    { name: 'Rare', count: 1, example: 'once' },
  ]);
  expect(sourceFields).toContainEqual({ name: 'Model', count: 2, example: 'X' });
  expect(sourceFields.some(({ name }) => name === 'Empty')).toBe(false);
  expect(counts.devices).toBe(names);
});

test('values that were edited over an older reading keep what others renamed and added meanwhile', async () => {
  const id = await newDevice();
  const put = (value: object, over?: object) =>
    cloud.call('PUT', `devices/main/${id}/settings/info`, { token, body: { value, over } });
  await put({ Hill: 'north', Contact: 'Ida', Old: 'x', Count: 7 });
  const over = { Hill: 'north', Contact: 'Ida', Old: 'x', Count: '7' };
  await cloud.call('PUT', 'metadata/main/field', {
    token,
    body: { level: 'device', name: 'Hill', to: 'Mountain' },
  });
  const { Old: _gone, ...said } = { ...over, Contact: 'Ben', Notes: 'new' };
  const merged = { Mountain: 'north', Contact: 'Ben', Count: 7, Notes: 'new' };
  expect((await put(said, over)).body.settings.info).toEqual(merged);
  await Promise.all([put({ A: '1', B: '1' }, { B: '1' }), put({ B: '2' }, { B: '1' })]);
  const { body } = await cloud.call('GET', `devices/main/${id}`, { token });
  expect(body.settings.info).toEqual({ ...merged, A: '1', B: '2' });
  expect((await put({ Whole: 'yes' })).body.settings.info).toEqual({ Whole: 'yes' });
});

test('two people who edit different fields of one source overwrite nothing of each other', async () => {
  const id = await newDevice();
  const over = { kWp: '10 kWp', Notes: 'old', Model: 'A' };
  await say(id, 'inverter/1', over);
  const edit = (info: object) =>
    cloud.call('PUT', `devices/main/${id}/metadata`, { token, body: { source: 'inverter/1', info, over } });
  await Promise.all([edit({ ...over, kWp: '11 kWp' }), edit({ ...over, Notes: '', Installed: '2026' })]);
  const { body } = await cloud.call('GET', `devices/main/${id}`, { token });
  const merged = { kWp: '11 kWp', Model: 'A', Installed: '2026' };
  expect(device.parse(body).settings.sourceInfo).toEqual({ 'inverter/1': merged });
  await say(id, 'inverter/1', { Whole: 'yes' });
  const { body: whole } = await cloud.call('GET', `devices/main/${id}`, { token });
  expect(device.parse(whole).settings.sourceInfo).toEqual({ 'inverter/1': { Whole: 'yes' } });
});

test('what is no metadata is refused by its field', async () => {
  const id = await newDevice();
  const refused = [
    [{ source: 'a', info: { Notes: 7 } }, 'info.Notes'],
    [{ source: '', info: {} }, 'source'],
    [{ source: 'constructor', info: {} }, 'source'],
    [{ source: 'a', info: { Notes: 'x'.repeat(501) } }, 'info.Notes'],
    [{ source: 'a', info: { 'two\nlines': 'x' } }, 'info.two\nlines'],
  ] as const;
  for (const [body, path] of refused) {
    const { status, body: answer } = await cloud.call('PUT', `devices/main/${id}/metadata`, { token, body });
    expect([status, (answer as { issues?: { path: string }[] }).issues?.[0]?.path]).toEqual([400, path]);
  }
  const setting = await cloud.call('PUT', `devices/main/${id}/settings/sourceInfo`, {
    token,
    body: { value: { a: 'no fields' } },
  });
  expect(setting.status).toBe(400);
});

test('a zone that no clock knows is refused where it is written; one that stands already may stay', async () => {
  const { body: made } = await cloud.call('POST', 'devices/main', { token, body: { name: 'Phobos' } });
  const set = (key: string, value: object) =>
    cloud.call('PUT', `devices/main/${made.id}/settings/${key}`, { token, body: { value } });
  const refused = (path: string) => ({
    status: 400,
    body: { issues: [{ path, issue: 'issue.zone_unknown', facts: { zone: 'Mars/Phobos' } }] },
  });
  const odd = { Timezone: 'Mars/Phobos' };
  expect(await set('info', odd)).toMatchObject(refused('value.Timezone'));
  expect(await set('sourceInfo', { roof: odd })).toMatchObject(refused('value.roof.Timezone'));
  const metadata = await cloud.call('PUT', `devices/main/${made.id}/metadata`, {
    token,
    body: { source: 'roof', info: odd },
  });
  expect(metadata).toMatchObject(refused('info.Timezone'));
  expect((await set('info', { Timezone: 'Europe/Berlin' })).status).toBe(200);

  const entity = (body: object, method = 'POST', path = 'entities/main') =>
    cloud.call(method, path, { token, body });
  expect(await entity({ name: 'Moon', meta: odd })).toMatchObject(refused('meta.Timezone'));
  const { body: site } = await entity({ name: 'Moon', meta: { Timezone: 'UTC' } });
  const { postgres } = cloud.cloud.features;
  await postgres.query(`update entities set meta = $1 where id = $2`, [JSON.stringify(odd), site._id]);
  await postgres.query('update entity_trees set version = version + 1');
  const change = { meta: { ...odd, kWp: 5 } };
  expect((await entity(change, 'PUT', `entities/main/${site._id}`)).status).toBe(200);
});
