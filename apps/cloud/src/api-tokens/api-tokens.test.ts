import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Tokens } from '../sessions/tokens.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
});
afterAll(() => cloud.stop());

const wanted = { owner: 'A partner', email: 'partner@example.org', expiry: '2 months' };
const create = (more: object = {}, token = owner) =>
  cloud.call('POST', 'orgs/main/api-tokens', { token, body: { ...wanted, ...more } });
const read = (token: string) => cloud.call('GET', 'devices/main', { token });
const list = async () =>
  (await cloud.call('GET', 'orgs/main/api-tokens', { token: owner })).body as Record<string, unknown>[];

describe('an API token', () => {
  test('is shown once, lives as long as chosen, and does what it was given', async () => {
    const { body } = await create({ permissions: ['manageDevices'] });
    expect(body).toMatchObject({ permissions: ['read', 'manageDevices'], lastUsedAt: null, revokedAt: null });
    const days = (body.expiresAt - body.createdAt) / 86_400_000;
    expect(days).toBeGreaterThan(58);
    expect(days).toBeLessThan(63);
    expect(decodeJwt(body.token).exp).toBe(Math.floor(body.expiresAt / 1000));

    expect((await read(body.token)).status).toBe(200);
    const made = { body: { name: `Made by script ${body._id}` }, token: body.token };
    // No anti-forgery header: nothing sends such a token by itself.
    expect((await cloud.call('POST', 'devices/main', { ...made, noCsrf: true })).status).toBe(200);
    expect(JSON.stringify(await list())).not.toContain(body.token.split('.')[2]);
    const rows = await cloud.cloud.features.postgres.query('select * from api_tokens');
    expect(JSON.stringify(rows)).not.toContain(body.token.split('.')[2]);
  });

  test('tells when it was last used', async () => {
    const { body } = await create();
    await read(body.token);
    await expect
      .poll(async () => (await list()).find(({ _id }) => _id === body._id)?.lastUsedAt)
      .toEqual(expect.any(Number));
  });

  test('is revoked with 299 others in six calls, of which none is refused, whatever is wrong with one', async () => {
    const { postgres } = cloud.cloud.features;
    const { body: last } = await create();
    const rows = await postgres.query<{ id: string }>(
      `insert into api_tokens (workgroup, owner, email, expiry, can_renew, permissions, created_by, created_at, expires_at)
       select workgroup, owner, email, expiry, can_renew, permissions, created_by, created_at, expires_at
       from api_tokens, generate_series(1, 299) where id = $1 returning id`,
      [last._id],
    );
    const ids = [...rows.map(({ id }) => id), last._id];
    const foreign = crypto.randomUUID();
    const revoke = (some: string[]) =>
      cloud.call('POST', 'orgs/main/api-tokens/revoke', { token: owner, body: { ids: some } });
    for (let from = 0; from < ids.length; from += 50) {
      const some = ids.slice(from, from + 50);
      const reply = await revoke(from === 0 ? [...some.slice(1), foreign] : some);
      const failed = from === 0 ? [{ id: foreign, error: 'api_token.not_found', code: 404 }] : [];
      expect(reply).toMatchObject({ status: 200, body: { failed } });
      expect(reply.body.failed).toHaveLength(failed.length);
    }
    expect((await read(last.token)).status).toBe(401);
    const live = (await list()).filter(
      ({ _id, revokedAt }) => ids.includes(_id as string) && revokedAt === null,
    );
    expect(live.map(({ _id }) => _id)).toEqual([ids[0]]);
    await revoke(ids.slice(0, 1));
    expect((await revoke(Array.from({ length: 51 }, () => crypto.randomUUID()))).status).toBe(400);
    const revoked = (await auditOf(cloud, 'main')).filter(
      ({ action, controller }) => action === 'revoke' && controller === 'api_token',
    );
    expect(revoked.length).toBeGreaterThanOrEqual(300);
  });

  test('ends at once with its revocation, with all renewals and sockets', async () => {
    const { body } = await create({ canRenew: true });
    const renewed = (await cloud.call('GET', 'token/renew', { token: body.token })).body.token;
    expect(renewed).not.toBe(body.token);
    const socket = await new BrowserSocket(cloud, { token: renewed, orgName: 'main' }).connected();
    const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    expect((await socket.call('device:fly', {})).error?.message).toBe('Not found');
    const path = `orgs/main/api-tokens/${body._id}`;
    expect((await cloud.call('DELETE', path, { token: owner })).body.revokedAt).toEqual(expect.any(Number));
    expect(await ended).toBe('io server disconnect');
    for (const token of [body.token, renewed]) expect((await read(token)).status).toBe(401);
    expect((await cloud.call('DELETE', path, { token: owner })).body.error).toBe('api_token.not_found');
  });

  test('renews itself while that is allowed, and not otherwise', async () => {
    const { body } = await create({ canRenew: true });
    const renew = () => cloud.call('GET', 'token/renew', { token: body.token });
    const { token } = (await renew()).body;
    expect(decodeJwt(token).exp).toBeGreaterThanOrEqual(Math.floor(body.expiresAt / 1000));
    expect((await read(token)).status).toBe(200);
    const path = `orgs/main/api-tokens/${body._id}`;
    await cloud.call('PUT', path, { token: owner, body: { canRenew: false } });
    expect(await renew()).toMatchObject({ status: 403, body: { error: 'api_token.not_renewable' } });
  });

  test('cannot administer people, and cannot be given what its maker does not have', async () => {
    expect((await create({ permissions: ['manageAccess'] })).status).toBe(400);
    expect((await create({ expiry: '10 years' })).status).toBe(400);
    const manager = await cloud.newUser({
      main: { role: 'readonly', permissions: ['read', 'manageAccess'] },
    });
    const more = await create({ permissions: ['controlDevices'] }, manager);
    expect(more.body.error).toBe('member.more_than_own');
    const { body } = await create({}, manager);
    for (const path of ['me', 'orgs', 'me/profile', 'orgs/main/members', 'orgs/main/api-tokens'])
      expect((await cloud.call('GET', path, { token: body.token })).status, path).toBe(403);
  });

  test('changes the configuration only where an owner made it for that, and until it expires', async () => {
    const rename = (token: string) =>
      cloud.call('PUT', 'orgs/main/settings/labels', { token, body: { value: ['north'] } });
    const admin = await cloud.newUser({
      main: { role: 'admin', permissions: ['read', 'manageAccess', 'coordinate', 'manageDevices'] },
    });
    const refused = await create({ permissions: ['coordinate'] }, admin);
    expect(refused).toMatchObject({ status: 403, body: { error: 'api_token.owners_only' } });
    const { body: plain } = await create({ permissions: ['manageDevices', 'audit', 'tunnel'] });
    expect((await rename(plain.token)).status).toBe(403);
    expect((await create({ permissions: ['coordinate'], canRenew: true })).body.issues).toMatchObject([
      { path: 'canRenew', issue: 'issue.token_configures' },
    ]);
    const { body: made } = await create({ permissions: ['coordinate'] });
    expect((await rename(made.token)).status).toBe(200);
    const path = `orgs/main/api-tokens/${made._id}`;
    const renewable = await cloud.call('PUT', path, { token: owner, body: { canRenew: true } });
    expect(renewable.body.error).toBe('api_token.not_renewable');
  });

  test('stands in the audit log with who made, renewed and revoked it, and without its secret', async () => {
    const { body } = await create({ canRenew: true });
    await cloud.call('GET', 'token/renew', { token: body.token });
    await cloud.call('DELETE', `orgs/main/api-tokens/${body._id}`, { token: owner });
    const rows = (await auditOf(cloud, 'main')).filter((row) => String(row.entity).includes(body._id));
    expect(rows).toMatchObject([
      { controller: 'api_token', action: 'create', user_id: 'owner@example.org' },
      { action: 'renew', user_id: 'api-token:partner@example.org' },
      { action: 'revoke' },
    ]);
    // No part of it, and none that was signed at another time.
    expect(JSON.stringify(rows)).not.toContain(body.token.split('.')[0]);
  });
});

describe('the end of an API token', () => {
  const DAY_MS = 86_400_000;
  const daysBefore = (body: { expiresAt: number }, days: number) => new Date(body.expiresAt - days * DAY_MS);

  test('is announced 14, 7 and 1 days before, each once, and again after a renewal', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const { body } = await create({ email, canRenew: true });
    const warn = async (days: number, of = body) => {
      await cloud.cloud.features.apiTokens.warn(daysBefore(of, days));
      await cloud.cloud.features.mailer.idle();
    };
    const subjects = async () => (await mailsTo(cloud, email)).map(({ subject }) => subject);
    await warn(15);
    expect(await subjects()).toEqual([]);
    await Promise.all([warn(14), warn(13.5), warn(13)]);
    await warn(7);
    await warn(0.5);
    await warn(0.4);
    expect(await subjects()).toEqual(
      [14, 7, 1].map((days) => expect.stringMatching(days === 1 ? /within a day/ : /expires in/)),
    );
    const [first] = await mailsTo(cloud, email);
    expect(first?.text).toContain('/api/v1/token/renew');
    expect(first?.text).not.toContain(body.token);
    await cloud.call('GET', 'token/renew', { token: body.token });
    const renewed = (await list()).find(({ _id }) => _id === body._id) as never;
    await warn(10, renewed);
    expect((await subjects()).length).toBe(4);
  });

  test('is announced once with the latest warning after a time without a server', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const { body } = await create({ email });
    await cloud.cloud.features.apiTokens.warn(daysBefore(body, 0.9));
    await cloud.cloud.features.apiTokens.warn(daysBefore(body, 0.8));
    expect((await mailsTo(cloud, email)).map(({ subject }) => subject)).toEqual([
      'Your API token for Main expires within a day',
    ]);
  });

  test('is announced in the language of its maker', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const maker = await cloud.newUser({ main: { role: 'owner' } });
    await cloud.call('PUT', 'settings/language', { token: maker, body: { value: 'de' } });
    const { body } = await create({ email }, maker);
    await cloud.cloud.features.apiTokens.warn(daysBefore(body, 7));
    const [warning] = await mailsTo(cloud, email);
    expect(warning?.text).toContain('das API-Token von A partner');
    expect(warning?.text).toContain('Es kann nicht erneuert werden.');
  });

  test('is not told of a token that was made for so short a time, nor of one that is revoked', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const { body: short } = await create({ email, expiry: '7 days' });
    const { body: revoked } = await create({ email });
    await cloud.call('DELETE', `orgs/main/api-tokens/${revoked._id}`, { token: owner });
    await cloud.cloud.features.apiTokens.warn(daysBefore(short, 6.9));
    await cloud.cloud.features.apiTokens.warn(daysBefore(revoked, 3));
    expect(await mailsTo(cloud, email)).toEqual([]);
  });
});

describe('a token whose maker', () => {
  const manager = async (permissions: Permission[]) => {
    const token = await cloud.newUser({ main: { role: 'readonly', permissions } });
    return { token, id: (await cloud.cloud.features.sessions.verify(token))._id };
  };
  const email = 'backed@example.org';

  test('leaves the workgroup ends at once, and its address is notified', async () => {
    const maker = await manager(['read', 'manageAccess']);
    const { body } = await create({ email }, maker.token);
    expect((await read(body.token)).status).toBe(200);
    await cloud.call('DELETE', `orgs/main/members/${maker.id}`, { token: owner });
    expect((await read(body.token)).status).toBe(401);
    const ended = (await list()).find(({ _id }) => _id === body._id);
    expect(ended).toMatchObject({ revokedBecause: 'maker_left', revokedAt: expect.any(Number) });
    const rows = (await auditOf(cloud, 'main')).filter((row) => String(row.entity).includes(body._id));
    expect(rows.at(-1)).toMatchObject({
      action: 'revoke',
      attribute: 'reason',
      new_value: 'maker_left',
      user_id: null,
    });
    expect((await mailsTo(cloud, email)).at(-1)?.subject).toBe('Your API token for Main was revoked');
  });

  test('loses a right that the token has ends, and one with other rights stays', async () => {
    const maker = await manager(['read', 'manageAccess', 'manageDevices', 'discovery']);
    const { body: strong } = await create({ permissions: ['manageDevices'] }, maker.token);
    const { body: weak } = await create({ permissions: ['discovery'] }, maker.token);
    const set = (permissions: Permission[]) =>
      cloud.call('PUT', `orgs/main/members/${maker.id}`, { token: owner, body: { permissions } });
    await set(['read', 'manageAccess', 'discovery']);
    expect((await read(strong.token)).status).toBe(401);
    expect((await read(weak.token)).status).toBe(200);
    await set(['read', 'discovery']);
    expect((await read(weak.token)).status).toBe(401);
    expect((await list()).find(({ _id }) => _id === weak._id)?.revokedBecause).toBe('maker_lost_rights');
  });

  test('went by another way ends with the next look', async () => {
    const maker = await manager(['read', 'manageAccess']);
    const { body } = await create({}, maker.token);
    await cloud.cloud.features.postgres.query(`delete from members where user_id = '${maker.id}'`);
    await cloud.cloud.features.apiTokens.endUnbacked();
    expect((await read(body.token)).status).toBe(401);
  });
});

describe('a token of a device group', () => {
  test('sees the devices of the group, and its maker gives none but their own group', async () => {
    const { body: device } = await cloud.call('POST', 'devices/main', {
      token: owner,
      body: { name: 'In the group' },
    });
    const group = (name: string, devices: string[]) =>
      cloud.call('POST', 'orgs/main/device-groups', {
        token: owner,
        body: { name, composition: { type: 'IN', devices } },
      });
    const { body: mine } = await group('Mine', [device.id]);
    const { body: other } = await group('Other', []);
    const { body } = await create({ devGroup: mine._id });
    expect(body.devGroup).toBe(mine._id);
    const seen = (await read(body.token)).body as { id: string }[];
    expect(seen.map(({ id }) => id)).toEqual([device.id]);

    expect((await create({ devGroup: crypto.randomUUID() })).body.error).toBe('device_group.not_found');
    const token = await cloud.newUser({ main: { role: 'readonly', permissions: ['read', 'manageAccess'] } });
    const { _id: id, ...claims } = await cloud.cloud.features.sessions.verify(token);
    await cloud.cloud.features.postgres.query(
      `update members set dev_group = '${mine._id}' where user_id = '${id}'`,
    );
    const user = await cloud.cloud.features.users.userByEmail(claims.email);
    const bound = await cloud.cloud.features.sessions.issue(user as never);
    for (const devGroup of [null, other._id])
      expect((await create({ devGroup }, bound)).body.error).toBe('api_token.own_group');
    expect((await create({ devGroup: mine._id }, bound)).status).toBe(200);
  });

  test('is changed and revoked by a manager of that group, who reaches no token outside it', async () => {
    const boss = await cloud.newUser({ main: { role: 'readonly', permissions: ['read', 'manageAccess'] } });
    const composition = { type: 'NOT IN', devices: [] };
    const { body: group } = await cloud.call('POST', 'orgs/main/device-groups', {
      token: owner,
      body: { name: 'Managed', composition },
    });
    const { _id: id, email } = await cloud.cloud.features.sessions.verify(boss);
    const { postgres, users, sessions } = cloud.cloud.features;
    await postgres.query(`update members set dev_group = '${group._id}' where user_id = '${id}'`);
    const token = await sessions.issue((await users.userByEmail(email)) as never);
    const inside = (await create({ devGroup: group._id })).body;
    const outside = (await create({})).body;
    const path = (one: { _id: string }) => `orgs/main/api-tokens/${one._id}`;
    const several = (ids: string[]) =>
      cloud.call('POST', 'orgs/main/api-tokens/revoke', { token, body: { ids } });

    const refused = [
      await cloud.call('PUT', path(outside), { token, body: { canRenew: true } }),
      await cloud.call('DELETE', path(outside), { token }),
    ];
    expect(refused.map(({ body }) => body.error)).toEqual(['device_group.bound', 'device_group.bound']);
    expect((await several([outside._id])).body.failed).toMatchObject([{ error: 'device_group.bound' }]);
    expect((await read(outside.token)).status).toBe(200);

    expect((await cloud.call('PUT', path(inside), { token, body: { canRenew: true } })).status).toBe(200);
    expect((await several([inside._id])).body.failed).toEqual([]);
    expect((await read(inside.token)).status).toBe(401);
  });
});

test('an expired API token neither reads nor renews', async () => {
  const { body } = await create({ canRenew: true });
  const claims = decodeJwt(body.token) as never as SessionClaims & { madeAt: number };
  const now = Math.floor(Date.now() / 1000);
  const expired = await new Tokens(cloud.signingKey()).sign(
    { ...claims, iat: now - 100, exp: now - 1 },
    Date.now(),
  );
  expect((await read(expired)).status).toBe(401);
  expect((await cloud.call('GET', 'token/renew', { token: expired })).status).toBe(401);
});

test('a revoked API token stays revoked over a restart', async () => {
  const ALBEDO_DATA = mkdtempSync(join(tmpdir(), 'albedo-tokens-'));
  const first = await startTestCloud({ ALBEDO_DATA });
  const token = await first.owner();
  const { body } = await first.call('POST', 'orgs/main/api-tokens', { token, body: wanted });
  await first.call('DELETE', `orgs/main/api-tokens/${body._id}`, { token });
  await first.stop();
  const second = await startTestCloud({ ALBEDO_DATA });
  expect((await second.call('GET', 'devices/main', { token: body.token })).status).toBe(401);
  await second.stop();
  rmSync(ALBEDO_DATA, { recursive: true });
});
