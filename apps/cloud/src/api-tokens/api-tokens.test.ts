import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
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
    expect(JSON.stringify(rows)).not.toContain(body.token);
  });
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
