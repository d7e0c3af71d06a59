import { randomUUID } from 'node:crypto';
import { boardAnswer } from '@albedo/contract/boards/answers.schema';
import { display, madeDisplay, shownDisplay } from '@albedo/contract/displays/displays.schema';
import { kpiAnswer, kpiRows } from '@albedo/contract/kpis/kpis.schema';
import { cachedLatestValue } from '@albedo/contract/latest-values/latest-values.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let device = '';
let site = '';
let label = '';
const NOW = Date.now();

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  device = (await post('devices/main', { name: 'Roof' })).id;
  const fields = [
    { name: 'AC Power', type: 'decimal' as const, units: 'kW' },
    { name: 'DC Voltage', type: 'decimal' as const, units: 'V' },
  ];
  const blocks = ['inv-01', 'inv-02'].map((source, i) => ({
    workgroup: 'main',
    device,
    stream: { table: 'solar', source, fields },
    rows: [[1, NOW - 60_000, i + 1, 700]] as [number, number, number, number][],
  }));
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(blocks, randomUUID());
  const signals = (source: string) => ({ signals: { sources: [{ deviceId: device, source }] } });
  const meta = { kWp: 60, contact: 'zoe@example.org' };
  const hill = { name: 'Hilltop', labels: ['site'], meta, ...signals('inv-01') };
  const yard = { name: 'Yard', labels: ['site'], ...signals('inv-02') };
  site = (await post('entities/main', hill))._id;
  await post('entities/main', yard);
  await post('entities/main', { name: 'Somewhere else' });
  label = (await post('entityDashboards/main', { ...BOARD, type: 'label', typeId: 'site' }))._id;
});
afterAll(() => cloud.stop());

const POWER = {
  id: 'power',
  kind: 'number',
  place: { x: 0, y: 0, w: 6, h: 4 },
  settings: { stream: { role: 'acPower', over: 'descendants', combine: 'sum' } },
};
const BOARD = { name: 'Site', board: { items: [POWER] } };

const post = async (path: string, body: object, by = token) =>
  (await cloud.call('POST', path, { token: by, body })).body;
const ask = (method: string, path: string, by: string, body?: unknown, address?: string) =>
  cloud.call(method, path, {
    token: by,
    body,
    ...(address ? { headers: { 'x-forwarded-for': address } } : {}),
  });
const link = async (more: object = {}, by = token) =>
  madeDisplay.parse(
    await post('displays/main', { name: 'Entrance', pages: [{ board: label }], ...more }, by),
  );
const question = (field: string, source = 'inv-01') => ({
  id: field,
  kind: 'series',
  from: NOW - 3_600_000,
  to: NOW + 1000,
  series: [{ streams: [{ device, table: 'solar', source, field }] }],
});

test('a link shows its dashboards with what they ask, and nothing beside it', async () => {
  const { token: by } = await link();
  const shown = shownDisplay.parse((await ask('GET', 'display', by)).body);
  expect(shown.pages).toMatchObject([{ board: { name: 'Site' }, entities: [site], choices: [site] }]);
  expect(shown.entities).toMatchObject([{ name: 'Hilltop', meta: { kWp: 60 } }]);
  expect(shown.sources.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['AC Power']]);
  const questions = [question('AC Power'), question('DC Voltage'), question('AC Power', 'inv-02')];
  const answers = boardAnswer.array().parse((await ask('POST', 'display/answers', by, { questions })).body);
  expect(answers[0]?.points?.[0]?.avg.filter((one) => one !== null)).toEqual([1]);
  for (const one of answers.slice(1)) expect(one.error?.error).toBe('display.not_asked');
  const search = { id: 'all', kind: 'search', table: 'solar' };
  const { body } = await ask('POST', 'display/answers', by, { questions: [search] });
  expect(body[0].error.error).toBe('display.not_asked');
  const streams = ['AC Power', 'DC Voltage'].map((field) => ({
    device,
    table: 'solar',
    source: 'inv-01',
    field,
  }));
  const latest = cachedLatestValue.array().parse((await ask('POST', 'display/latest', by, { streams })).body);
  expect(latest).toEqual([expect.objectContaining({ value: 1 }), null]);
});

test('a link turns through the entities of a label, and lets people choose one where it says so', async () => {
  const { token: by } = await link({ pages: [{ board: label, entity: 'each' }] });
  expect((await ask('GET', 'display', by)).body.pages[0].entities).toHaveLength(2);
  const { token: free } = await link({ free: ['entity'] });
  const [page] = (await ask('GET', 'display', free)).body.pages;
  expect([page.entities.length, page.choices.length]).toEqual([1, 2]);
});

test('a token of a link opens nothing else, and no other token opens a display', async () => {
  const { token: by } = await link();
  for (const path of ['orgs', 'entityDashboards/main', 'displays/main', 'entities/main', 'me/profile'])
    expect([path, (await ask('GET', path, by)).status]).toEqual([path, 401]);
  expect((await ask('GET', 'display', token)).body.error).toBe('display.ended');
  expect((await ask('GET', 'display', `${by}x`)).body.error).toBe('display.ended');
});

test('a revoked link ends at once, and the log says who made and who revoked it, without its token', async () => {
  const { _id, token: by } = await link({ name: 'Kitchen' });
  expect((await ask('DELETE', `displays/main/${_id}`, token)).status).toBe(200);
  expect((await ask('GET', 'display', by)).body.error).toBe('display.ended');
  expect((await ask('DELETE', `displays/main/${_id}`, token)).body.error).toBe('display.not_found');
  const list = display.array().parse((await ask('GET', 'displays/main', token)).body);
  expect(list.find((one) => one._id === _id)?.ended).toBe('revoked');
  const log = (await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'display');
  const own = log.filter(({ entity }) => String(entity).includes(_id));
  expect(own.map(({ action }) => action)).toEqual(['create', 'revoke']);
  expect(JSON.stringify([log, list])).not.toContain(by);
});

test('a link that is limited to networks is refused from elsewhere', async () => {
  const { token: by } = await link({ networks: ['198.51.100.0/24', '2001:db8::/32', '192.0.2.9'] });
  const from = async (address: string) => (await ask('GET', 'display', by, undefined, address)).status;
  expect(await from('198.51.100.77')).toBe(200);
  expect(await from('192.0.2.9')).toBe(200);
  expect(await from('2001:db8:1::7')).toBe(200);
  expect(await from('198.51.101.1')).toBe(403);
  expect(await from('192.0.2.10')).toBe(403);
  expect(await from('2001:db9::1')).toBe(403);
});

test('a link dies with the rights of its maker', async () => {
  const maker = await cloud.newUser({ main: { role: 'readonly', permissions: ['read', 'coordinate'] } });
  const { _id, token: by } = await link({}, maker);
  expect((await ask('GET', 'display', by)).status).toBe(200);
  const { _id: userId } = await cloud.cloud.features.sessions.verify(maker);
  const change = { role: 'readonly', permissions: ['read'] };
  expect((await ask('PUT', `orgs/main/members/${userId}`, token, change)).status).toBe(200);
  expect((await ask('GET', 'display', by)).body.error).toBe('display.ended');
  const list = display.array().parse((await ask('GET', 'displays/main', token)).body);
  expect(list.find((one) => one._id === _id)?.ended).toBe('maker');
});

test.each([
  ['a network that is none', { networks: ['10.0.0.0/40'] }, 'networks.0', 'issue.display_network'],
  [
    'a range that is none',
    { pages: [{ board: randomUUID(), range: 'nonsense' }] },
    'pages.0.range',
    'issue.display_range',
  ],
  ['a dashboard that is gone', { pages: [{ board: randomUUID() }] }, 'pages.0.board', 'issue.display_board'],
])('%s is refused, and its place is named', async (_name, more, path, issue) => {
  const body = await post('displays/main', { name: 'Entrance', pages: [{ board: label }], ...more });
  expect(body.issues).toEqual([expect.objectContaining({ path, issue })]);
});

test('who may not coordinate makes no links', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const body = { name: 'Mine', pages: [{ board: label }] };
  expect((await ask('POST', 'displays/main', reader, body)).body.error).toBe('access.permission_missing');
});

test('variables of a dashboard are fixed by the link: nothing else of them goes to the display', async () => {
  const variables = [{ name: 'field', kind: 'list', options: ['AC Power', 'DC Voltage'] }];
  const stream = { table: 'solar', field: '{{field}}', over: 'descendants', combine: 'sum' };
  const items = [{ ...POWER, title: '{{field}}', settings: { stream } }];
  const wanted = { type: 'label', typeId: 'site', name: 'Chosen', board: { items, variables } };
  const board = (await post('entityDashboards/main', wanted))._id;
  const shownOf = async (page: object) => {
    const { token: of } = await link({ pages: [{ board, entity: site, ...page }] });
    return shownDisplay.parse((await ask('GET', 'display', of)).body);
  };
  const first = await shownOf({});
  expect(first.pages[0]?.board.board.items[0]).toMatchObject({ title: 'AC Power' });
  const fixed = await shownOf({ variables: { field: 'DC Voltage' } });
  expect(fixed.pages[0]?.board.board).toMatchObject({
    items: [{ title: 'DC Voltage', settings: { stream: { field: 'DC Voltage' } } }],
  });
  expect(fixed.sources.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual(['DC Voltage']);
});

test('a free variable takes what the dashboard offers and leads nowhere else; fixed and typed ones lead nowhere', async () => {
  const variables = [
    { name: 'field', kind: 'list', options: ['AC Power', 'DC Voltage'] },
    { name: 'plant', kind: 'entity', options: ['site'] },
    { name: 'typed', kind: 'text', initial: 'AC Power' },
  ];
  const stream = { table: 'solar', field: '{{field}}', over: 'descendants', combine: 'sum' };
  const items = [
    { ...POWER, settings: { stream } },
    { ...POWER, id: 'other', entity: '{{plant}}', settings: { stream: { ...stream, field: '{{typed}}' } } },
  ];
  const wanted = { type: 'entity', typeId: site, name: 'Free', board: { items, variables } };
  const board = (await post('entityDashboards/main', wanted))._id;
  const askedBy = async (page: object) => {
    const { token: by } = await link({ pages: [{ board, ...page }] });
    const questions = ['inv-01', 'inv-02'].flatMap((source) =>
      ['AC Power', 'DC Voltage', 'St'].map((field) => ({
        ...question(field, source),
        id: `${source} ${field}`,
      })),
    );
    const { body } = await ask('POST', 'display/answers', by, { questions });
    const shown = shownDisplay.parse((await ask('GET', 'display', by)).body);
    const answers = boardAnswer.array().parse(body);
    for (const { error } of answers) expect([undefined, 'display.not_asked']).toContain(error?.error);
    return { shown, allowed: answers.filter(({ error }) => !error).map(({ id }) => id) };
  };

  const fixed = await askedBy({ variables: { field: 'DC Voltage' } });
  expect(fixed.allowed).toEqual(['inv-01 AC Power', 'inv-01 DC Voltage']);
  expect(fixed.shown.pages[0]).toMatchObject({ offered: {} });
  expect(fixed.shown.pages[0]?.board.board).not.toHaveProperty('variables');

  const ofList = await askedBy({ free: ['field'] });
  expect(ofList.allowed).toEqual(['inv-01 AC Power', 'inv-01 DC Voltage']);
  expect(ofList.shown.pages[0]?.offered).toEqual({
    field: ['AC Power', 'DC Voltage'].map((one) => ({ value: one, text: one })),
  });
  expect(ofList.shown.pages[0]?.board.board).toMatchObject({
    variables: [{ name: 'field', initial: 'AC Power' }],
    items: [{ settings: { stream: { field: '{{field}}' } } }, { entity: site }],
  });

  const ofPlant = await askedBy({ free: ['plant', 'typed'], variables: { typed: 'DC Voltage' } });
  // What the link says first of a text counts for its streams, whatever is typed in front of the display.
  expect(ofPlant.allowed).toEqual(['inv-01 AC Power', 'inv-01 DC Voltage', 'inv-02 DC Voltage']);
  expect(ofPlant.shown.pages[0]?.offered.plant?.map(({ text }) => text)).toEqual(['Hilltop', 'Yard']);
  expect(ofPlant.shown.entities.map(({ name }) => name)).toEqual(['Hilltop', 'Yard']);

  const unknown = await post('displays/main', { name: 'x', pages: [{ board, free: ['field', 'nobody'] }] });
  expect(unknown.issues).toEqual([
    expect.objectContaining({ path: 'pages.0.free.1', issue: 'issue.display_variable' }),
  ]);
});

test('variables with more ways to choose than can be shown are refused', async () => {
  const options = Array.from({ length: 40 }, (_, at) => `Field ${at}`);
  const variables = ['a', 'b', 'c'].map((name) => ({ name, kind: 'list', options }));
  const items = [{ ...POWER, title: '{{a}} {{b}} {{c}}' }];
  const wanted = { type: 'entity', typeId: site, name: 'Many', board: { items, variables } };
  const board = (await post('entityDashboards/main', wanted))._id;
  const body = await post('displays/main', { name: 'x', pages: [{ board, free: ['a', 'b', 'c'] }] });
  expect(body.issues).toEqual([
    expect.objectContaining({ path: 'pages.0.free', issue: 'issue.display_choices' }),
  ]);
  await link({ pages: [{ board, free: ['a', 'b'] }] });
});

const KPI = {
  name: 'Energy figures',
  values: {
    power: { kind: 'aggregate', streams: { role: 'acPower' }, operator: 'max', units: 'kW', isPrimary: true },
    peak: { kind: 'metadata', key: 'kWp', units: 'kWp' },
    load: { kind: 'formula', formula: 'power / peak' },
  },
};
const KPI_PLACE = { kind: 'kpi', place: { x: 0, y: 0, w: 6, h: 4 } };

async function boardWithKpis() {
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'calculations', 'Calculations') on conflict do nothing`,
  );
  await cloud.cloud.features.workgroups.tellChanged('main');
  const kpis = (await ask('GET', 'kpis/main', token)).body as { _id: string }[];
  const kpi = kpis[0]?._id ?? (await post('kpis/main', KPI))._id;
  const items = [
    { ...KPI_PLACE, id: 'load', settings: { figure: { kpi, value: 'load' }, range: 'last-7-days' } },
    {
      ...{ ...KPI_PLACE, id: 'ranking', kind: 'league' },
      settings: { rows: 'self', by: 'kpi', figure: { kpi } },
    },
  ];
  const wanted = { type: 'entity', typeId: site, name: 'Figures', board: { items, range: 'today' } };
  return { kpi, board: (await post('entityDashboards/main', wanted))._id };
}

test('a link asks for the values of KPIs that its widgets show, and for no other value, entity or range', async () => {
  const { kpi, board } = await boardWithKpis();
  const { token: by } = await link({ pages: [{ board }] });
  const shown = shownDisplay.parse((await ask('GET', 'display', by)).body);
  expect(shown.kpis).toEqual([
    { _id: kpi, name: 'Energy figures', version: 1, values: { load: { displayName: '' } } },
  ]);
  const load = { kpi, value: 'load', entity: site, range: 'last-7-days', interval: '1d' };
  const answer = kpiAnswer.parse((await ask('POST', 'display/kpi', by, load)).body);
  expect(Object.keys(answer.values)).toEqual(['load']);
  expect(answer.values.load).toMatchObject({ value: 1 / 60, uses: [] });
  expect(answer.values.load?.formula).toBeUndefined();
  const all = (await ask('GET', 'entities/main', token)).body as { _id: string; name: string }[];
  const yard = all.find(({ name }) => name === 'Yard')?._id;
  const ranking = { kpi, entities: [site], range: 'today' };
  const rows = kpiRows.parse((await ask('POST', 'display/kpiRows', by, ranking)).body);
  expect(Object.keys(rows.columns)).toEqual(['power']);
  expect(rows.rows.map(({ entity, values }) => [entity, Object.keys(values)])).toEqual([[site, ['power']]]);
  const others: [string, object][] = [
    ['kpi', { ...load, value: 'peak' }],
    ['kpi', { ...load, value: undefined }],
    ['kpi', { ...load, entity: yard }],
    ['kpi', { ...load, range: 'last-30-days' }],
    ['kpi', { ...load, range: 'all-time' }],
    ['kpi', { ...load, kpi: randomUUID() }],
    ['kpiRows', { ...ranking, value: 'load' }],
    ['kpiRows', { ...ranking, range: 'last-7-days' }],
    ['kpiRows', { ...ranking, entities: [site, yard] }],
  ];
  for (const [path, body] of others) {
    const refused = await ask('POST', `display/${path}`, by, body);
    expect([body, refused.status, refused.body.error]).toEqual([body, 403, 'display.not_asked']);
  }
});

test('where the range is free any can be asked, but for widgets with one of their own', async () => {
  const { kpi, board } = await boardWithKpis();
  const { token: by } = await link({ pages: [{ board }], free: ['range'] });
  const ranking = { kpi, entities: [site], range: 'last-30-days' };
  expect((await ask('POST', 'display/kpiRows', by, ranking)).status).toBe(200);
  for (const range of ['90m', '2026-11-01T00:00Z_2026-11-08T00:00Z'])
    expect((await ask('POST', 'display/kpiRows', by, { ...ranking, range })).status).toBe(200);
  const load = { kpi, value: 'load', entity: site, range: 'last-30-days' };
  expect((await ask('POST', 'display/kpi', by, load)).body.error).toBe('display.not_asked');
});

test('KPIs of a link are computed over what its maker sees, and end with the addon and the link', async () => {
  const { kpi, board } = await boardWithKpis();
  const maker = await cloud.newUser({ main: { role: 'readonly', permissions: ['read', 'coordinate'] } });
  const { token: by } = await link({ pages: [{ board }] }, maker);
  const load = { kpi, value: 'load', entity: site, range: 'last-7-days' };
  expect((await ask('POST', 'display/kpi', by, load)).status).toBe(200);
  const { postgres, workgroups, sessions } = cloud.cloud.features;
  await postgres.query(`delete from workgroup_addons where workgroup = 'main' and id = 'calculations'`);
  await workgroups.tellChanged('main');
  const { token: later } = await link({ pages: [{ board }] }, maker);
  expect(shownDisplay.parse((await ask('GET', 'display', later)).body).kpis).toEqual([]);
  expect((await ask('POST', 'display/kpi', later, load)).body.error).toBe('display.not_asked');
  const { _id: userId } = await sessions.verify(maker);
  await ask('PUT', `orgs/main/members/${userId}`, token, { role: 'readonly', permissions: ['read'] });
  expect((await ask('POST', 'display/kpi', by, load)).body.error).toBe('display.ended');
});

test('a link answers only for the ranges that its dashboard asks, unless ranges are free', async () => {
  const days = (from: number, to = 0) => ({
    ...question('AC Power'),
    from: NOW - from * 86_400_000,
    to: NOW - to * 86_400_000,
  });
  const answered = async (by: string, ...questions: object[]) => {
    const reply = await ask('POST', 'display/answers', by, { questions });
    return boardAnswer
      .array()
      .parse(reply.body)
      .map(({ error }) => error?.error ?? 'answered');
  };
  // Without a range of its own a dashboard shows today.
  const { token: today } = await link();
  const refused = 'display.not_asked';
  expect(await answered(today, days(0.04), days(3), days(400, 399))).toEqual(['answered', refused, refused]);
  const { token: week } = await link({ pages: [{ board: label, range: 'last-7-days' }] });
  expect(await answered(week, days(6), days(9), days(400, 399))).toEqual(['answered', refused, refused]);
  const { token: free } = await link({ free: ['range'] });
  expect(await answered(free, days(6), days(400, 399))).toEqual(['answered', 'answered']);
});
