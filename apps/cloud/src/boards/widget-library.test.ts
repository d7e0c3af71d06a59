import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const ask = (method: string, path = '', body?: unknown) =>
  cloud.call(method, `entityDashboards/main${path}`, { token, body });
const NEW = { type: 'label', typeId: 'site', name: 'Site' };
const inLibrary = (method: string, path = '', body?: unknown, by = token) =>
  cloud.call(method, `widgetLibrary/main${path}`, { token: by, body });
const SHARED = { kind: 'text', title: 'House rules', settings: { text: 'Mind the dog.' } };

test('a change of a widget in the library reaches every board that shows it, each in its own place', async () => {
  const { body: kept } = await inLibrary('POST', '', { name: 'Rules', item: SHARED });
  const linked = (id: string, x: number) => ({
    id,
    ...SHARED,
    place: { x, y: 0, w: 6, h: 4 },
    library: kept._id,
  });
  const make = async (name: string, items: object[]) =>
    (await ask('POST', '', { ...NEW, name, board: { items } })).body._id as string;
  const one = await make('One', [linked('a', 0)]);
  const inGroup = [{ id: 'g', kind: 'group', items: [linked('b', 6)] }];
  const two = await make('Two', inGroup);
  const item = { ...SHARED, settings: { text: 'Mind both dogs.' } };
  expect((await inLibrary('PUT', `/${kept._id}`, { name: 'Rules', item, version: 1 })).body).toMatchObject({
    ...{ version: 2, boards: 2 },
  });
  const itemsOf = async (id: string) => (await ask('GET', `/${id}`)).body.board.items;
  expect(await itemsOf(one)).toEqual([{ ...linked('a', 0), settings: { text: 'Mind both dogs.' } }]);
  expect((await itemsOf(two))[0].items[0]).toMatchObject({
    id: 'b',
    place: { x: 6 },
    settings: item.settings,
  });
  expect((await inLibrary('PUT', `/${kept._id}`, { name: 'Rules', item, version: 1 })).body).toMatchObject({
    ...{ code: 409, error: 'library_widget.changed' },
  });
  expect((await inLibrary('DELETE', `/${kept._id}`)).body).toMatchObject({
    ...{ code: 409, message: 'Dashboards show this widget: 2. Unlink it there first.' },
  });
  await ask('DELETE', `/${one}`);
  await ask('DELETE', `/${two}`);
  expect((await inLibrary('DELETE', `/${kept._id}`)).status).toBe(200);
});

test('a link into a library without that widget is left out; what stands on the board stays', async () => {
  const items = [{ id: 'a', ...SHARED, library: randomUUID() }];
  const { body } = await ask('POST', '', { ...NEW, name: 'Alone', board: { items } });
  expect(body.board.items).toEqual([{ id: 'a', ...SHARED }]);
  await ask('DELETE', `/${body._id}`);
});

test('the library refuses groups and bad settings by their place, and is written by coordinators alone', async () => {
  const group = await inLibrary('POST', '', { name: 'Group', item: { kind: 'group' } });
  expect(group.body.issues).toContainEqual(expect.objectContaining({ path: 'item.kind' }));
  const bad = await inLibrary('POST', '', { name: 'Bad', item: { kind: 'text', settings: { text: 5 } } });
  expect(bad.body.issues).toContainEqual(expect.objectContaining({ path: 'item.settings.text' }));
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await inLibrary('POST', '', { name: 'Mine', item: SHARED }, reader)).status).toBe(403);
  expect((await inLibrary('GET', '', undefined, reader)).body).toEqual([]);
});
