import { lookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const PATH = 'lookupTables/main';
const ask = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, body });
const STATES = {
  code: 'states',
  name: 'Inverter states',
  fields: [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch' },
  ],
  values: [
    { value: '1', field: 'Status', fields: { en: 'Running', de: 'In Betrieb' } },
    { value: '2', field: 'Status', fields: { en: 'Fault' } },
    { value: '1', fields: { en: 'Yes' } },
  ],
};

test('a table is made, changed and deleted; members read it, and the audit log says who did it', async () => {
  const made = lookupTable.parse((await ask('POST', PATH, STATES)).body);
  expect(made).toMatchObject({ code: 'states', fields: [{ code: 'en', type: 'String' }, { code: 'de' }] });
  expect(made.values[2]).toEqual({ value: '1', field: null, fields: { en: 'Yes' } });
  const change = { ...STATES, name: 'States', values: STATES.values.slice(0, 1) };
  expect((await ask('POST', `${PATH}/${made._id}`, change)).body.name).toBe('States');

  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const { body: seen } = await ask('GET', PATH, undefined, reader);
  expect(seen).toEqual([expect.objectContaining({ _id: made._id, name: 'States' })]);
  expect(seen[0].values).toHaveLength(1);
  expect((await ask('POST', PATH, STATES, reader)).status).toBe(403);

  expect((await ask('DELETE', `${PATH}/${made._id}`)).status).toBe(200);
  expect((await ask('GET', PATH)).body).toEqual([]);
  expect((await ask('DELETE', `${PATH}/${made._id}`)).body.error).toBe('lookup_table.not_found');
  const entries = (await auditOf(cloud, 'main')).filter((one) => one.controller === 'lookup-table');
  expect(entries.map((one) => [one.action, one.user_id])).toEqual(
    ['create', 'update', 'delete'].map((action) => [action, OWNER.email]),
  );
});

test('two tables cannot have one code', async () => {
  const { body: one } = await ask('POST', PATH, { code: 'one', name: 'One' });
  await ask('POST', PATH, { code: 'two', name: 'Two' });
  expect(await ask('POST', PATH, { code: 'one', name: 'Other' })).toMatchObject({
    status: 409,
    body: { error: 'lookup_table.code_taken' },
  });
  expect((await ask('POST', `${PATH}/${one._id}`, { code: 'two', name: 'One' })).status).toBe(409);
});

test('what is wrong is said by its place', async () => {
  const issuesOf = async (change: object) => {
    const { status, body } = await ask('POST', PATH, { ...STATES, code: 'new', ...change });
    expect(status).toBe(400);
    return body.issues.map(({ path, issue }: { path: string; issue: string }) => [path, issue]);
  };
  expect(await issuesOf({ code: 'no spaces' })).toEqual([['code', 'issue.code_letters']]);
  expect(await issuesOf({ values: [STATES.values[0], STATES.values[0]] })).toEqual([
    ['values.1.value', 'issue.twice'],
  ]);
  expect(await issuesOf({ values: [{ value: '1', fields: { fr: 'Oui' } }] })).toEqual([
    ['values.0.fields', 'issue.lookup_field'],
  ]);
  expect(await issuesOf({ fields: [STATES.fields[0], STATES.fields[0]] })).toContainEqual([
    'fields.1.code',
    'issue.twice',
  ]);
});
