import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { fill } from '../testing/filled-workgroup.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let staff = '';
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
  staff = await cloud.tokenOf('s@provider.example');
});
afterAll(() => cloud.stop());

let wg = '';
let owner = '';
let tests = 0;
beforeEach(async () => {
  wg = `wg-${++tests}`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
});
const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, path, { token, body, headers: { 'x-forwarded-for': `192.0.2.${tests}` } });
/** A long action of the staff, when it is over. */
async function over(id: string) {
  await cloud.cloud.features.jobs.idle({ name: 'long-action' });
  return (await call('GET', `opsteam/long-actions/${id}`, staff)).body;
}
const suspend = (suspended: boolean) => call('PUT', `opsteam/workgroups/${wg}`, staff, { suspended });

test('the staff make a workgroup, whose first owner is invited by e-mail', async () => {
  const ownerEmail = `${crypto.randomUUID()}@example.org`;
  const body = { orgDisplay: 'Sonne & Söhne', plan: 'pro', ownerEmail };
  const made = await call('POST', 'orgs', staff, body);
  expect(made.body).toMatchObject({
    name: 'sonne-sohne',
    displayName: 'Sonne & Söhne',
    plan: 'pro',
    members: 0,
  });
  const mails = await mailsTo(cloud, ownerEmail);
  expect(mails).toHaveLength(1);
  // Nobody said who the owner is: the mail greets all the same.
  expect(mails[0]?.text).toMatch(/^Hello,$/m);
  expect((await call('POST', 'orgs', staff, body)).body.name).toBe('sonne-sohne-2');
  expect((await call('POST', 'orgs', owner, body)).status).toBe(403);
});

test('a new workgroup demands a second factor as the server is set up, unless the staff choose otherwise', async () => {
  const strict = await startTestCloud({
    ALBEDO_STAFF_DOMAINS: 'provider.example',
    ALBEDO_WORKGROUP_MFA: 'required',
  });
  async function policyOf(at: TestCloud, mfaRequired?: boolean) {
    const token = await at.tokenOf('s@provider.example');
    const ownerEmail = `${crypto.randomUUID()}@example.org`;
    const body = {
      orgDisplay: ownerEmail,
      ownerEmail,
      ...(mfaRequired === undefined ? {} : { mfaRequired }),
    };
    const { name } = (await at.call('POST', 'orgs', { token, body })).body;
    const member = await at.newUser({ [name]: { role: 'owner' } });
    const { status, body: policy } = await at.call('GET', `orgs/${name}/mfa`, { token: member });
    return status === 200 ? policy.required : 'second factor demanded';
  }
  expect(await policyOf(cloud)).toBe(false);
  expect(await policyOf(cloud, true)).toBe(true);
  expect(await policyOf(strict)).toBe(true);
  expect(await policyOf(strict, false)).toBe(false);
  await strict.stop();
});

test('a suspended workgroup is closed to its members at once, and open again as it was', async () => {
  const token = await call('POST', `orgs/${wg}/api-tokens`, owner, {
    owner: 'A partner',
    email: 'partner@example.org',
    expiry: '7 days',
    permissions: ['read'],
  });
  const socket = await new BrowserSocket(cloud, { token: owner, orgName: wg }).connected();
  const told = new Promise((resolve) => socket.socket.once('workgroup:changed', resolve));
  const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
  expect((await suspend(true)).body.suspendedAt).toBeGreaterThan(0);
  expect(await told).toEqual({ workgroup: wg });
  await ended;
  for (const bearer of [owner, token.body.token]) {
    const reply = await call('GET', `devices/${wg}`, bearer);
    expect(reply.body).toMatchObject({
      code: 403,
      message: 'This workgroup is suspended. Ask the provider to open it again.',
    });
  }
  expect((await call('GET', 'orgs', owner)).body).toMatchObject([{ name: wg, isSuspended: true }]);
  expect((await suspend(false)).body.suspendedAt).toBeNull();
  expect((await call('GET', `devices/${wg}`, owner)).status).toBe(200);
  const rows = (await auditOf(cloud, wg)).filter((row) => row.controller === 'workgroup');
  expect(rows.map(({ action }) => action)).toEqual(['suspend', 'resume']);
  socket.socket.close();
});

/** What the features announce. */
const announced = () => cloud.cloud.features.workgroupParts.flatMap(({ tables = [] }) => tables);
const query = async (text: string) =>
  (await cloud.cloud.features.postgres.query<{ name: string }>(text)).map(({ name }) => name);

test('every table of the database is announced as a part of workgroups, or none of its rows is one', async () => {
  const names = announced().map(({ table }) => getTableName(table));
  const all = await query(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  expect(names.filter((name) => !all.includes(name))).toEqual([]);
  expect(all.filter((name) => !names.includes(name)).toSorted()).toEqual([
    'announcement_dismissals',
    'announcements',
    'attempts',
    'deleted_workgroups',
    'email_changes',
    'email_reverts',
    'frontend_errors',
    'host_brands',
    'host_images',
    'link_processes',
    'link_shards',
    'open_sessions',
    'passkey_challenges',
    'passkeys',
    'password_resets',
    'push_subscriptions',
    'remote_confirmations',
    'revoked_sessions',
    'secrets',
    'totp_secrets',
    'user_settings',
  ]);
});

test('a table that leads to a workgroup, by a column or over others, is announced', async () => {
  const leading = await query(`
    with recursive leads(id) as (
      select 'workgroups'::regclass::oid
      union select format('%I', table_name)::regclass::oid from information_schema.columns
        where table_schema = 'public' and column_name in ('workgroup', 'device_id')
      union select conrelid from pg_constraint join leads on confrelid = leads.id where contype = 'f'
    ) select relname as name from leads join pg_class on oid = leads.id`);
  expect(leading).toContain('support_files');
  const names = announced().map(({ table }) => getTableName(table));
  expect(leading.filter((name) => !names.includes(name))).toEqual([]);
});

test('a workgroup is exported with its records, files and data, and without secrets', async () => {
  await fill(cloud, wg);
  await call('PUT', `orgs/${wg}/settings/defaultPage`, owner, { value: '/search' });
  const { id, about } = (await call('POST', `opsteam/workgroups/${wg}/export`, staff)).body;
  expect(about).toBe(wg);
  expect(await over(id)).toMatchObject({ state: 'done', file: { name: `${wg}.tar.gz` } });
  const { path } = (await call('POST', `opsteam/long-actions/${id}/file`, staff)).body;
  // A browser follows the link by itself, and once.
  const reply = await cloud.call('GET', path);
  expect((await cloud.call('GET', path)).body).toMatchObject({ code: 404, error: 'long_action.file_gone' });
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${wg}.tar.gz"`);
  const files = await unpack(reply.bytes);
  const records = (table: string) => JSON.parse(files[`records/${table}-0.json`] ?? 'null');
  for (const { table, exported } of announced()) {
    if (exported.length === 0) continue;
    expect({ table: getTableName(table), rows: records(getTableName(table)) }).toMatchObject({
      rows: expect.arrayContaining([expect.any(Object)]),
    });
  }
  expect(records('devices')).toMatchObject([{ name: 'Roof', workgroup: wg }]);
  expect(records('workgroup_settings')).toEqual([{ workgroup: wg, key: 'defaultPage', value: '/search' }]);
  expect(files['images/logo.png']).toBe('a logo');
  expect(Object.entries(files).find(([name]) => name.startsWith('attachments/'))?.[1]).toBe('E 303');
  const audit = (files['telemetry/audit_logs/0.ndjson'] ?? '').trim().split('\n');
  expect(audit.map((line) => JSON.parse(line).attribute)).toContain('defaultPage');
  expect(JSON.stringify(files)).not.toContain('opens something');
  expect(JSON.stringify(files)).not.toMatch(/argon2|passwordHash|tokenHash/);
  expect((await call('POST', 'opsteam/workgroups/nowhere/export', staff)).status).toBe(404);
  const exports = (await auditOf(cloud, wg)).filter(({ action }) => action === 'export');
  expect(exports.map(({ user_id }) => user_id)).toEqual(['s@provider.example']);
});

test('a deleted workgroup leaves nothing, in no table and no file, and its name is not given again', async () => {
  const other = await cloud.newUser({ [`${wg}-other`]: { role: 'owner' } });
  await call('POST', `devices/${wg}-other`, other, { name: 'Stays' });
  const { ids, fileKey } = await fill(cloud, wg);
  await call('PUT', 'settings/hiddenOrgs', owner, { value: ['another', wg] });
  await auditOf(cloud, wg);
  const socket = await new BrowserSocket(cloud, { token: owner, orgName: wg }).connected();
  const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
  const path = `opsteam/workgroups/${wg}`;
  expect((await call('DELETE', path, staff, { phrase: 'wg' })).body).toMatchObject({
    code: 400,
    message: `Type ${wg} exactly to delete this workgroup.`,
  });
  const { postgres, telemetry, files, certificates } = cloud.cloud.features;
  // What is under a legal hold stays, and with it the workgroup.
  const held = await call('DELETE', path, staff, { phrase: wg });
  expect(held).toMatchObject({ status: 409, body: { error: 'data_table.held' } });
  await postgres.query('delete from legal_holds where workgroup = $1', [wg]);
  const { id } = (await call('DELETE', path, staff, { phrase: wg })).body;
  await ended;
  socket.socket.close();
  expect(await over(id)).toMatchObject({ state: 'done', error: null });

  expect((await call('GET', 'me', owner)).status).toBe(401);
  // The word that it is done stays a day.
  const remaining = ['deleted_workgroups', 'device_certificates', 'long_actions'];
  for (const name of (await allTables()).map(getTableName)) {
    const text = JSON.stringify(await postgres.query(`select * from "${name}"`));
    const found = [`"${wg}"`, ...ids].filter((one) => text.includes(one));
    if (!remaining.includes(name)) expect({ name, found }).toEqual({ name, found: [] });
  }
  expect(await files.get(fileKey)).toBeNull();
  await expect
    .poll(() => telemetry.asSystem('deletion').stored([wg, `${wg}-other`]), { timeout: 20_000 })
    .toEqual([`${wg}-other`]);
  expect(certificates.newest(ids[0] ?? '')?.revokedAt).toBeInstanceOf(Date);
  expect((await call('GET', `devices/${wg}-other`, other)).body).toHaveLength(1);
  expect((await call('POST', 'orgs', staff, { orgDisplay: wg, ownerEmail: 'a@example.org' })).body.name).toBe(
    `${wg}-2`,
  );
});

test('the staff find users, demand a second factor of them, and send them a reset', async () => {
  const { email, _id } = await cloud.cloud.features.sessions.verify(owner);
  const { body } = await call('GET', `opsteam/users?search=${email.slice(0, 20)}`, staff);
  expect(body).toMatchObject([
    { _id, email, workgroups: [wg], hasMfa: false, hasPassword: true, isStaff: false },
  ]);
  expect(body[0].lastSignInAt).toBeGreaterThan(0);
  expect((await call('GET', 'opsteam/users?search=%25nobody', staff)).body).toEqual([]);
  expect((await call('POST', `opsteam/users/${_id}/reset`, staff)).status).toBe(200);
  await expect.poll(async () => (await mailsTo(cloud, email)).length).toBe(1);
  expect((await call('PUT', `opsteam/users/${_id}`, staff, { mfaRequired: true })).body.mfaRequired).toBe(
    true,
  );
  expect((await call('GET', 'me', owner)).status).toBe(401);
  const passkey = { userId: _id, name: 'Key', credentialId: _id, publicKey: new Uint8Array(1), counter: 0 };
  await cloud.cloud.features.postgres.db
    .insert(passkeys)
    .values({ ...passkey, transports: [], isSynced: false });
  const withKey = await call('GET', `opsteam/users?search=${email.slice(0, 20)}`, staff);
  expect(withKey.body).toMatchObject([{ _id, hasMfa: true }]);
});

test('the staff end all sessions of somebody at once, and the log says so', async () => {
  const token = await cloud.newUser({ main: { role: 'readonly' } });
  const { _id, email } = await cloud.cloud.features.sessions.verify(token);
  expect((await call('DELETE', `opsteam/users/${_id}/sessions`, token)).status).toBe(403);
  expect((await call('GET', 'me', token)).status).toBe(200);
  expect((await call('DELETE', `opsteam/users/${_id}/sessions`, staff)).status).toBe(200);
  expect((await call('GET', 'me', token)).status).toBe(401);
  expect((await call('GET', 'opsteam/users', staff)).status).toBe(200);
  const told = (await auditOf(cloud, PROVIDER_LOG)).filter(({ action }) => action === 'end-sessions');
  expect(told).toMatchObject([{ entity: email }]);
});

test('the staff see the version of everything that runs', async () => {
  const { body } = await call('GET', 'opsteam/versions', staff);
  expect(body).toMatchObject({ roles: ['api', 'ingest', 'jobs'], node: process.version });
  for (const { version } of body.engines) expect(version).toMatch(/^\d+\./);
});

async function allTables(): Promise<PgTable[]> {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.tables.ts')).map((file) => import(join(root, file)));
  return (await Promise.all(modules)).flatMap((one) =>
    Object.values(one as object).filter((value): value is PgTable => is(value, PgTable)),
  );
}

async function unpack(archive: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const entries = Readable.from([gunzipSync(archive)]).pipe(extract());
  for await (const entry of entries) {
    let text = '';
    for await (const piece of entry) text += String(piece);
    files[entry.header.name] = text;
  }
  return files;
}
