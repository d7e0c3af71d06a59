import { randomUUID } from 'node:crypto';
import { boardAnswer } from '@albedo/contract/boards/answers.schema';
import { boardHead, storedBoard } from '@albedo/contract/boards/boards.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let device = '';
const FROM = Date.UTC(2026, 4, 1);
const HOUR = 3_600_000;

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  device = (await cloud.call('POST', 'devices/main', { token, body: { name: 'Roof' } })).body.id;
  const fields = [{ name: 'AC Power', type: 'decimal' as const, units: 'kW' }];
  const blocks = ['inv-01', 'inv-02'].map((source, i) => ({
    workgroup: 'main',
    device,
    stream: { table: 'solar', source, fields },
    rows: Array.from({ length: 60 }, (_, at) => [at, FROM + at * 60_000, i + 1] as [number, number, number]),
  }));
  const words = ['MPPT', 'Fault'].map((word, n) => ({
    workgroup: 'main',
    device,
    stream: { table: 'solar', source: 'inv-01', fields: [{ name: 'Status', type: 'keyword' as const }] },
    rows: [[100 + n, FROM + n * 600_000, word] as [number, number, string]],
  }));
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([...blocks, ...words], randomUUID());
});
afterAll(() => cloud.stop());

const ask = (method: string, path = '', body?: unknown, by = token) =>
  cloud.call(method, `entityDashboards/main${path}`, { token: by, body });
const ITEM = {
  id: 'power',
  kind: 'number',
  place: { x: 0, y: 0, w: 6, h: 4 },
  settings: { stream: { role: 'acPower', over: 'descendants', combine: 'sum' } },
};
const NEW = { type: 'label', typeId: 'site', name: 'Site', board: { items: [ITEM] } };

test('a board is made, read, saved as its next version and deleted, and the audit log says so', async () => {
  const made = storedBoard.parse((await ask('POST', '', NEW)).body);
  expect(made).toMatchObject({
    type: 'label',
    typeId: 'site',
    version: 1,
    widgets: 1,
    updatedBy: OWNER.email,
  });
  expect(made.board).toEqual({ format: 1, items: [ITEM] });
  const path = `/${made._id}`;
  const { body: saved } = await ask('PUT', path, { ...NEW, name: 'All sites', version: 1 });
  expect(saved).toMatchObject({ name: 'All sites', version: 2 });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const { body: seen } = await ask('GET', '', undefined, reader);
  expect(boardHead.array().parse(seen)).toEqual([
    expect.objectContaining({ name: 'All sites', may: ['view'] }),
  ]);
  expect((await ask('GET', path, undefined, reader)).body.board.items).toEqual([ITEM]);
  expect((await ask('PUT', path, NEW, reader)).status).toBe(403);
  expect((await ask('DELETE', path)).status).toBe(200);
  expect((await ask('GET', path)).body.error).toBe('board.not_found');
  const entries = (await auditOf(cloud, 'main')).filter((one) => one.controller === 'dashboard');
  expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
});

test('saving over a newer version is refused, and changes nothing', async () => {
  const { body: made } = await ask('POST', '', NEW);
  const path = `/${made._id}`;
  await ask('PUT', path, { ...NEW, name: 'Hers', version: 1 });
  const late = await ask('PUT', path, { ...NEW, name: 'His', version: 1 });
  expect(late).toMatchObject({
    status: 409,
    body: { error: 'board.changed', facts: { yours: '1', newest: '2' } },
  });
  expect((await ask('GET', path)).body).toMatchObject({ name: 'Hers', version: 2 });
});

test('clients may choose the id; a second board with it is refused', async () => {
  const _id = randomUUID();
  expect((await ask('POST', '', { ...NEW, _id })).body._id).toBe(_id);
  expect(await ask('POST', '', { ...NEW, _id })).toMatchObject({
    status: 409,
    body: { error: 'board.id_taken' },
  });
});

test('a bare list is a board', async () => {
  expect((await ask('POST', '', { ...NEW, board: [ITEM] })).body.board).toEqual({ format: 1, items: [ITEM] });
});

const nested = (depth: number): object =>
  depth === 0
    ? { id: 'leaf', kind: 'text' }
    : { id: `group-${depth}`, kind: 'group', items: [nested(depth - 1)] };

test.each([
  ['an unknown widget', { items: [{ id: 'a', kind: 'hologram' }] }, 'items.0.kind', 'issue.widget_unknown'],
  ['a newer widget', { items: [{ ...ITEM, v: 99 }] }, 'items.0.v', 'issue.widget_newer'],
  ['a newer board', { format: 2, items: [] }, 'format', 'issue.board_newer'],
  ['two widgets of one id', { items: [ITEM, ITEM] }, 'items.1.id', 'issue.twice'],
  ['groups too deep', { items: [nested(5)] }, 'items.0.items.0.items.0.items.0.items', 'issue.board_deep'],
  [
    'an unknown child selector',
    { items: [{ ...ITEM, settings: { stream: { role: 'acPower', over: 'cousins' } } }] },
    'items.0.settings.stream.over',
    'issue.descendants',
  ],
  [
    'a widget in what is no group',
    { items: [{ ...ITEM, items: [ITEM] }] },
    'items.0.items',
    'issue.board_no_group',
  ],
  [
    'a script as a link',
    { items: [{ ...ITEM, settings: { link: 'javascript:alert(1)' } }] },
    'items.0.settings.link',
    'issue.link',
  ],
])('%s is refused, and its place is named', async (_name, board, place, issue) => {
  const { status, body } = await ask('POST', '', { ...NEW, board });
  expect(status).toBe(400);
  expect(body.issues).toContainEqual(expect.objectContaining({ path: `board.${place}`, issue }));
});

test('an unknown child selector is told in the words of the specification', async () => {
  const settings = { stream: { role: 'acPower', over: 'cousins' } };
  const { body } = await ask('POST', '', { ...NEW, board: { items: [{ ...ITEM, settings }] } });
  expect(body.message).toContain('Unknown descendant strategy: cousins');
});

test('too many and too large boards are refused', async () => {
  const many = Array.from({ length: 301 }, (_, i) => ({ id: `n${i}`, kind: 'text' }));
  const { body } = await ask('POST', '', { ...NEW, board: { items: many } });
  expect(body.issues[0].issue).toBe('issue.board_many');
  const text = 'x'.repeat(19_000);
  const large = Array.from({ length: 45 }, (_, i) => ({ id: `n${i}`, kind: 'text', settings: { text } }));
  const reply = await ask('POST', '', { ...NEW, board: { items: large } });
  expect(reply.body.issues.map(({ issue }: { issue: string }) => issue)).toEqual(['issue.board_large']);
});

const stream = (source: string, factor = 1) => ({
  device,
  table: 'solar',
  source,
  field: 'AC Power',
  factor,
});
const question = (id: string, streams: object[], more: object = {}) => ({
  id,
  kind: 'series',
  from: FROM,
  to: FROM + HOUR,
  interval: '1h',
  series: [{ streams }],
  ...more,
});

test('questions are answered together, summed and in one unit, and a broken one harms no other', async () => {
  const questions = [
    question('sum', [stream('inv-01', 1000), stream('inv-02', 1000)]),
    question('broken', [{ ...stream('inv-01'), field: 'Nothing' }]),
    { id: 'rows', kind: 'search', table: 'solar', query: { rows: 2 } },
  ];
  const { status, body } = await ask('POST', '/answers', { questions });
  expect(status).toBe(200);
  const [sum, broken, rows] = boardAnswer.array().parse(body);
  expect(sum?.points?.[0]?.avg).toEqual([3000]);
  expect(broken?.error?.error).toBe('table.field_unknown');
  expect(rows?.result?.records).toHaveLength(2);
});

test('a series may have a range of its own, such as the day of its site', async () => {
  const series = [
    { streams: [stream('inv-01')], span: { from: FROM, to: FROM + 10 * 60_000 } },
    { streams: [stream('inv-02')] },
  ];
  const questions = [question('counts', [], { series, function: 'count' })];
  const { body } = await ask('POST', '/answers', { questions });
  expect(body[0].points.map(({ avg }: { avg: number[] }) => avg)).toEqual([[10], [60]]);
});

test('over the socket every answer is a reply of its own', async () => {
  const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const ids: string[] = [];
  const questions = [question('one', [stream('inv-01')]), question('two', [stream('inv-02')])];
  await socket.call('board:ask', { questions }, ({ data }) => {
    if (data) ids.push((data as { id: string }).id);
  });
  expect(ids.toSorted()).toEqual(['one', 'two']);
  socket.close();
});

test('answers hold nothing of devices outside the group of who asks', async () => {
  const group = { name: 'None', composition: { type: 'IN', devices: [] } };
  const made = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({
    main: { role: 'readonly', permissions: ['read'], devGroup: made.body._id },
  });
  const { body } = await ask('POST', '/answers', { questions: [question('a', [stream('inv-01')])] }, bound);
  expect(body[0].points?.[0]?.avg.filter((value: number | null) => value !== null) ?? []).toEqual([]);
});

test('a board of an entity that a device group does not see is none for its members', async () => {
  const make = (entity: object) => cloud.call('POST', 'entities/main', { token, body: entity });
  await make({ _id: 'top', name: 'Top' });
  const sources = [{ deviceId: device, source: 'inv-01' }];
  await make({ _id: 'seen', name: 'Seen', parent: 'top', signals: { sources } });
  await make({ _id: 'unseen', name: 'Unseen' });
  const boards = new Map<string, string>();
  for (const typeId of ['top', 'seen', 'unseen']) {
    const { body } = await ask('POST', '', { ...NEW, type: 'entity', typeId, name: `Of ${typeId}` });
    boards.set(typeId, body._id);
  }
  const group = { name: 'One roof', composition: { type: 'IN', devices: [device] } };
  const { body } = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({
    main: { role: 'readonly', permissions: ['read'], devGroup: body._id },
  });
  const listed = (await ask('GET', '', undefined, bound)).body.map(({ name }: { name: string }) => name);
  expect(listed).toEqual(expect.arrayContaining(['Of seen', 'Of top']));
  expect(listed).not.toContain('Of unseen');
  const unseen = boards.get('unseen');
  expect(await ask('GET', `/${unseen}`, undefined, bound)).toMatchObject({
    status: 404,
    body: { error: 'board.not_found' },
  });
  const history = `history/main/dashboard/${unseen}`;
  expect((await cloud.call('GET', history, { token: bound })).status).toBe(404);
  expect((await cloud.call('GET', history, { token })).status).toBe(200);
});

test('a board of an entity that is not there is refused; one of a label may come before its first entity', async () => {
  const nowhere = { ...NEW, type: 'entity', typeId: 'nowhere' };
  expect(await ask('POST', '', nowhere)).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'typeId', issue: 'issue.board_entity' }] },
  });
  expect((await ask('POST', '', { ...NEW, typeId: 'not-yet-given' })).status).toBe(200);
});

test('with the addon, rules decide who sees and changes which board', async () => {
  const { body: open } = await ask('POST', '', { ...NEW, name: 'Open' });
  const { body: hidden } = await ask('POST', '', { ...NEW, name: 'Hidden' });
  const rule = (resourceId: string, actions: string[]) =>
    cloud.call('POST', 'orgs/main/access-control', {
      token,
      body: {
        resourceType: 'Dashboard',
        resourceId,
        actions,
        principalType: 'Workgroup_Users',
        principalId: '-',
        effect: 'Allow',
      },
    });
  await rule(open._id, ['view']);
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'access-control', 'Access')`,
  );
  cloud.cloud.features.accessControl.changed('main');
  const power = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
  const { body: seen } = await ask('GET', '', undefined, power);
  expect(seen.map(({ name, may }: { name: string; may: string[] }) => [name, may])).toEqual([
    ['Open', ['view']],
  ]);
  expect((await ask('GET', `/${hidden._id}`, undefined, power)).body.error).toBe('access.denied');
  expect((await ask('PUT', `/${open._id}`, NEW, power)).body.error).toBe('access.denied');
  expect((await ask('DELETE', `/${open._id}`, undefined, power)).body.error).toBe('access.denied');
  expect((await ask('POST', '', NEW, power)).body.error).toBe('access.denied');
});

test('states may be words: the last of each interval, and nothing where a stream has none', async () => {
  const stream = (source: string) => ({ device, table: 'solar', source, field: 'Status' });
  const question = { id: 'a', kind: 'states', from: FROM, to: FROM + HOUR, maxPoints: 60 };
  const questions = [{ ...question, streams: [stream('inv-02'), stream('inv-01')] }];
  const { body } = await ask('POST', '/answers', { questions });
  expect(boardAnswer.array().parse(body)).toEqual([
    {
      id: 'a',
      states: [
        { stepMs: 60_000, times: [], values: [] },
        { stepMs: 60_000, times: [FROM, FROM + 600_000], values: ['MPPT', 'Fault'] },
      ],
    },
  ]);
});
