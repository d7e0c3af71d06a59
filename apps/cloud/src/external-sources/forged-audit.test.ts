import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const PATH = 'externalSources/main';
const ask = (method: string, path: string, body?: unknown) => cloud.call(method, path, { token, body });
const fields = ['action', 'by', 'entity'].map((name) => ({ column: name, name, type: 'keyword' }));
const mapping = { table: 'heard', source: 'cloud', timeColumn: 'time', timezone: 'UTC', fields };
const push = { name: 'Meter', kind: 'push', recordsPath: 'data', mapping };

test.each(['audit_logs', 'incidents_log'])('no external source writes the table %s', async (table) => {
  const forged = { ...push, name: `To ${table}`, mapping: { ...mapping, table } };
  for (const [method, path] of [
    ['POST', PATH],
    ['POST', `${PATH}/preview`],
  ] as const)
    expect(await ask(method, path, forged), path).toMatchObject({
      status: 409,
      body: { error: 'data_table.system' },
    });
  const { body: made } = await ask('POST', PATH, { ...push, name: `From ${table}` });
  expect(await ask('PUT', `${PATH}/${made._id}`, forged)).toMatchObject({ status: 409 });

  // As an earlier release took it.
  await cloud.cloud.features.postgres.query(
    `update external_sources set mapping = jsonb_set(mapping::jsonb, '{table}', '"${table}"') where id = '${made._id}'`,
  );
  const record = {
    time: '2026-01-01T00:00:00Z',
    action: 'delete',
    by: 'alice@example.org',
    entity: 'forged',
  };
  const sent = await cloud.call('POST', `push/${made._id}`, { token: made.token, body: { data: [record] } });
  expect(sent.status, JSON.stringify(sent.body)).toBe(409);
  expect(JSON.stringify(await auditOf(cloud, 'main'))).not.toContain('forged');
});
