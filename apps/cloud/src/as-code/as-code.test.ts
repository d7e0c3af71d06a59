import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeApplied, codePlan } from '@albedo/contract/as-code/as-code.schema';
import { savedChange, savedVersion, toldVersion } from '@albedo/contract/history/history.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { openAddons } from '../testing/things-of.ts';
import { codeCommands } from './as-code.command.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await openAddons(cloud, 'main');
});
afterAll(() => cloud.stop());

const ask = (method: string, path: string, body?: unknown) => cloud.call(method, path, { token, body });
const exported = async () => String((await ask('GET', 'code/main')).body);
const plan = async (yaml: string, prune = false) => {
  const reply = await ask('POST', 'code/main/plan', { yaml, prune });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return codePlan.parse(reply.body);
};
const apply = async (yaml: string, prune = false) => {
  const reply = await ask('POST', 'code/main/apply', { yaml, prune });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return codeApplied.parse(reply.body);
};
const nothing = { things: [] };
const keysOf = ({ things }: { things: { action: string; key: string }[] }) =>
  things.map(({ action, key }) => `${action} ${key}`);

const FILE = `
labels:
  - {id: site, name: Site, color: '#b0c748'}
machines:
  - name: Inverter 25
    class: inverter
    roles: {acPower: {table: solar, field: Power}}
entities:
  - {id: hall, name: Hall, parent: works, machine: Inverter 25}
  - id: works
    name: Works
    labels: [site]
    meta: {zone: Europe/Berlin, kWp: 61.6}
kpis:
  - name: Energy
    values:
      zebra: {kind: metadata, key: kWp, units: kWp}
      aardvark: {kind: formula, formula: zebra * 2}
calculations:
  - name: Hourly
    isActive: false
    target: {kind: machine, machine: Inverter 25}
    values:
      one: {kind: formula, formula: '1'}
dashboards:
  - type: label
    typeId: site
    name: Site
    board: {items: [{id: a, kind: text, settings: {text: Hello}}]}
`;

test('what is exported can be deleted and applied again: a plan of it is empty then, and a second time changes nothing', async () => {
  const device = (await ask('POST', 'devices/main', { name: 'Roof' })).body.id as string;
  const made = await apply(
    FILE.replace('name: Works', 'name: Works\n    signals: {sources: [{deviceId: Roof, source: a}]}'),
  );
  expect(keysOf(made)).toEqual([
    'create site',
    'create Inverter 25',
    'create hall',
    'create works',
    'create Energy',
    'create Hourly',
    'create Site (label site)',
  ]);
  const works = (await ask('GET', 'entities/main')).body.find(({ _id }: { _id: string }) => _id === 'works');
  expect(works.signals.sources).toEqual([{ deviceId: device, source: 'a' }]);
  const yaml = await exported();
  expect(yaml).toContain('deviceId: Roof');
  expect(yaml).not.toContain(device);
  expect(yaml).toContain('machine: Inverter 25');
  expect(yaml).toMatch(/meta:\n +kWp: 61.6\n +zone: /);
  expect(await plan(yaml)).toMatchObject(nothing);
  const gone = await apply(
    yaml.replace(/\n {2}- [\s\S]*?(?=\n\w|$)/g, ' []').replaceAll(':  []', ': []'),
    true,
  );
  expect(gone.things.every(({ action }) => action === 'delete')).toBe(true);
  expect((await ask('GET', 'entities/main')).body).toEqual([]);
  await apply(yaml);
  expect(await exported()).toBe(yaml);
  expect(await plan(yaml, true)).toMatchObject(nothing);
  expect(await apply(yaml, true)).toMatchObject({ things: [], change: null });
  const entries = await auditOf(cloud, 'main');
  expect(
    entries.some(({ entity, action }) => String(entity).startsWith('Hourly') && action === 'create'),
  ).toBe(true);
});

test('a plan says what becomes different and changes nothing; a line that fails changes nothing either', async () => {
  await apply(FILE);
  const before = await exported();
  const changed = FILE.replace('kWp: 61.6', 'kWp: 62').replace('Site, color', 'Plant, color');
  const { things } = await plan(changed);
  expect(things).toMatchObject([
    {
      kind: 'label',
      key: 'site',
      action: 'update',
      changes: [{ path: ['name'], old: 'Site', now: 'Plant' }],
    },
    { kind: 'entity', key: 'works', changes: [{ path: ['meta', 'kWp'], old: 61.6, now: 62 }] },
  ]);
  expect(await exported()).toBe(before);
  const audited = (await auditOf(cloud, 'main')).length;
  const failing = changed.replace('formula: zebra * 2', 'formula: zebra * nobody');
  const refused = await ask('POST', 'code/main/apply', { yaml: failing });
  expect(refused.status).toBe(400);
  expect(refused.body.issues[0].path).toBe('kpis.0.values.aardvark.formula');
  expect(await exported()).toBe(before);
  expect((await auditOf(cloud, 'main')).length).toBe(audited);
  // Nor does what was tried stay in memory.
  expect((await ask('PUT', 'entities/main/hall', { name: 'Hall 2' })).status).toBe(200);
  const { body } = await ask('GET', 'entities/main');
  expect(body.map(({ name, meta }: { name: string; meta: unknown }) => [name, meta])).toEqual([
    ['Hall 2', {}],
    ['Works', { kWp: 61.6, zone: 'Europe/Berlin' }],
  ]);
});

test.each([
  ['an anchor that grows', 'labels: &a [x]\nmachines: [*a, *a]', 'yaml', 'issue.yaml_alias'],
  ['a tag', 'labels: !!js/function "x"', 'yaml', 'issue.yaml_tag'],
  [
    'a key of every object',
    'entities:\n  - {id: a, name: A, meta: {__proto__: {x: 1}}}',
    'yaml',
    'issue.yaml_key',
  ],
  ['a key that is a list', '? [a]\n: 1', 'yaml', 'issue.yaml_key'],
  ['a key twice', 'entities:\n  - {id: a, name: A, name: B}', 'yaml', 'issue.yaml_twice'],
  ['no YAML', 'labels: [', 'yaml', 'issue.yaml_syntax'],
  ['what never ends', `labels: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'yaml', 'issue.yaml_deep'],
  ['a NUL', 'entities:\n  - {id: a, name: A, meta: {a: "x\\0"}}', 'yaml', 'issue.yaml_text'],
  ['half of a character', 'labels:\n  - {id: a, name: "\\uD800"}', 'yaml', 'issue.yaml_text'],
  ['a key with a NUL', 'entities:\n  - {id: a, name: A, meta: {"x\\0": 1}}', 'yaml', 'issue.yaml_text'],
  ['a kind that is no list', 'labels: 7', 'labels', 'issue.list'],
  ['only a text', 'hello', 'yaml', 'issue.yaml_map'],
  ['another kind', 'users: []', 'users', 'issue.code_section'],
  ['a newer format', 'format: 2', 'format', 'issue.code_format'],
  [
    'a key that is not known',
    'entities:\n  - {id: a, name: A, colour: red}',
    'entities.0.colour',
    'issue.code_unknown',
  ],
  [
    'one deeper',
    'machines:\n  - {name: A, roles: {acPower: {table: a, field: b, unit: W}}}',
    'machines.0.roles.acPower.unit',
    'issue.code_unknown',
  ],
  ['a second document', 'labels: []\n---\nentities: []', 'yaml', 'issue.yaml_syntax'],
  ['a name twice', 'labels:\n  - {id: x, name: A}\n  - {id: x, name: B}', 'labels.1', 'issue.code_twice'],
  ['a label like a key', 'labels:\n  - {id: __proto__, name: A}', 'labels.0.id', 'issue.name_reserved'],
  [
    'a machine that is not there',
    'entities:\n  - {id: a, name: A, machine: Nobody}',
    'entities.0.machine',
    'issue.code_name',
  ],
  [
    'a parent that is not there',
    'entities:\n  - {id: a, name: A}\n  - {id: b, name: B, parent: nobody}',
    'entities.1.parent',
    'issue.entity_unknown',
  ],
  [
    'a widget that is not there',
    'dashboards:\n  - {type: label, typeId: x, name: A, board: {items: [{id: a, kind: bomb}]}}',
    'dashboards.0.board.items.0.kind',
    'issue.widget_unknown',
  ],
])('hostile YAML is refused, naming the part: %s', async (_what, yaml, path, issue) => {
  const { status, body } = await ask('POST', 'code/main/plan', { yaml });
  expect(status, JSON.stringify(body)).toBe(400);
  expect(body.issues[0]).toMatchObject({ path, issue });
});

test('what an earlier release accepted plans as no change, and is refused once it is changed', async () => {
  await apply(FILE);
  const { query } = cloud.cloud.features.postgres;
  const names = { kpis: ['aardvark', 'two words'], calculations: ['one', 'event_time'] };
  for (const [table, [was, odd]] of Object.entries(names))
    await query(`update ${table} set values = replace(values::text, $1, $2)::jsonb`, [
      `"${was}"`,
      `"${odd}"`,
    ]);
  const yaml = await exported();
  expect(yaml).toContain('two words:');
  expect(yaml).toContain('event_time:');
  expect(await plan(yaml, true)).toMatchObject(nothing);
  const other = yaml.replace('name: Works', 'name: Works 2');
  expect(keysOf(await plan(other))).toEqual(['update works']);
  for (const [formula, changed, path] of [
    ['zebra * 2', 'zebra * 3', 'kpis.0.values.two words'],
    [/(?<=formula: ['"])1/, '2', 'calculations.0.values.event_time'],
  ] as const) {
    const text = yaml.replace(formula, changed);
    expect(text).not.toBe(yaml);
    const refused = await ask('POST', 'code/main/plan', { yaml: text });
    expect(refused.status).toBe(400);
    expect(refused.body.issues[0].path).toBe(path);
  }
  for (const [table, [was, odd]] of Object.entries(names))
    await query(`update ${table} set values = replace(values::text, $1, $2)::jsonb`, [
      `"${odd}"`,
      `"${was}"`,
    ]);
});

test('a huge file is refused, and many keys take no longer than they are many', async () => {
  expect((await ask('POST', 'code/main/plan', { yaml: 'x'.repeat(4_000_001) })).status).toBe(400);
  const { status, body } = await ask('POST', 'code/main/plan', { yaml: 'x'.repeat(6_000_001) });
  expect([status, body.message]).toEqual([413, 'The request is larger than 6 MB.']);
  const keys = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join('\n');
  expect((await ask('POST', 'code/main/plan', { yaml: keys })).body.issues[0].issue).toBe(
    'issue.code_section',
  );
}, 20_000);

test('entities, labels, machines, KPIs and calculations have versions too, and a bulk edit is undone as one', async () => {
  await apply(FILE);
  const machine = (await ask('GET', 'machines/main')).body[0];
  const kpi = (await ask('GET', 'kpis/main')).body[0];
  const calculation = (await ask('GET', 'calculationsV2/main')).body[0];
  /** Without what the server says of a thing, which nobody sends back. */
  const bare = ({
    _id,
    updatedAt,
    since,
    computedAt,
    waiting,
    failure,
    ...written
  }: Record<string, unknown>) => written;
  const things = [
    {
      kind: 'machine',
      id: machine._id,
      url: `machines/main/${machine._id}`,
      body: { ...bare(machine), maker: 'BP' },
    },
    { kind: 'kpi', id: kpi._id, url: `kpis/main/${kpi._id}`, body: { ...bare(kpi), description: 'BP' } },
    {
      ...{ kind: 'calculation', id: calculation._id },
      ...{
        url: `calculationsV2/main/${calculation._id}`.replace('V2', ''),
        body: { ...bare(calculation), description: 'BP' },
      },
    },
    { kind: 'entity', id: 'works', url: 'entities/main/works', body: { name: 'Works of BP' } },
  ];
  for (const { kind, id, url, body } of things) {
    expect((await ask('PUT', url, body)).status, kind).toBe(200);
    const path = `history/main/${kind}/${id}`;
    const [now, before] = savedVersion.array().parse((await ask('GET', path)).body);
    expect(now, kind).toMatchObject({ by: OWNER.email, version: (before?.version ?? 0) + 1 });
    const told = toldVersion.parse((await ask('GET', `${path}/${now?.version}`)).body);
    expect(JSON.stringify(told.changes), kind).toContain('BP');
    expect((await ask('POST', `${path}/${before?.version}/restore`)).status, kind).toBe(200);
  }
  expect(await plan(FILE)).toMatchObject(nothing);
  const list = (await ask('GET', 'orgs/main/settings')).body;
  expect(list).toBeTruthy();
  const changes = ['hall', 'works'].map((_id) => ({ _id, name: 'Renamed' }));
  await ask('PUT', 'entities/main', { changes });
  const [last] = savedChange.array().parse((await ask('GET', 'changes/main')).body);
  expect(last).toMatchObject({ by: OWNER.email, count: 2, kinds: { entity: 2 } });
  const undone = await ask('POST', `changes/main/${last?.id}/undo`);
  expect(savedChange.parse(undone.body)).toMatchObject({ count: 2 });
  expect(await plan(FILE)).toMatchObject(nothing);
  // Once more it would take back what came after.
  expect((await ask('POST', `changes/main/${last?.id}/undo`)).body.error).toBe('history.changed_since');
});

test('what a file deleted comes back as one, with its ids', async () => {
  await apply(FILE);
  const before = await exported();
  const ids = (await ask('GET', 'kpis/main')).body.map(({ _id }: { _id: string }) => _id);
  const { change } = await apply('entities: []\nkpis: []\ndashboards: []', true);
  expect(change?.kinds).toMatchObject({ entity: 2, kpi: 1, dashboard: 1 });
  expect((await ask('POST', `changes/main/${change?.id}/undo`)).status).toBe(200);
  expect(await exported()).toBe(before);
  expect((await ask('GET', 'kpis/main')).body.map(({ _id }: { _id: string }) => _id)).toEqual(ids);
});

test('at a terminal the same is done by commands', async () => {
  await apply(FILE);
  const { asCode, workgroups, registry, audit } = cloud.cloud.features;
  const commands = codeCommands({ asCode, workgroups, registry, settled: (task) => audit.settled(task) });
  const run = async (command: string, ...args: string[]) => {
    const said: string[] = [];
    const code = await commands[command]?.(
      [...args, '--workgroup', 'main'],
      (line) => said.push(line),
      new AbortController().signal,
    );
    return { code, said };
  };
  const { said } = await run('code export');
  expect(`${said.join('\n')}\n`).toBe(await exported());
  const file = join(cloud.dataDir, 'plant.yaml');
  writeFileSync(file, said.join('\n').replace('61.6', '70'));
  expect((await run('code plan', file)).said).toEqual([
    '~ entity works',
    '    meta.kWp: 61.6 -> 70',
    expect.stringContaining('1 change'),
  ]);
  expect((await run('code apply', file)).code).toBe(0);
  expect((await run('code apply', file)).said).toEqual(['Nothing changes.']);
  await expect(run('code plan')).rejects.toThrow('Name the file.');
});
