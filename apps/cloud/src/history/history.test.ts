import { savedVersion, toldVersion } from '@albedo/contract/history/history.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const text = (id: string, words: string) => ({ id, kind: 'text', settings: { text: words } });
const ask = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, body });
const BOARD = { type: 'label', typeId: 'site', name: 'Site' };
const save = async (id: string, items: object[], name = 'Site') =>
  (await ask('PUT', `entityDashboards/main/${id}`, { ...BOARD, name, board: { items } })).body;
const make = async (items: object[]) =>
  (await ask('POST', 'entityDashboards/main', { ...BOARD, board: { items } })).body._id as string;

test('every save of a dashboard is a version with its author and what it changed, and each can be restored', async () => {
  const id = await make([text('a', 'First'), text('b', 'Second')]);
  await save(id, [text('b', 'Second'), text('a', 'Changed'), text('c', 'New')], 'Sites');
  const path = `history/main/dashboard/${id}`;
  const list = savedVersion.array().parse((await ask('GET', path)).body);
  expect(list).toMatchObject([
    { version: 2, name: 'Sites', by: OWNER.email },
    { version: 1, name: 'Site', by: OWNER.email },
  ]);
  const told = toldVersion.parse((await ask('GET', `${path}/2`)).body);
  // That widgets stand in another order is no change.
  expect(told.changes?.map(({ type, path: to }) => `${type} ${to.join('.')}`).toSorted()).toEqual([
    'CHANGE board.items.a.settings.text',
    'CHANGE name',
    'CREATE board.items.c',
  ]);
  expect(toldVersion.parse((await ask('GET', `${path}/1`)).body).changes).toBeNull();
  const restored = savedVersion.parse((await ask('POST', `${path}/1/restore`)).body);
  expect(restored).toMatchObject({ version: 3, name: 'Site' });
  const { body: now } = await ask('GET', `entityDashboards/main/${id}`);
  expect(now).toMatchObject({ version: 3, name: 'Site', board: { items: [{ id: 'a' }, { id: 'b' }] } });
  const log = (await auditOf(cloud, 'main')).filter(({ entity }) => String(entity).includes(id));
  expect(log.map(({ action }) => action)).toEqual(['create', 'update', 'update']);
});

test('a version that is not kept, and one of a dashboard that is gone, do not exist', async () => {
  const id = await make([]);
  expect((await ask('GET', `history/main/dashboard/${id}/7`)).body.error).toBe('history.not_found');
  await ask('DELETE', `entityDashboards/main/${id}`);
  expect((await ask('GET', `history/main/dashboard/${id}`)).body.error).toBe('board.not_found');
});

test('who may only read sees the versions, and restores none', async () => {
  const id = await make([text('a', 'First')]);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await ask('GET', `history/main/dashboard/${id}`, undefined, reader)).status).toBe(200);
  const { body } = await ask('POST', `history/main/dashboard/${id}/1/restore`, undefined, reader);
  expect(body.error).toBe('access.permission_missing');
});
