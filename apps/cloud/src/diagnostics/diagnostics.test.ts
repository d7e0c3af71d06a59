import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { ERRORS_KEPT } from './errors.store.ts';

const DAY_MS = 86_400_000;
let cloud: TestCloud;
let token = '';
let staff = '';
let userId = '';
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
  token = await cloud.owner();
  staff = await cloud.tokenOf('sam@provider.example', 'Sam');
  userId = (await cloud.cloud.features.users.userByEmail('owner@example.org'))?.id ?? '';
});
afterAll(() => cloud.stop());

let headers: Record<string, string> = {};
let tests = 0;
beforeEach(async () => {
  headers = { 'x-forwarded-for': `198.51.100.${++tests}`, 'user-agent': CHROME };
  await cloud.cloud.features.diagnostics.write();
  for (const table of ['frontend_errors', 'page_uses'])
    await cloud.cloud.features.postgres.query(`delete from ${table}`);
});

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const failure = {
  location: '/devices',
  message: 'x is not a function',
  stack:
    'TypeError: x is not a function\n    at renderRow (https://albedo.example/assets/device-table-Ab12Cd34.js:1:23)',
  context: { source: 'window', version: '1.6.96' },
};
type Failure = typeof failure;
const call = (method: string, path: string, of = token, body?: unknown) =>
  cloud.call(method, path, { token: of, headers, ...(body === undefined ? {} : { body }) });
const report = (of: Partial<Failure> = {}, by = token) =>
  call('POST', 'diagnostics/main/frontendError', by, { ...failure, ...of });
const version = (number: string) => ({ context: { source: 'window', version: number } });
const list = async (query = '') => (await call('GET', `opsteam/errors${query}`, staff)).body;

async function count(name: string): Promise<number> {
  const { body } = await cloud.call('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(String(body))?.[1]);
}

test('a page view and a failure are counted', async () => {
  const [views, errors] = [
    await count('albedo_page_views_total'),
    await count('albedo_frontend_errors_total'),
  ];
  const seen = await call('POST', 'diagnostics/main/frontendAnalytics', token, { location: '/devices' });
  expect([seen.status, (await report()).status]).toEqual([200, 200]);
  expect(await count('albedo_page_views_total')).toBe(views + 1);
  expect(await count('albedo_frontend_errors_total')).toBe(errors + 1);
});

test('queries, long texts and other workgroups are refused', async () => {
  const view = (body: object) => call('POST', 'diagnostics/main/frontendAnalytics', token, body);
  expect((await view({ location: '/devices?q=secret' })).status).toBe(400);
  expect((await view({ location: 'https://example.org/' })).status).toBe(400);
  expect((await view({ location: '/devices', seconds: 1e9 })).status).toBe(400);
  expect((await report({ stack: 'x'.repeat(8001) })).status).toBe(400);
  const foreign = await cloud.newUser({ other: { role: 'owner' } });
  expect((await report({}, foreign)).status).toBe(403);
});

test('a browser that fails in a loop is slowed down', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => report()));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});

test('the staff sees each failure once, with its versions, browsers and workgroups, whichever build it was', async () => {
  await report();
  await report({
    stack: failure.stack.replace('Ab12Cd34', 'Zz98Yy76').replace(':1:23', ':7:99'),
    message: 'q is not a function',
    ...version('1.6.97'),
  });
  headers['user-agent'] = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await call(
    'POST',
    'diagnostics/other/frontendError',
    await cloud.newUser({ other: { role: 'readonly' } }),
    failure,
  );
  await report({ message: 'Something else' });
  const errors = await list();
  expect(errors).toHaveLength(2);
  const error = errors.find(({ count: times }: { count: number }) => times === 3);
  expect(error).toMatchObject({
    place: 'device-table.renderRow',
    versions: ['1.6.97', '1.6.96'],
    workgroups: ['main', 'other'],
    browsers: ['Chrome 141', 'Firefox 140'],
    state: 'open',
    firstVersion: '1.6.96',
  });
  expect([error.days.length, error.days.at(-1)]).toEqual([30, 3]);
  const counts = async (query: string) => (await list(query)).map((one: { count: number }) => one.count);
  expect(await counts('?version=1.6.97')).toEqual([1]);
  expect(await counts('?ofWorkgroup=other')).toEqual([1]);
  expect(await counts('?ofWorkgroup=nobody')).toEqual([]);
  const { body: detail } = await call('GET', `opsteam/errors/${error.id}`, staff);
  expect(detail.byVersion).toEqual([
    { name: '1.6.96', count: 2 },
    { name: '1.6.97', count: 1 },
  ]);
  expect(detail.places.map(({ workgroup }: { workgroup: string }) => workgroup).toSorted()).toEqual([
    'main',
    'other',
  ]);
});

test('what a browser reports is a text, and nothing in it opens something', async () => {
  const message = 'zoe@example.org: <b>GET</b> https://a.example/x?token=abc';
  const location = `/invitation/main/${'t0ken'.repeat(10)}`;
  await report({ message, location, stack: `at y (https://a.example/x.js?key=abc:1:2)\nBearer abcdefghij` });
  const [{ id }] = await list();
  const { body } = await call('GET', `opsteam/errors/${id}`, staff);
  expect(body).toMatchObject({
    message: '[address]: <b>GET</b> https://a.example/x',
    stack: 'at y (https://a.example/x.js:1:2)\nBearer [secret]',
    places: [{ location: '/invitation/main/[secret]' }],
  });
});

test('what is resolved stays so until a browser of this version or a later one reports it again', async () => {
  await report(version('1.6.97'));
  const [{ id }] = await list();
  const resolve = (isResolved: boolean) => call('PUT', `opsteam/errors/${id}`, staff, { isResolved });
  expect((await resolve(true)).body).toMatchObject({ state: 'resolved', resolvedBy: 'sam@provider.example' });
  // A page that was open since before says nothing about what was mended.
  await report(version('1.6.96'));
  expect((await list())[0]).toMatchObject({ state: 'resolved', count: 2 });
  await report(version('1.6.98'));
  expect((await list())[0]).toMatchObject({
    state: 'returned',
    returnedIn: '1.6.98',
    resolvedAt: null,
  });
  expect((await resolve(true)).body).toMatchObject({ state: 'resolved', returnedIn: null });
  expect((await resolve(false)).body).toMatchObject({ state: 'open', resolvedBy: null });
  const rows = (await auditOf(cloud, PROVIDER_LOG)).filter((row) => row.controller === 'browser error');
  expect(rows.map(({ action }) => action)).toEqual(['resolve', 'resolve', 'reopen']);
  expect((await call('PUT', 'opsteam/errors/nothing', staff, { isResolved: true })).body.error).toBe(
    'browser_error.not_found',
  );
});

test('ten thousand reports of one browser are one number, and different ones of one person are limited', async () => {
  const { diagnostics, postgres } = cloud.cloud.features;
  const viewer = { workgroup: 'main', userId };
  for (let at = 0; at < 10_000; at++) diagnostics.error(viewer, failure, CHROME);
  const rows = async (table: string) =>
    (await postgres.query<{ rows: number }>(`select count(*)::int as rows from ${table}`))[0]?.rows;
  expect(await list()).toMatchObject([{ count: 10_000 }]);
  expect(await rows('frontend_error_counts')).toBe(1);
  const other = { workgroup: 'main', userId: crypto.randomUUID() };
  const odd = (at: number) => ({
    ...failure,
    message: `strange ${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10) % 10]}`,
  });
  for (let at = 0; at < 100; at++) diagnostics.error(other, odd(at), CHROME);
  expect((await list()).length).toBeLessThanOrEqual(1 + 60);
  for (let at = 0; at < 30; at++)
    diagnostics.error(viewer, { ...failure, location: `/devices/${'abcdefghij'[at % 10]}${at}` }, CHROME);
  await diagnostics.write();
  expect(await rows("frontend_error_places where location like '/devices%'")).toBeLessThanOrEqual(60 + 10);
});

test('only the errors that were reported last are kept, and what is old is forgotten', async () => {
  const { diagnostics, postgres } = cloud.cloud.features;
  await report();
  await diagnostics.write();
  await postgres.query(
    `insert into frontend_errors (id, message, place, stack, source, first_at, last_at, first_version, last_version)
      select 'old' || n, 'old', '', '', 'window', to_timestamp(n), to_timestamp(n), '1', '1'
      from generate_series(1, ${ERRORS_KEPT}) n`,
  );
  await report();
  await diagnostics.write();
  const rows = await postgres.query<{ id: string }>('select id from frontend_errors order by last_at');
  expect([rows.length, rows[0]?.id]).toEqual([ERRORS_KEPT, 'old2']);
  await postgres.query(`update frontend_error_counts set day = day - 90`);
  await postgres.query(`update frontend_errors set last_at = $1`, [new Date(Date.now() - 100 * DAY_MS)]);
  await diagnostics.forget();
  expect(await postgres.query('select id from frontend_errors')).toEqual([]);
});

test('pages are told with visits, people and time, by day and by workgroup', async () => {
  const other = await cloud.newUser({ main: { role: 'readonly' }, other: { role: 'owner' } });
  const look = (page: object, by = token, wg = 'main') =>
    call('POST', `diagnostics/${wg}/frontendAnalytics`, by, page);
  const id = crypto.randomUUID();
  const device = { location: `/devices/${id}/data`, page: '/devices/$deviceId/data' };
  for (const body of [{ location: '/devices' }, device, { ...device, seconds: 90 }]) await look(body);
  await look({ location: '/devices' }, other);
  await look({ location: '/devices' }, other, 'other');
  const pages = async (query: string) => (await call('GET', `opsteam/pages?${query}`, staff)).body;
  const { all, pages: byPage, workgroups } = await pages('days=7');
  expect(all).toEqual({ visits: 4, people: 2, seconds: 90, days: [0, 0, 0, 0, 0, 0, 4] });
  expect(byPage).toMatchObject([
    { page: '/devices', visits: 3, people: 2, seconds: 0 },
    { page: '/devices/$deviceId/data', visits: 1, people: 1, seconds: 90 },
  ]);
  expect(workgroups).toMatchObject([
    { workgroup: 'main', visits: 3, people: 2 },
    { workgroup: 'other', visits: 1, people: 1 },
  ]);
  expect((await pages('days=7&ofWorkgroup=other')).pages).toMatchObject([{ page: '/devices', visits: 1 }]);
  const { diagnostics } = cloud.cloud.features;
  for (let at = 0; at < 400; at++)
    diagnostics.view(
      { workgroup: 'main', userId },
      { location: `/made-up-${'abcdefghijklmnopqrst'[at % 20]}${at}` },
    );
  expect((await pages('days=7')).pages.length).toBeLessThanOrEqual(155);
});

test('nobody but the staff sees any of it', async () => {
  for (const path of ['opsteam/errors', 'opsteam/errors/x', 'opsteam/pages'])
    expect((await call('GET', path)).status).toBe(403);
});
