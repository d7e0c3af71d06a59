import { request as httpRequest } from 'node:http';
import type { Permission, Role } from '@albedo/contract/access/permissions';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import type { User } from '../users/users.store.ts';

const STAFF = 'provider.example';
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: STAFF });
});
afterAll(() => cloud.stop());

let wg = '';
let headers: Record<string, string> = {};
let tests = 0;
beforeEach(() => {
  wg = `wg-${++tests}`;
  headers = { 'x-forwarded-for': `198.51.100.${tests}` };
});
const call = (method: string, path: string, token?: string, body?: unknown) =>
  cloud.call(method, path, { token, body, headers });
const member = (role: Role, permissions: Permission[] = [], devGroup?: string) =>
  cloud.newUser({ [wg]: { role, permissions, ...(devGroup ? { devGroup } : {}) } });
const userOf = async (token: string) => {
  const user = await cloud.cloud.features.users.user(String(decodeJwt(token)._id));
  if (!user) throw new Error('the user is gone');
  return user;
};
const newAddress = () => `${crypto.randomUUID()}@example.org`;
const invitesOf = async (token: string) =>
  (await call('GET', `orgs/${wg}/invites`, token)).body as { _id: string; email: string }[];
const newToken = (maker: string, permissions: Permission[]) =>
  call('POST', `orgs/${wg}/api-tokens`, maker, {
    owner: 'A partner',
    email: 'partner@example.org',
    expiry: '2 months',
    permissions,
  });

describe('somebody of the staff', () => {
  test('is no staff any more when the address leaves the domain, with no session that was open', async () => {
    const { users, sessions } = cloud.cloud.features;
    const email = `${crypto.randomUUID()}@${STAFF}`;
    const named = { email, name: 'Ann', passwordHash: null, defaultWorkgroup: null };
    const user = await users.addUser(named);
    if (!user) throw new Error('the address is taken');
    const session = await sessions.issue(user);
    expect((await call('GET', 'opsteam/users?search=', session)).status).toBe(200);

    const next = newAddress();
    await call('POST', 'me/email', session, { email: next });
    const code = /Your code is (\d{6})/.exec((await mailsTo(cloud, next)).at(-1)?.text ?? '')?.[1];
    const { body } = await call('PUT', 'me/email', session, { code });
    expect(decodeJwt(body.token)).toMatchObject({ email: next, staff: false });
    expect((await call('GET', 'opsteam/users?search=', body.token)).status).toBe(403);
    expect((await call('GET', 'opsteam/users?search=', session)).status).toBe(401);
  });

  test('is nobody who chooses such an address, however it is written', async () => {
    const token = await member('owner');
    for (const email of [`a@${STAFF}`, `A@${STAFF.toUpperCase()}`, ` a@${STAFF} `]) {
      const { body } = await call('POST', 'me/email', token, { email });
      expect(body.error, email).toMatch(/account.email_reserved|request.invalid/);
    }
  });
});

test('a changed address takes the links that lie in the old mailbox with it', async () => {
  const token = await member('power');
  const { email: old } = await userOf(token);
  await call('POST', 'forgot', undefined, { email: old });
  await expect.poll(async () => (await mailsTo(cloud, old)).length).toBe(1);
  const reset = /\/reset\/([\w-]+)/.exec((await mailsTo(cloud, old))[0]?.text ?? '')?.[1];
  const email = newAddress();
  await call('POST', 'me/email', token, { email });
  const code = /Your code is (\d{6})/.exec((await mailsTo(cloud, email)).at(-1)?.text ?? '')?.[1];
  expect((await call('PUT', 'me/email', token, { code })).status).toBe(200);
  const reply = await call('PUT', `forgot/${reset}`, undefined, { password: USER_PASSWORD });
  expect(reply.body.error).toBe('account.reset_invalid');
});

describe('an API token', () => {
  test('runs no commands when its maker may not', async () => {
    const reader = await member('readonly', ['read', 'manageAccess', 'controlDevices']);
    expect((await newToken(reader, ['controlDevices'])).body.error).toBe('member.more_than_own');
    expect((await newToken(reader, [])).status).toBe(200);
    expect((await newToken(await member('owner'), ['controlDevices'])).status).toBe(200);
  });

  test('ends when its maker may not run commands any more', async () => {
    const owner = await member('owner');
    const maker = await member('power', ['read', 'manageAccess', 'controlDevices']);
    const { token } = (await newToken(maker, ['controlDevices'])).body;
    expect((await call('GET', `devices/${wg}`, token)).status).toBe(200);
    const { id } = await userOf(maker);
    expect((await call('PUT', `orgs/${wg}/members/${id}`, owner, { role: 'readonly' })).status).toBe(200);
    expect((await call('GET', `devices/${wg}`, token)).status).toBe(401);
  });

  test('never manages people, no matter who makes it', async () => {
    expect((await newToken(await member('owner'), ['manageAccess'])).status).toBe(400);
  });
});

test('demoted members leave no invitation behind that gives more than they could give now', async () => {
  const [owner, other] = [await member('owner'), await member('owner')];
  for (const granted of [
    { role: 'owner' },
    { role: 'readonly', permissions: ['tunnel'] },
    { role: 'readonly', permissions: ['manageDevices'] },
  ])
    await call('POST', `orgs/${wg}/members`, other, { email: newAddress(), ...granted });
  const { id } = await userOf(other);
  const less = { role: 'admin', permissions: ['read', 'manageAccess', 'manageDevices'] };
  expect((await call('PUT', `orgs/${wg}/members/${id}`, owner, less)).status).toBe(200);
  expect(await invitesOf(owner)).toMatchObject([
    { role: 'readonly', permissions: ['read', 'manageDevices'] },
  ]);
});

test('an invitation of an owner is sent again and taken back by owners alone', async () => {
  const owner = await member('owner');
  const admin = await member('admin', ['read', 'manageAccess']);
  await call('POST', `orgs/${wg}/members`, owner, { email: newAddress(), role: 'owner' });
  const [invite] = await invitesOf(owner);
  const path = `orgs/${wg}/invites/${invite?._id}`;
  expect((await call('POST', `${path}/resend`, admin)).body.error).toBe('member.owners_only');
  expect((await call('DELETE', path, admin)).body.error).toBe('member.owners_only');
  expect((await call('DELETE', path, owner)).status).toBe(200);
});

describe('other workgroups of a member', () => {
  test('are not named in the audit log', async () => {
    const other = `secret-${wg}`;
    const token = await cloud.newUser({ [wg]: { role: 'power' }, [other]: { role: 'power' } });
    await call('PUT', 'settings/hiddenOrgs', token, { value: [other, wg] });
    const named = await call('PUT', 'me/profile', token, { defaultWorkgroup: other, company: 'Sons' });
    expect(named.body.defaultWorkgroup).toBe(other);
    const log = await auditOf(cloud, wg);
    expect(log.map(({ attribute }) => attribute)).toEqual(
      expect.arrayContaining(['settings.hiddenOrgs', 'record']),
    );
    expect(JSON.stringify(log)).toContain('Sons');
    expect(JSON.stringify(log)).not.toContain(other);
    expect(JSON.stringify(await auditOf(cloud, other))).toContain(`"defaultWorkgroup\\":\\"${other}`);
  });

  test('are not told to a session of an identity provider', async () => {
    const token = await cloud.newUser({ [wg]: { role: 'power' } });
    await call('PUT', 'me/profile', token, { defaultWorkgroup: wg });
    await call('PUT', 'settings/hiddenOrgs', token, { value: [wg] });
    const bySso = await cloud.cloud.features.sessions.issue(await userOf(token), {
      idpId: crypto.randomUUID(),
    });
    for (const path of ['me', 'me/profile', 'settings', 'settings/hiddenOrgs', 'orgs'])
      expect(JSON.stringify((await call('GET', path, bySso)).body), path).not.toContain(wg);
    expect((await call('GET', 'settings/hiddenOrgs', token)).body).toEqual({ value: [wg] });
    // Nor does it show them again by hiding another one, or none.
    for (const value of [['its-own'], null]) {
      expect((await call('PUT', 'settings/hiddenOrgs', bySso, { value })).body).toEqual({ value });
      const kept = (await call('GET', 'settings/hiddenOrgs', token)).body as { value: string[] };
      expect(kept.value).toContain(wg);
    }
  });
});

test('a form cannot fill the memory with fields that nobody asked for', async () => {
  const token = await member('owner');
  const form = new FormData();
  for (let field = 0; field < 60; field++) form.append(`field-${field}`, 'x'.repeat(90_000));
  form.append(
    'file',
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']),
    'logo.svg',
  );
  const reply = await call('PUT', `orgs/${wg}/logo`, token, form);
  expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
});

test.each([
  ['PUT', 'orgs/:wg/logo', 'multipart/form-data'],
  ['PUT', 'orgs/:wg/logo', 'multipart/form-data; boundary='],
  ['PUT', 'orgs/:wg/favicon', 'multipart/form-data'],
  ['POST', 'support', 'multipart/form-data'],
  ['PUT', 'orgs/:wg/settings/defaultPage', 'multipart/form-data'],
  ['PUT', 'orgs/:wg/logo', `multipart/form-data; boundary=${'a'.repeat(300)}`],
  ['POST', 'support', `multipart/form-data; boundary=${'a'.repeat(300)}`],
])(
  '%s %s with a form that has no boundary, or one that is too long (%s) is refused',
  async (method, path, type) => {
    const cookie = (await call('GET', 'version')).headers.get('set-cookie') ?? '';
    const xsrf = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] as string;
    const reply = await fetch(`${cloud.cloud.url}${API_PREFIX}/${path.replace(':wg', wg)}`, {
      method,
      headers: {
        authorization: `bearer ${await member('owner')}`,
        cookie: `XSRF-TOKEN=${xsrf}`,
        'x-xsrf-token': xsrf,
        'content-type': type,
      },
      body: 'no form',
    });
    expect([path, reply.status]).toEqual([path, 400]);
  },
);

/** A form as a browser sends it, of the given parts: `name="x"` and so on, with what is in it. */
const formOf = (parts: Record<string, string>) =>
  `${Object.entries(parts)
    .map(([head, content]) => `--part\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`)
    .join('')}--part--\r\n`;
const FORM = 'multipart/form-data; boundary=part';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>';

test.each([
  ['a text', 'PUT', 'settings/defaultPage', 'application/json', JSON.stringify({ value: '/search' })],
  ['an image', 'PUT', 'logo', FORM, formOf({ 'name="file"; filename="a.svg"': LOGO })],
  [
    'a form with a file',
    'POST',
    '/support',
    FORM,
    formOf({
      'name="name"': 'Ann',
      'name="email"': 'ann@example.org',
      'name="subject"': 'Late',
      'name="body"': 'Late',
      'name="files"; filename="a.txt"': 'a',
    }),
  ],
])('%s that comes after its session ended changes nothing', async (_what, method, path, type, text) => {
  const { sessions, postgres } = cloud.cloud.features;
  const token = await member('owner');
  const kept = () =>
    postgres.query(`select (select json_agg(w) from workgroups w where name = '${wg}') as workgroup,
      (select count(*)::int from workgroup_images where workgroup = '${wg}') as images,
      (select count(*)::int from support_tickets) as tickets`);
  const before = await kept();
  const xsrf = /XSRF-TOKEN=([^;]+)/.exec(
    (await call('GET', 'version')).headers.get('set-cookie') ?? '',
  )?.[1] as string;
  const checked = vi.spyOn(sessions, 'verify');
  const url = path.startsWith('/') ? path : `/orgs/${wg}/${path}`;
  const request = httpRequest(`${cloud.cloud.url}${API_PREFIX}${url}`, {
    method,
    headers: {
      authorization: `bearer ${token}`,
      cookie: `XSRF-TOKEN=${xsrf}`,
      'x-xsrf-token': xsrf,
      'content-type': type,
      'content-length': text.length,
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
  request.write(text.slice(0, 3));
  // A form is read by its handler, behind the two checks of every other request.
  const checks = type === FORM ? 2 : 1;
  await expect.poll(() => checked.mock.calls.filter(([given]) => given === token).length).toBe(checks);
  await checked.mock.results.at(-1)?.value;
  await sessions.revokeUser((await userOf(token)).id);
  request.end(text.slice(3));
  expect(await answered).toBe(401);
  checked.mockRestore();
  expect(await kept()).toEqual(before);
});

describe('a sign-in that is under way', () => {
  const startedBy = (user: User) =>
    cloud.cloud.features.sessions.login(user.email, USER_PASSWORD, headers['x-forwarded-for'] ?? '');

  test('with the old password ends with it', async () => {
    const { sessions } = cloud.cloud.features;
    const user = await userOf(await member('power'));
    const late = startedBy(user);
    await sessions.revokeUser(user.id);
    await expect(sessions.verify(await late)).rejects.toMatchObject({ error: 'request.unauthorized' });
    expect((await sessions.verify(await startedBy(user)))._id).toBe(user.id);
  });

  test('and waits for a second factor ends with the password too', async () => {
    const { sessions } = cloud.cloud.features;
    const user = await userOf(await member('power'));
    await cloud.cloud.features.postgres.query('update users set mfa_required = true where id = $1', [
      user.id,
    ]);
    const late = startedBy(user);
    await sessions.revokeUser(user.id);
    await expect(sessions.verifyEnrolling(await late)).rejects.toMatchObject({
      error: 'request.unauthorized',
    });
  });
});
