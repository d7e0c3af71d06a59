import { savedSearch } from '@albedo/contract/searches/searches.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner = '';
let ann = '';
let bob = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  ann = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  bob = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
});
afterAll(() => cloud.stop());

const ask = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, `searches/main${path}`, { token, body });
const STRINGS = {
  name: 'Lost strings',
  table: 'inverter',
  timeframe: 'last-7-days',
  filters: [{ field: 'Status', operator: '=', value: 'fault' }],
};
const names = async (token: string) =>
  (await ask('GET', '', token)).body.map(({ name }: { name: string }) => name);

test('a search is personal until it is shared; then members read it, and coordinators change it', async () => {
  const made = savedSearch.parse((await ask('POST', '', ann, STRINGS)).body);
  expect(made).toMatchObject({ ...STRINGS, sort: '-event_time', shareable: true, schedulable: false });
  expect(made.orgRef).toBeUndefined();
  const path = `/${made._id}`;
  // Not even the owner of the workgroup knows of it.
  for (const token of [bob, owner]) {
    expect(await names(token)).toEqual([]);
    for (const [method, below] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['PUT', '/share'],
      ['DELETE', '/share'],
      ['GET', '/schedule'],
    ] as const) {
      const reply = await ask(method, path + below, token, method === 'PUT' ? STRINGS : undefined);
      expect(reply.body.error).toBe('saved_search.not_found');
    }
  }
  expect((await ask('PUT', `${path}/share`, ann)).body.orgRef).toBe('main');
  expect((await ask('GET', path, bob)).body).toMatchObject({ name: 'Lost strings', shareable: false });
  const refused = { status: 403, body: { error: 'saved_search.of_another' } };
  expect(await ask('PUT', path, bob, STRINGS)).toMatchObject(refused);
  expect(await ask('DELETE', path, bob)).toMatchObject(refused);
  const csv = { enabled: true, fields: ['device', 'Status'] };
  expect((await ask('PUT', path, owner, { ...STRINGS, name: 'Strings', csv })).body).toMatchObject({
    name: 'Strings',
    schedulable: true,
  });
  expect((await ask('DELETE', `${path}/share`, ann)).status).toBe(200);
  expect(await names(bob)).toEqual([]);
  expect(await names(ann)).toEqual(['Strings']);
  expect((await ask('DELETE', path, ann)).status).toBe(200);
  expect((await ask('GET', path, ann)).status).toBe(404);

  const entries = (await auditOf(cloud, 'main')).filter((one) => one.controller === 'search');
  expect(entries.map((one) => one.action)).toEqual(['create', 'share', 'update', 'share', 'delete']);
  expect(entries[1]).toMatchObject({ old_value: 'private', new_value: 'shared' });
});

test('a member of a device group does not hear of a search for a device outside', async () => {
  const device = (await cloud.call('POST', 'devices/main', { token: owner, body: { name: 'Roof' } })).body.id;
  const body = { name: 'Nothing', composition: { type: 'IN', devices: [] } };
  const { _id: devGroup } = (await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body }))
    .body;
  const bound = await cloud.newUser({ main: { role: 'power', permissions: ['read'], devGroup } });
  const filters = [{ operator: 'OR', filters: [{ field: 'device', operator: 'IN', value: [device] }] }];
  for (const search of [
    { ...STRINGS, name: 'All' },
    { ...STRINGS, name: 'Roof', filters },
  ]) {
    const { _id } = (await ask('POST', '', owner, search)).body;
    await ask('PUT', `/${_id}/share`, owner);
    if (search.name === 'Roof') expect((await ask('GET', `/${_id}`, bound)).status).toBe(404);
  }
  expect(await names(bound)).toEqual(['All']);
  expect(await names(bob)).toEqual(['All', 'Roof']);
});

test('whoever manages access sees whose searches there are and whom they are mailed to, and ends them', async () => {
  const secret = { ...STRINGS, name: 'Secret', csv: { enabled: true } };
  const { _id } = (await ask('POST', '', ann, secret)).body;
  const schedule = { timezone: 'Europe/Rome', recipients: ['out@example.com'] };
  expect((await ask('PUT', `/${_id}/schedule`, ann, schedule)).status).toBe(200);
  const all = async () => (await cloud.call('GET', 'orgs/main/searches', { token: owner })).body;
  const found = (await all()).find((one: { _id: string }) => one._id === _id);
  expect(found).toMatchObject({ name: 'Secret', table: 'inverter', isShared: false });
  expect(found.schedules).toEqual([{ owner: found.owner, enabled: true, recipients: ['out@example.com'] }]);
  const path = `orgs/main/searches/${_id}`;
  expect((await ask('DELETE', `/${_id}/schedule`, ann)).status).toBe(200);
  expect((await all()).find((one: { _id: string }) => one._id === _id).schedules).toEqual([]);
  expect((await ask('PUT', `/${_id}/schedule`, ann, schedule)).status).toBe(200);
  expect((await cloud.call('DELETE', path, { token: bob })).status).toBe(403);
  expect((await cloud.call('DELETE', `${path}/schedules`, { token: owner })).status).toBe(200);
  expect((await ask('GET', `/${_id}/schedule`, ann)).body.error).toBe('search_schedule.none');
  expect((await cloud.call('DELETE', path, { token: owner })).status).toBe(200);
  expect((await ask('GET', `/${_id}`, ann)).status).toBe(404);
});

test('what is wrong is said by its place', async () => {
  const pathsOf = async (change: object) => {
    const { status, body } = await ask('POST', '', ann, { ...STRINGS, ...change });
    expect(status).toBe(400);
    return body.issues.map(({ path }: { path: string }) => path);
  };
  expect(await pathsOf({ name: ' ' })).toEqual(['name']);
  expect(await pathsOf({ timeframe: 'next week' })).toEqual(['timeframe']);
  expect(await pathsOf({ timezone: 'Mars/Base' })).toEqual(['timezone']);
  expect(await pathsOf({ filters: [{ field: 'a', operator: '~' }] })).toEqual(['filters.0.operator']);
  expect(await pathsOf({ analysis: { enabled: true } })).toEqual(['analysis.field']);
});
