import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { decodeJwt } from 'jose';
import { generate } from 'otplib';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../secrets/passwords.ts';
import { FAILED_SIGN_INS } from '../sessions/sessions.service.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** A server as the world reaches it, behind a proxy on this machine and one on another. */
const STAFF = 'provider.example';
let cloud: TestCloud;
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) });
  const env = {
    ALBEDO_PUBLIC_URL: 'https://albedo.example.org',
    ALBEDO_STAFF_DOMAINS: STAFF,
    ALBEDO_TRUSTED_PROXIES: '10.0.0.0/8',
  };
  cloud = await startTestCloud(env, { log });
});
afterAll(() => cloud.stop());

const password = 'a good long password';
async function account(email: string): Promise<string> {
  const { users } = cloud.cloud.features;
  const passwordHash = await hashPassword(password);
  await users.addUser({ email, name: 'Ann', passwordHash, defaultWorkgroup: null });
  return email;
}
const signIn = async (email: string, from: string, given = password) =>
  cloud.call('POST', 'auth/local', {
    body: { email, password: given },
    headers: { 'x-forwarded-for': from },
  });

test('the staff sign in to nothing but the set-up of a second factor before they have one', async () => {
  const email = await account(`ann@${STAFF}`);
  const { token: enrolling } = (await signIn(email, '198.51.100.1')).body;
  expect(decodeJwt(enrolling)).toMatchObject({ mfa: 'setup' });
  expect((await cloud.call('GET', 'opsteam/requests', { token: enrolling })).status).toBe(401);
  const { uri } = (await cloud.call('POST', 'me/totp-setup', { token: enrolling })).body;
  const key = await generate({ secret: new URL(uri).searchParams.get('secret') ?? '' });
  const { token } = (await cloud.call('PUT', 'me/totp-setup', { token: enrolling, body: { key } })).body;
  expect(decodeJwt(token)).toMatchObject({ staff: true });
  expect((await cloud.call('GET', 'opsteam/requests', { token })).status).toBe(200);
  expect((await cloud.call('GET', 'me/profile', { token })).body).toMatchObject({ mfaRequired: true });
  expect(decodeJwt((await signIn(email, '198.51.100.1')).body.token)).toMatchObject({ mfa: 'code' });
});

test.each([`ann@not-${STAFF}`, `ann@sub.${STAFF}`, `ann@${STAFF}.evil.example`])(
  '%s is nobody of the staff',
  async (email) => {
    const { token } = (await signIn(await account(email), '198.51.100.2')).body;
    expect(decodeJwt(token)).toMatchObject({ email, staff: false });
  },
);

test('answers tell browsers to come by https for a year, to guess no types, and to tell nobody where they were', async () => {
  const { headers } = await fetch(`${cloud.cloud.url}/api/v1/version`);
  expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000; includeSubDomains/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

test('cookies over https are of this very host, scripts read only what is meant for them, and those of plain http are not taken', async () => {
  const from = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
  const version = await fetch(`${cloud.cloud.url}/api/v1/version`, { headers: from });
  const [forgery = ''] = version.headers.getSetCookie();
  expect(forgery).toMatch(/^__Host-XSRF-TOKEN=[^;]+; Path=\/; Secure; SameSite=Strict$/);
  const [cookie = ''] = forgery.split(';');
  const value = cookie.slice(cookie.indexOf('=') + 1);
  const email = await account('cookies@plant.example');
  const signInWith = (sent: string) =>
    fetch(`${cloud.cloud.url}/api/v1/auth/local`, {
      method: 'POST',
      headers: { ...from, cookie: sent, 'x-xsrf-token': value, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
  // As a page of a sibling host could leave it, which got a signed value from us.
  expect((await signInWith(`XSRF-TOKEN=${value}`)).status).toBe(403);
  const signedIn = await signInWith(cookie);
  expect(signedIn.status).toBe(200);
  const kept = signedIn.headers.getSetCookie();
  expect(kept).toEqual([
    expect.stringMatching(/^__Host-albedo-known=[^;]+;.* HttpOnly; Secure; SameSite=Strict$/),
  ]);
  // What scripts must not read is told in the cookie alone.
  const known = kept[0]?.split(';')[0]?.split('=')[1] ?? '?';
  expect(await signedIn.text()).not.toContain(known);
});

test('what is no HTTP gets an answer that is nothing but text', async () => {
  const socket = connect(Number(new URL(cloud.cloud.url).port), '127.0.0.1');
  socket.write('no http\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
  expect(answer).toMatch(/X-Content-Type-Options: nosniff/);
});

test('who is not let in stands in the log, with where from and what for, and without secrets', async () => {
  logged.length = 0;
  const headers = { 'x-forwarded-for': '198.51.100.77' };
  await cloud.call('GET', 'devices/main?q=hidden', { token: 'no.session.token', headers });
  const line = logged.find((one) => one.includes('198.51.100.77')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', url: '/api/v1/devices/main' });
  expect(line).not.toContain('hidden');
  expect(line).not.toContain('no.session.token');
});

test('metrics are for the bearer of the token alone, however near the asker seems', async () => {
  expect((await cloud.call('GET', '/metrics')).status).toBe(401);
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  expect((await cloud.call('GET', '/metrics', { headers })).status).toBe(401);
});

test('a proxy that is named tells the address of its clients, and another one does not', async () => {
  const statusesFrom = async (last: string, name: string) => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await signIn(`${i}@${name}.example`, `192.0.2.${i + 1}, ${last}`, 'guess')).status);
    return statuses;
  };
  expect(await statusesFrom('10.1.2.3', 'named')).toEqual(Array(11).fill(401));
  expect(await statusesFrom('172.16.0.1', 'unnamed')).toEqual([...Array(10).fill(401), 429]);
});

test('many addresses of one IPv6 network have the attempts of one', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await signIn(`${i}@six.example`, `2001:db8:0:1::${i + 1}`, 'guess')).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect((await signIn('11@six.example', '2001:db8:0:2::1', 'guess')).status).toBe(401);

  const { sessions } = cloud.cloud.features;
  const guess = (i: number) =>
    sessions
      .login(`${i}@seven.example`, 'guess', `2001:db8:0:7::${i.toString(16)}`)
      .catch((error) => error.error);
  for (let i = 0; i < FAILED_SIGN_INS.address; i++) expect(await guess(i)).toBe('session.bad_credentials');
  expect(await guess(FAILED_SIGN_INS.address)).toBe('request.too_many');
});

test('a GET that needs a token is not answered to what a browser sends for another site, or into a window', async () => {
  const { token } = (await signIn(await account('fetch@example.org'), '198.51.100.9')).body;
  const statusWith = async (headers: Record<string, string>) =>
    (await cloud.call('GET', 'me', { token, headers })).status;
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' })).toBe(200);
  expect(await statusWith({ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' })).toBe(403);
  expect(await statusWith({ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' })).toBe(403);
  for (const dest of ['document', 'image', 'iframe', 'script'])
    expect(await statusWith({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest })).toBe(403);
});

test('input that the checks refuse stands in the log, with who sent it and without what it was', async () => {
  const { token } = (await signIn(await account('input@example.org'), '198.51.100.10')).body;
  const { status } = await cloud.call('PUT', 'settings/language', {
    token,
    body: { value: 'a-secret\0' },
    headers: { 'x-forwarded-for': '198.51.100.10' },
  });
  expect(status).toBe(400);
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused input');
  expect(lines).toMatchObject([
    { error: 'request.invalid', method: 'PUT', address: '198.51.100.10', url: '/api/v1/settings/language' },
  ]);
  expect(lines[0].userId).toBe(decodeJwt(token)._id);
  expect(JSON.stringify(lines)).not.toContain('a-secret');
});
