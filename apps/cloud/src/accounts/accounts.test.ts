import { sessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FAILED_SIGN_INS } from '../sessions/sessions.service.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { RESETS_AN_ADDRESS } from './accounts.service.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Requests are limited by address; each test comes from another one, told by a proxy on this machine. */
let headers: Record<string, string> = {};
let tests = 0;
beforeEach(() => {
  headers = { 'x-forwarded-for': `198.51.100.${++tests}` };
});
const call = (method: string, path: string, body?: unknown, token?: string) =>
  cloud.call(method, path, { body, token, headers });
const signIn = (email: string, password: string) => call('POST', 'auth/local', { email, password });

async function someone() {
  const token = await cloud.newUser({ main: { role: 'power' } });
  const { _id, email } = await cloud.cloud.features.sessions.verify(token);
  return { token, id: _id, email };
}
async function askReset(email: string): Promise<string> {
  const before = (await mailsTo(cloud, email)).length;
  expect((await call('POST', 'forgot', { email })).body).toEqual({});
  return linkIn((await mailsTo(cloud, email))[before], 'reset');
}

describe('a forgotten password', () => {
  test('is replaced with the link in the mail, which ends every session and works once', async () => {
    const { token, email } = await someone();
    const link = await askReset(email);
    const [mail] = await mailsTo(cloud, email);
    expect(mail?.subject).toBe('Reset your password');
    expect(mail?.html).toContain(`/reset/${link}"`);
    expect(mail?.text).toContain('valid for one hour');

    expect((await call('PUT', `forgot/${link}`, { password: 'a brand new one' })).status).toBe(200);
    expect((await call('GET', 'me', undefined, token)).status).toBe(401);
    expect((await signIn(email, USER_PASSWORD)).status).toBe(401);
    expect((await signIn(email, 'a brand new one')).status).toBe(200);
    const again = await call('PUT', `forgot/${link}`, { password: 'yet another one' });
    expect(again).toMatchObject({ status: 404, body: { error: 'account.reset_invalid' } });
    expect((await mailsTo(cloud, email)).at(-1)?.subject).toBe('Your password was changed');
  });

  test('lets its holder in at once, also after too many wrong passwords at a browser that knows the account', async () => {
    const { email } = await someone();
    const version = await cloud.call('GET', 'version');
    const xsrf = /XSRF-TOKEN=([^;]+)/.exec(version.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const first = await signIn(email, USER_PASSWORD);
    const known = /albedo-known=[^;]+/.exec(first.headers.get('set-cookie') ?? '')?.[0];
    const guess = async (cookie: string, password = 'guess') => {
      // Known browsers are counted wherever they are, others by their address.
      const address = cookie.includes('albedo-known') ? `203.0.113.${++guesses}` : '203.0.113.250';
      const from = { 'x-forwarded-for': address, cookie, 'x-xsrf-token': xsrf };
      return (await cloud.call('POST', 'auth/local', { body: { email, password }, headers: from })).status;
    };
    const [stranger, own] = [`XSRF-TOKEN=${xsrf}`, `${known}; XSRF-TOKEN=${xsrf}`];
    let guesses = 0;
    for (let i = 0; i < FAILED_SIGN_INS.account; i++)
      expect([await guess(stranger), await guess(own)]).toEqual([401, 401]);
    expect([await guess(stranger), await guess(own)]).toEqual([429, 429]);

    const link = await askReset(email);
    const body = { password: 'a brand new one' };
    const at = { ...headers, cookie: own, 'x-xsrf-token': xsrf };
    expect((await cloud.call('PUT', `forgot/${link}`, { body, headers: at })).status).toBe(200);
    expect(await guess(own, body.password)).toBe(200);
  });

  test('answers the same for an address that nobody has, and mails nothing', async () => {
    const { email } = await someone();
    const [known, unknown] = [
      await call('POST', 'forgot', { email }),
      await call('POST', 'forgot', { email: 'stranger@example.org' }),
    ];
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: known.status,
      body: known.body,
    });
    expect(await mailsTo(cloud, 'stranger@example.org')).toEqual([]);
  });

  test('is answered before the account is looked for', async () => {
    const { users } = cloud.cloud.features;
    const { userByEmail } = users;
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    users.userByEmail = async () => {
      await isAnswered;
      return undefined;
    };
    expect((await call('POST', 'forgot', { email: 'anyone@example.org' })).status).toBe(200);
    answered();
    users.userByEmail = userByEmail;
  });

  test('is set with the latest mail only, within an hour, and with a good password only', async () => {
    const { email, id } = await someone();
    const [first, second] = [await askReset(email), await askReset(email)];
    expect((await call('PUT', `forgot/${first}`, { password: 'long enough' })).status).toBe(404);
    const short = await call('PUT', `forgot/${second}`, { password: 'short' });
    expect(short.body.message).toContain('Password must contain at least 8 characters');
    const { postgres } = cloud.cloud.features;
    const kept = await postgres.query('select * from password_resets');
    expect(JSON.stringify(kept)).not.toContain(second);
    const late = `select * from password_resets where expires_at > now() + interval '1 hour'`;
    expect(await postgres.query(late)).toEqual([]);
    await postgres.query(
      `update password_resets set expires_at = now() - interval '1 s' where user_id = '${id}'`,
    );
    expect((await call('PUT', `forgot/${second}`, { password: 'long enough' })).status).toBe(404);
  });

  test('is mailed three times in a quarter of an hour at most, no matter who asks', async () => {
    const { email } = await someone();
    for (let i = 0; i <= RESETS_AN_ADDRESS; i++)
      expect((await call('POST', 'forgot', { email })).status).toBe(200);
    expect(await mailsTo(cloud, email)).toHaveLength(RESETS_AN_ADDRESS);
  });

  test('of an account that never had one and has no identity provider is made by the same link', async () => {
    const email = 'never-had-one@example.org';
    const { users } = cloud.cloud.features;
    await users.addUser({ email, name: 'S', passwordHash: null, defaultWorkgroup: null });
    const link = await askReset(email);
    expect((await call('PUT', `forgot/${link}`, { password: 'the very first one' })).status).toBe(200);
    expect((await signIn(email, 'the very first one')).status).toBe(200);
  });
});

describe('changing the password', () => {
  test('ends all other sessions and their sockets at once, and keeps this one', async () => {
    const { token, id, email } = await someone();
    const { sessions, users } = cloud.cloud.features;
    const user = await users.user(id);
    if (!user) throw new Error('the user is gone');
    const other = await sessions.issue(user);
    const kept = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
    const lost = await new BrowserSocket(cloud, { token: other, orgName: 'main' }).connected();
    const ended = new Promise((resolve) => lost.socket.once('disconnect', resolve));

    const change = { oldPassword: USER_PASSWORD, newPassword: 'a different one' };
    expect((await call('PUT', 'me/password', change, token)).status).toBe(200);
    expect(await ended).toBe('io server disconnect');
    expect(kept.socket.connected).toBe(true);
    expect((await call('GET', 'me', undefined, other)).status).toBe(401);
    expect((await call('GET', 'me', undefined, token)).status).toBe(200);
    expect((await signIn(email, 'a different one')).status).toBe(200);
    kept.close();
    lost.close();
  });

  test('needs the old password, and says so without ending the session', async () => {
    const { token, email } = await someone();
    const reply = await call(
      'PUT',
      'me/password',
      { oldPassword: 'guess', newPassword: 'long enough' },
      token,
    );
    expect(reply).toMatchObject({ status: 400, body: { message: 'The current password is incorrect.' } });
    expect((await signIn(email, USER_PASSWORD)).status).toBe(200);
    const empty = await call('PUT', 'me/password', { oldPassword: USER_PASSWORD, newPassword: '' }, token);
    expect(empty.body.message).toContain('Password is required');
  });

  test('ends the link that lies in the mailbox', async () => {
    const { token, email } = await someone();
    const link = await askReset(email);
    const change = { oldPassword: USER_PASSWORD, newPassword: 'a different one' };
    expect((await call('PUT', 'me/password', change, token)).status).toBe(200);
    const reply = await call('PUT', `forgot/${link}`, { password: 'taken over now' });
    expect(reply.body.error).toBe('account.reset_invalid');
    expect((await signIn(email, 'taken over now')).status).toBe(401);
  });

  test('guesses of the old one end after a while', async () => {
    const { token } = await someone();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const change = { oldPassword: 'guess', newPassword: 'long enough' };
      statuses.push((await call('PUT', 'me/password', change, token)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });

  test('stands in the audit log without a password', async () => {
    const { token, email } = await someone();
    await call('PUT', 'me/password', { oldPassword: 'guess 8472', newPassword: 'long enough 8472' }, token);
    await call('PUT', 'me/password', { oldPassword: USER_PASSWORD, newPassword: 'long enough 8472' }, token);
    const rows = (await auditOf(cloud, 'main')).filter((row) => row.user_id === email);
    expect(rows).toMatchObject([
      { controller: 'me', action: 'Change password', status: 'failed', address: headers['x-forwarded-for'] },
      { controller: 'me', action: 'Change password', status: 'success' },
    ]);
    expect(JSON.stringify(rows)).not.toContain('8472');
    const link = await askReset(email);
    await call('PUT', `forgot/${link}`, { password: 'yet another 8472' });
    const log = (await auditOf(cloud, 'main')).filter((row) => row.user_id === email).slice(2);
    expect(log.map(({ action }) => action)).toEqual(['Request password reset', 'Reset password']);
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`8472|${link}`));
  });
});

test('whether an address is free can be asked, a few times a minute', async () => {
  const { email } = await someone();
  const free = await call('GET', 'isavailable?email=free@example.org');
  expect(free.status).toBe(200);
  const taken = await call('GET', `isavailable?email=${email.toUpperCase()}`);
  expect(taken).toMatchObject({
    status: 409,
    body: { message: 'Email address already in use. Try resetting your password.' },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++)
    statuses.push((await call('GET', `isavailable?email=${i}@example.org`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test('signing out everywhere ends every session of the user', async () => {
  const { token, id } = await someone();
  const { sessions, users } = cloud.cloud.features;
  const user = await users.user(id);
  if (!user) throw new Error('the user is gone');
  const other = await sessions.issue(user);
  expect((await call('POST', 'auth/logout-everywhere', undefined, other)).status).toBe(200);
  for (const one of [token, other]) expect((await call('GET', 'me', undefined, one)).status).toBe(401);
});

test('the profile says how the user signs in', async () => {
  const { token, email } = await someone();
  expect((await call('GET', 'me/profile', undefined, token)).body).toMatchObject({
    email,
    hasPassword: true,
    totp: { isConfirmed: false },
    mfaRequired: false,
    addonManager: false,
  });
  expect(sessionClaims.parse((await call('GET', 'me', undefined, token)).body).email).toBe(email);
});
