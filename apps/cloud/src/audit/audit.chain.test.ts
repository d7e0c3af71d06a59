import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askServer } from '../command-line/control.client.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { auditVerifyFile } from './audit.command.ts';

let cloud: TestCloud;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'albedo-audit-'));
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const query = (sql: string) => cloud.cloud.features.postgres.query<Record<string, unknown>>(sql);
const make = (name: string) => cloud.call('POST', 'devices/main', { token, body: { name } });
const said = async (command: string) => {
  const lines: string[] = [];
  const code = await askServer(cloud.dataDir, { command, args: [] }, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
};
const saidOfFile = async (path: string, ...more: string[]) => {
  const lines: string[] = [];
  const code = await auditVerifyFile(['--file', path, ...more], (line) => lines.push(line));
  return { code, text: lines.join('\n') };
};

test('the entry is in the records when the action is answered, also that of a refusal', async () => {
  await make('At once');
  const entries = await query("select body from audit_entries where body like '%At once%'");
  expect(entries.length).toBe(1);
  await cloud.call('POST', 'auth/local', { body: { email: 'nobody@example.org', password: 'no' } });
  const tries = await query("select body from audit_entries where workgroup = '_provider'");
  expect(JSON.stringify(tries)).toContain('nobody@example.org');
});

test('an action whose entry cannot be written is not answered as done', { timeout: 30_000 }, async () => {
  await query('alter table audit_waiting rename to audit_away');
  const failed = await make('Unwritten');
  expect(failed.status).toBe(500);
  await query('alter table audit_away rename to audit_waiting');
  await expect
    .poll(() => query("select seq from audit_entries where body like '%Unwritten%'"), { timeout: 10_000 })
    .toHaveLength(1);
});

test('many at once each have a number of their own, and all can be searched', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => make(`Many ${at}`)));
  const numbers = (await query("select seq from audit_entries where workgroup = 'main' order by seq")).map(
    ({ seq }) => Number(seq),
  );
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  const found = (await auditOf(cloud, 'main')).filter((row) => String(row.new_value).startsWith('Many'));
  expect(found.length).toBe(20);
  expect(await query('select * from audit_waiting')).toEqual([]);
});

test.each([
  "update audit_entries set body = replace(body, 'At once', 'Never')",
  'delete from audit_entries where seq = 1',
  'truncate audit_entries',
])('the database refuses: %s', async (sql) => {
  await expect(query(sql)).rejects.toThrow(/never changed/);
});

test('a command follows the chains, and finds what was changed behind the back of the database', async () => {
  expect(await said('audit verify')).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /^main: \d+ entries, newest [0-9a-f]{64}$[\s\S]*Every audit log is whole, and so is its searchable copy\.$/m,
    ),
  });
  await query('alter table audit_entries disable trigger all');
  await query(
    "update audit_entries set body = replace(body, 'At once', 'By alice') where body like '%At once%'",
  );
  expect(await said('audit verify')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/main: NOT WHOLE, entry \d+ was changed/),
  });
  await query("update audit_entries set body = replace(body, 'By alice', 'At once')");
  const last = (await query("select max(seq) as seq from audit_entries where workgroup = 'main'"))[0]?.seq;
  await query(`create table kept as select * from audit_entries where workgroup = 'main' and seq = ${last}`);
  await query(`delete from audit_entries where workgroup = 'main' and seq = ${last}`);
  expect((await said('audit verify')).text).toContain(`entries ${last} to ${last} are missing`);
  await query('insert into audit_entries select * from kept');
  await query('alter table audit_entries enable trigger all');
  expect((await said('audit verify')).code).toBe(0);
});

interface Door {
  exec(sql: string, options: { settings: Record<string, number> }): Promise<void>;
  queryRows<Row>(sql: string): Promise<Row[]>;
}

test('the command finds what was changed, deleted and forged in the engine', async () => {
  await auditOf(cloud, 'main');
  const store = cloud.cloud.features.telemetry.asSystem('audit');
  // Behind the door of the store, as somebody with the password of the engine.
  const { clickhouse } = store as unknown as { clickhouse: Door };
  const engine = (sql: string) => clickhouse.exec(sql, { settings: { mutations_sync: 2 } });
  const verify = async () => (await said('audit verify')).text;
  expect(await verify()).toMatch(/Every audit log is whole, and so is its searchable copy\.$/m);
  const rows = await clickhouse.queryRows<[string]>(
    "SELECT DISTINCT msg_id FROM telemetry.events WHERE workgroup = 'main' AND tbl = 'audit_logs' ORDER BY msg_id",
  );
  const [first, second] = rows.map(([id]) => Number(id));
  const where = (id?: number) => `workgroup = 'main' AND tbl = 'audit_logs' AND msg_id = ${id}`;
  const [[slot] = []] = await clickhouse.queryRows<[number]>(
    "SELECT slot FROM telemetry.fields FINAL WHERE workgroup = 'main' AND tbl = 'audit_logs' AND field = 'user_id'",
  );
  const copy = (of: string) =>
    engine(
      `INSERT INTO telemetry.events SELECT * REPLACE (${of})
       FROM (SELECT * FROM telemetry.events WHERE ${where(first)} LIMIT 1)`,
    );
  // A row of the same place in the order of the store takes the place of the first one.
  await copy(`'eve@example.org' AS s${slot}, now64(3) AS store_time`);
  await engine(`ALTER TABLE telemetry.events DELETE WHERE ${where(second)}`);
  await copy('900001 AS msg_id');
  await copy("'nowhere' AS workgroup");
  const { code, text } = await said('audit verify');
  expect(code).toBe(1);
  expect(text).toContain(
    `main: the searchable copy is NOT THE SAME, 1 rows were changed (${first}); 1 entries have no row (${second}); 1 rows have no entry (900001)`,
  );
  expect(text).toContain('nowhere: the searchable copy is NOT THE SAME, no entry stands behind its rows');
  expect(text).toMatch(/^2 of 3 audit logs are not whole\.$/m);
});

test('an export is signed: whoever changes a line, leaves one out or cuts it is found', async () => {
  const reply = await cloud.call('GET', 'orgs/main/audit/export', { token });
  expect(reply.status).toBe(200);
  const text = reply.bytes.toString();
  const good = join(folder, 'good.ndjson');
  writeFileSync(good, text);
  const { body } = await cloud.call('GET', 'audit-key');
  const key = join(folder, 'key.pem');
  writeFileSync(key, body.publicKey);
  expect(await saidOfFile(good, '--key', key)).toMatchObject({
    code: 0,
    text: expect.stringContaining('signed by this key'),
  });
  const lines = text.trimEnd().split('\n');
  const bad: Record<string, string[]> = {
    changed: lines.map((line) => line.replace('At once', 'By alice')),
    'left out': lines.toSpliced(1, 1),
    cut: lines.slice(0, 4),
    'cut, with its seal': [...lines.slice(0, 2), lines.at(-1) ?? ''],
  };
  for (const [name, of] of Object.entries(bad)) {
    const path = join(folder, 'bad.ndjson');
    writeFileSync(path, `${of.join('\n')}\n`);
    expect((await saidOfFile(path, '--key', key)).code, name).toBe(1);
  }
});

test('the command runs from a terminal, beside the server and without one', { timeout: 60_000 }, async () => {
  const own = await startTestCloud({ ALBEDO_DATA: join(folder, 'data') });
  const terminal = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../albedo.ts'), 'audit', 'verify'], {
      env: { ...process.env, ALBEDO_DATA: own.dataDir },
      encoding: 'utf8',
    });
  await own.call('POST', 'auth/local', { body: { email: 'nobody@example.org', password: 'no' } });
  await own.stop();
  const { stdout, stderr, status } = terminal();
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toMatch(/the provider: 1 entries/);
  expect(readFileSync(join(own.dataDir, 'secrets/audit.pem'), 'utf8')).toContain('PRIVATE KEY');
});
