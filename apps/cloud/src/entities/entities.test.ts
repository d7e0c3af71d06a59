import { randomUUID } from 'node:crypto';
import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let roof = '';
let field = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const { devices } = cloud.cloud.features;
  const add = async (name: string) =>
    (await devices.create('main', { name, arch: 'arm64', ced: false }, null)).id;
  [roof, field] = [await add('Roof'), await add('Field')];
  await store(roof, 'inv-01', { 'AC Power': 'W' });
  await store(roof, 'inv-02', { 'AC Power': 'W' });
  await store(field, 'inv-01', { Pac: 'kW' });
});
afterAll(() => cloud.stop());

async function store(device: string, source: string, units: Record<string, string>) {
  const fields = Object.entries(units).map(([name, unit]) => ({
    name,
    type: 'decimal' as const,
    units: unit,
  }));
  const rows: [number, number, ...number[]][] = [[1, Date.now() - 60_000, ...fields.map(() => 1)]];
  const block = { workgroup: 'main', device, stream: { table: 'solar', source, fields }, rows };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });
const make = async (body: object, wg = 'main', by = token) => call('POST', `entities/${wg}`, body, by);
const list = async (by = token, wg = 'main'): Promise<Entity[]> =>
  (await call('GET', `entities/${wg}`, undefined, by)).body;
const named = async (name: string, by = token) => (await list(by)).find((one) => one.name === name);

test('a label that nobody described is its own id; the names that every object has are none', async () => {
  const { status, body } = await make({ name: 'Shed', labels: ['undescribed'] });
  expect([status, body.labels]).toEqual([200, ['undescribed']]);
  const refused = await make({ name: 'Odd', labels: ['pv', '__proto__'] });
  expect(refused.status).toBe(400);
  expect(refused.body.issues[0]).toMatchObject({ path: 'labels.1', issue: 'issue.name_reserved' });
  await call('DELETE', `entities/main/${body._id}`);
});

test('an entity is made with an id of its own or of the client, changed in part, and audited', async () => {
  const { body: site } = await make({ _id: 'site-1', name: 'Site', labels: ['pv'], meta: { kWp: 12 } });
  const { body: child } = await make({ name: 'Inverter 10', parent: 'site-1' });
  await make({ name: 'Inverter 9', parent: 'site-1' });
  expect(site).toEqual({
    _id: 'site-1',
    name: 'Site',
    parent: null,
    labels: ['pv'],
    machine: null,
    children: [],
    meta: { kWp: 12 },
    signals: NO_SIGNALS,
    settings: {},
    version: 1,
  });
  // By name, as people count.
  expect((await named('Site'))?.children.at(-1)).toBe(child._id);
  expect(await make({ _id: 'site-1', name: 'Again' })).toMatchObject({
    status: 409,
    body: { error: 'entity.id_taken' },
  });
  const { body: renamed } = await call('PUT', 'entities/main/site-1', { name: 'Hill' });
  expect(renamed).toMatchObject({ name: 'Hill', labels: ['pv'], meta: { kWp: 12 } });
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({
      controller: 'entity',
      action: 'update',
      entity: 'Hill (site-1)',
      user_id: OWNER.email,
    }),
  );
});

test('nobody is above themselves, and a parent has to be there', async () => {
  const { body: above } = await make({ name: 'Above' });
  const { body: below } = await make({ name: 'Below', parent: above._id });
  const move = (id: string, parent: string) => call('PUT', `entities/main/${id}`, { parent });
  const refused = (message: string, path = 'parent') => ({
    status: 400,
    body: { error: 'request.invalid', issues: [{ path, message }] },
  });
  expect(await move(above._id, above._id)).toMatchObject(refused('An entity cannot be its own parent.'));
  expect(await move(above._id, below._id)).toMatchObject(refused('This would put Above below itself.'));
  expect(await move(above._id, 'nowhere')).toMatchObject(refused('There is no entity with the ID nowhere.'));
  // Two moves that are harmless alone, and a circle together.
  const { body: other } = await make({ name: 'Other' });
  const changes = [
    { _id: above._id, parent: other._id },
    { _id: other._id, parent: below._id },
  ];
  const reply = await call('PUT', 'entities/main', { changes });
  expect(reply.body.message).toContain('below itself');
  expect((await named('Above'))?.parent).toBeNull();
  const long = Array.from({ length: 33 }, (_, i) => ({
    _id: `level-${i}`,
    name: `${i}`,
    parent: i === 0 ? null : `level-${i - 1}`,
  }));
  const deep = await call('POST', 'entities/main/all', { entities: long });
  expect(deep.body.message).toContain('up to 32 levels');
  expect(await named('0')).toBeUndefined();
});

test('what is wrong with an entity is named with its part', async () => {
  const issueOf = async (body: object) => (await make({ name: 'Wrong', ...body })).body.issues?.[0];
  expect(await issueOf({ meta: [] })).toMatchObject({ path: 'meta' });
  expect(await issueOf({ meta: { $ref: 'nothing' } })).toMatchObject({ path: 'meta.$ref' });
  const gone = randomUUID();
  expect(await issueOf({ meta: { a: { $ref: `${gone}.inv.1` } } })).toMatchObject({
    path: 'meta.a.$ref',
    message: 'The device of this $ref does not exist.',
  });
  expect(
    await issueOf({
      signals: {
        sources: [
          { deviceId: roof, source: 'a' },
          { deviceId: gone, source: 'a' },
        ],
      },
    }),
  ).toMatchObject({ path: 'signals.sources.1.deviceId' });
  expect(await issueOf({ machine: gone })).toMatchObject({ path: 'machine' });
  expect(await issueOf({ _id: 'all' })).toMatchObject({ path: '_id' });
  const dated = (from: unknown) => [
    { from: null, value: 10 },
    { from, value: 12 },
  ];
  for (const from of ['soon', '2026-13-01', 7])
    expect(await issueOf({ meta: { kWp: dated(from) } })).toMatchObject({ path: 'meta.kWp.1.from' });
  expect(await issueOf({ meta: { kWp: dated('2026-03-31') } })).toBeUndefined();
});

test('settings are added under a new key and changed under a known one', async () => {
  await make({ _id: 'set', name: 'Set' });
  const added = await call('POST', 'entities/main/set/settings', { key: 'report', value: { a: 1 } });
  expect(added.body.settings).toEqual({ report: { a: 1 } });
  expect(await call('POST', 'entities/main/set/settings', { key: 'report', value: 1 })).toMatchObject({
    status: 409,
  });
  expect(await call('PUT', 'entities/main/set/settings/other', { value: 1 })).toMatchObject({ status: 404 });
  const changed = await call('PUT', 'entities/main/set/settings/report', { value: 2 });
  expect(changed.body.settings).toEqual({ report: 2 });
});

test('a setting that could not be kept as it is, is refused', async () => {
  await make({ _id: 'kept', name: 'Kept' });
  const add = (key: string, value: unknown) =>
    call('POST', 'entities/main/kept/settings', { key, value }).then(({ status, body }) => [
      status,
      body.issues?.[0],
    ]);
  for (const key of ['__proto__', 'constructor', ''])
    expect(await add(key, 1)).toMatchObject([400, { path: 'key' }]);
  expect(await add('k'.repeat(101), 1)).toMatchObject([400, { message: 'At most 100 characters.' }]);
  const text = 'x'.repeat(40_000);
  expect((await add('first', text))[0]).toBe(200);
  expect(await add('second', text)).toMatchObject([400, { path: 'value', issue: 'issue.entity_json' }]);
  expect(await call('PUT', 'entities/main/kept', { settings: { toString: 1 } })).toMatchObject({
    status: 400,
  });
});

test('what is deleted goes with everything below it, and comes back with its ids', async () => {
  await call('POST', 'entities/main/all', {
    entities: [
      { _id: 'north', name: 'North' },
      { _id: 'north-1', name: 'Inside', parent: 'north', meta: { kWp: 3 } },
      { _id: 'north-2', name: 'Deeper', parent: 'north-1' },
    ],
  });
  const impact = await call('GET', 'entities/main/north/impact');
  expect(impact.body.entities.map(({ name }: Entity) => name)).toEqual(['North', 'Inside', 'Deeper']);
  const { body: deletion } = await call('DELETE', 'entities/main/north');
  expect(deletion).toMatchObject({ name: 'North', count: 3, deletedBy: OWNER.email });
  expect(deletion.restorableUntil - deletion.deletedAt).toBe(30 * 86_400_000);
  expect(await named('Deeper')).toBeUndefined();
  const { body: listed } = await call('GET', 'entityDeletions/main');
  expect(listed[0]).toEqual(deletion);
  await call('POST', `entityDeletions/main/${deletion._id}/restore`, {});
  expect(await named('Deeper')).toMatchObject({ _id: 'north-2', parent: 'north-1' });
  expect(await named('Inside')).toMatchObject({ meta: { kWp: 3 } });
  const again = await call('POST', `entityDeletions/main/${deletion._id}/restore`, {});
  expect(again).toMatchObject({ status: 404, body: { error: 'entity.deletion_not_found' } });
});

test('readers read and change nothing, and a workgroup has a tree of its own', async () => {
  await make({ _id: 'mine', name: 'Mine' });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect(await named('Mine', reader)).toBeTruthy();
  expect(await make({ name: 'No' }, 'main', reader)).toMatchObject({ status: 403 });
  const other = await cloud.newUser({ other: { role: 'owner' } });
  expect(await list(other, 'other')).toEqual([]);
  expect(await call('PUT', 'entities/other/mine', { name: 'Taken' }, other)).toMatchObject({ status: 404 });
  // An id is free in another workgroup.
  expect(await make({ _id: 'mine', name: 'Theirs' }, 'other', other)).toMatchObject({ status: 200 });
  expect((await named('Mine'))?._id).toBe('mine');
});

test('members of a device group see entities with a stream of theirs, and the names above', async () => {
  const composition = { type: 'SRC', devices: [{ device: roof, sources: ['inv-01'] }] };
  const { body: group } = await call('POST', 'orgs/main/device-groups', { name: 'one', composition });
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup: group._id },
  });
  const source = (deviceId: string, name: string) => ({ deviceId, source: name });
  await call('POST', 'entities/main/all', {
    entities: [
      { _id: 'p', name: 'Park', meta: { secret: 1 }, signals: { sources: [source(field, 'inv-01')] } },
      {
        _id: 'p-1',
        name: 'Part',
        parent: 'p',
        meta: { kWp: 5, about: { $ref: `${field}.inv-01` } },
        signals: { sources: [source(roof, 'inv-01'), source(roof, 'inv-02')] },
      },
      { _id: 'p-2', name: 'Hidden', parent: 'p', signals: { sources: [source(field, 'inv-01')] } },
    ],
  });
  const seen = await list(bound);
  expect(seen.map(({ _id }) => _id)).toEqual(['p', 'p-1']);
  expect(seen[0]).toMatchObject({ name: 'Park', children: ['p-1'], meta: {}, signals: NO_SIGNALS });
  expect(seen[0]?.isNameOnly).toBe(true);
  expect(seen[1]).toMatchObject({ meta: { kWp: 5 }, signals: { sources: [source(roof, 'inv-01')] } });
  expect(JSON.stringify(seen)).not.toContain(field);
  expect(await make({ name: 'Own' }, 'main', bound)).toMatchObject({
    status: 403,
    body: { error: 'device_group.bound' },
  });
  const streams = await call(
    'POST',
    'entities/main/p/streams',
    { over: 'descendants', role: 'acPower' },
    bound,
  );
  expect(streams.body).toMatchObject([{ deviceId: roof, source: 'inv-01' }]);
});

test('streams are found by role and by field, over the tree, whatever their maker calls them', async () => {
  const one = (deviceId: string, source: string) => ({ sources: [{ deviceId, source }] });
  await call('POST', 'entities/main/all', {
    entities: [
      { _id: 's', name: 'Streams' },
      { _id: 's-1', name: 'Roof 1', parent: 's', labels: ['inv'], signals: one(roof, 'inv-01') },
      { _id: 's-2', name: 'Roof 2', parent: 's', signals: one(roof, 'inv-02') },
      { _id: 's-3', name: 'Far', parent: 's-2', labels: ['inv'], signals: one(field, 'inv-01') },
    ],
  });
  const streams = (body: object) => call('POST', 'entities/main/s/streams', body);
  const entitiesOf = async (body: object) =>
    (await streams(body)).body.map(({ entity }: { entity: string }) => entity);
  const { body: all } = await streams({ over: 'descendants', role: 'acPower' });
  expect(all).toEqual([
    expect.objectContaining({ entity: 's-1', field: 'AC Power', units: 'W', factor: 1 }),
    expect.objectContaining({ entity: 's-2', field: 'AC Power' }),
    expect.objectContaining({ entity: 's-3', field: 'Pac', units: 'kW', factor: 1000 }),
  ]);
  expect(await entitiesOf({ role: 'acPower' })).toEqual([]);
  expect(await entitiesOf({ over: 'children', table: 'solar', field: 'AC Power' })).toEqual(['s-1', 's-2']);
  expect(await entitiesOf({ over: 'label', label: 'inv', role: 'acPower' })).toEqual(['s-1', 's-3']);
  expect(await entitiesOf({ over: 'path', path: ['Roof 2', 'Far'], role: 'acPower' })).toEqual(['s-3']);
  expect(await streams({ over: 'cousins', role: 'acPower' })).toMatchObject({
    status: 400,
    body: { message: 'Unknown descendant strategy: cousins' },
  });
  // Labels of sources, also of those above them.
  const labelled = (device: string, source: string, labels: string[], parent: string | null = null) => ({
    ...{ device, source, labels, parent },
  });
  await call('PUT', 'labelling/main', {
    sources: [
      labelled(roof, 'inv-02', [], 'station'),
      labelled(roof, 'station', ['east']),
      labelled(field, 'inv-01', ['west']),
    ],
  });
  const below = { over: 'descendants', role: 'acPower' };
  expect(await entitiesOf({ ...below, sourceLabel: 'east' })).toEqual(['s-2']);
  expect(await entitiesOf({ ...below, sourceLabel: 'west' })).toEqual(['s-3']);
  expect(await entitiesOf({ ...below, sourceLabel: 'north' })).toEqual([]);
});

test('with access control, the list holds what the rules let somebody view, and changes ask them too', async () => {
  await make({ _id: 'open', name: 'Open' });
  await make({ _id: 'shut', name: 'Shut' });
  const { postgres, accessControl } = cloud.cloud.features;
  await postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'access-control', 'Access')`,
  );
  accessControl.reload('main');
  const rule = (resourceId: string, effect: string, actions: string[]) =>
    call('POST', 'orgs/main/access-control', {
      resourceType: 'Entity',
      resourceId,
      effect,
      actions,
      principalType: 'Workgroup_Users',
      principalId: '-',
    });
  expect(await list()).toEqual([]);
  await rule('all', 'Allow', ['view', 'edit', 'create', 'delete']);
  await rule('shut', 'Deny', ['view', 'edit']);
  const ids = (await list()).map(({ _id }) => _id);
  expect([ids.includes('open'), ids.includes('shut')]).toEqual([true, false]);
  expect(await call('PUT', 'entities/main/shut', { name: 'x' })).toMatchObject({
    status: 403,
    body: { error: 'access.denied', message: expect.stringContaining('entities') },
  });
  const changes = [
    { _id: 'open', name: 'x' },
    { _id: 'shut', name: 'x' },
  ];
  expect(await call('PUT', 'entities/main', { changes })).toMatchObject({ status: 403 });
  // Nothing is put below what one may not see, and what goes with an entity is told to those who may delete all of it.
  expect(await call('PUT', 'entities/main/open', { parent: 'shut' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'parent', message: 'There is no entity with the ID shut.' }] },
  });
  expect(await call('POST', 'entities/main', { name: 'Below', parent: 'shut' })).toMatchObject({
    status: 400,
  });
  const { body: deletion } = await call('DELETE', 'entities/main/shut');
  expect((await call('GET', 'entityDeletions/main')).body).not.toContainEqual(deletion);
  expect(await call('POST', `entityDeletions/main/${deletion._id}/restore`, {})).toMatchObject({
    status: 404,
    body: { error: 'entity.deletion_not_found' },
  });
  expect(JSON.stringify((await call('GET', 'changes/main')).body)).not.toContain('Shut');
  await rule('open', 'Deny', ['delete']);
  expect(await call('GET', 'entities/main/open/impact')).toMatchObject({ status: 403 });
});
