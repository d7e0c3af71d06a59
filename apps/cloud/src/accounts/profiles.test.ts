import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { EMAIL_ATTEMPTS, EMAIL_CODES_A_DAY } from './profiles.service.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
});
afterAll(() => cloud.stop());

const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, path, { token, body });
async function someone() {
  const token = await cloud.newUser({ main: { role: 'power' } });
  return { token, ...(await cloud.cloud.features.sessions.verify(token)) };
}
const newAddress = () => `${crypto.randomUUID()}@example.org`;
const codeFor = async (email: string) =>
  /Your code is (\d{6})/.exec((await mailsTo(cloud, email)).at(-1)?.text ?? '')?.[1] ?? '';
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const signIn = (email: string) =>
  cloud.call('POST', 'auth/local', {
    body: { email, password: USER_PASSWORD },
    headers: { 'x-forwarded-for': '198.51.100.1' },
  });

test('a profile is changed by its user, and the audit log has what was before', async () => {
  const user = await someone();
  const change = { name: ' Ann ', company: 'Sons', defaultWorkgroup: 'main' };
  const { body } = await call('PUT', 'me/profile', user.token, change);
  expect(body).toMatchObject({ name: 'Ann', company: 'Sons', phone: '', defaultWorkgroup: 'main' });
  const { token, ...profile } = body;
  expect((await call('GET', 'me/profile', user.token)).body).toEqual(profile);
  expect(decodeJwt(token)).toMatchObject({ name: 'Ann', exp: user.exp, jti: user.jti });
  expect((await call('GET', 'me', token)).body.name).toBe('Ann');
  const nameless = await call('PUT', 'me/profile', user.token, { name: ' ' });
  expect(nameless.body.message).toContain('Name is required');
  const foreign = await call('PUT', 'me/profile', user.token, { defaultWorkgroup: 'others' });
  expect(foreign.status).toBe(403);
  const row = (await auditOf(cloud, 'main')).find((one) => one.user_id === user.email);
  expect(row).toMatchObject({ controller: 'me', action: 'update', attribute: 'record' });
  expect(row?.old_value).toContain('"name":"Somebody"');
  expect(row?.new_value).toContain('"name":"Ann"');
});

test('a new address counts with its code, ends other sessions, and the old address is notified', async () => {
  const user = await someone();
  const { sessions, users } = cloud.cloud.features;
  const row = await users.user(user._id);
  if (!row) throw new Error('the user is gone');
  const other = await sessions.issue(row);
  const email = newAddress();
  expect((await call('POST', 'me/email', user.token, { email })).body).toEqual({});
  const code = await codeFor(email);
  const wrong = await call('PUT', 'me/email', user.token, { code: otherThan(code) });
  expect(wrong).toMatchObject({ status: 400, body: { error: 'account.email_code_invalid' } });
  expect((await signIn(email)).status).toBe(401);

  const { body } = await call('PUT', 'me/email', user.token, { code });
  expect(decodeJwt(body.token)).toMatchObject({ email });
  expect((await call('GET', 'me', body.token)).body.email).toBe(email);
  expect((await call('GET', 'me', other)).status).toBe(401);
  expect((await signIn(email)).status).toBe(200);
  expect((await signIn(user.email)).status).toBe(401);
  expect((await mailsTo(cloud, user.email)).at(-1)?.text).toContain(email);
  expect((await call('PUT', 'me/email', body.token, { code })).status).toBe(400);
});

test('the code of one user is none of another, expires, and is soon not guessed any more', async () => {
  const [one, two] = [await someone(), await someone()];
  const email = newAddress();
  await call('POST', 'me/email', one.token, { email });
  const code = await codeFor(email);
  expect((await call('PUT', 'me/email', two.token, { code })).status).toBe(400);
  const { postgres } = cloud.cloud.features;
  await postgres.query(
    `update email_changes set expires_at = now() - interval '1 s' where user_id = '${one._id}'`,
  );
  const statuses: number[] = [];
  for (let i = 0; i <= EMAIL_ATTEMPTS; i++)
    statuses.push((await call('PUT', 'me/email', one.token, { code })).status);
  expect(statuses).toEqual([...Array(EMAIL_ATTEMPTS).fill(400), 429]);
});

test('an address of somebody else is answered alike, and nothing changes', async () => {
  const user = await someone();
  expect((await call('POST', 'me/email', user.token, { email: OWNER.email })).body).toEqual({});
  expect((await mailsTo(cloud, OWNER.email)).at(-1)?.subject).toBe('This address already has an account');
  expect(await codeFor(OWNER.email)).toBe('');
});

test('of two who have a code for one address, the second learns that it is taken', async () => {
  const [one, two] = [await someone(), await someone()];
  const email = newAddress();
  const codes: string[] = [];
  for (const { token } of [one, two]) {
    await call('POST', 'me/email', token, { email });
    codes.push(await codeFor(email));
  }
  expect((await call('PUT', 'me/email', one.token, { code: codes[0] })).status).toBe(200);
  const late = await call('PUT', 'me/email', two.token, { code: codes[1] });
  expect(late).toMatchObject({ status: 409, body: { error: 'account.email_taken' } });
  expect((await call('GET', 'me', two.token)).body.email).toBe(two.email);
});

test('nobody becomes staff by a new address', async () => {
  const user = await someone();
  const reply = await call('POST', 'me/email', user.token, { email: 'boss@provider.example' });
  expect(reply).toMatchObject({ status: 403, body: { error: 'account.email_reserved' } });
});

test('the token of a changed profile belongs to its session and ends with it', async () => {
  const user = await someone();
  const { sessions } = cloud.cloud.features;
  const { token } = (await call('PUT', 'me/profile', user.token, { phone: '1' })).body;
  expect((await call('POST', 'auth/logout', user.token)).status).toBe(200);
  expect((await call('GET', 'me', token)).status).toBe(401);

  const other = await someone();
  const claims = await sessions.verify(other.token);
  await sessions.revokeUser(other._id);
  const late = await sessions.renew(claims);
  expect((await call('GET', 'me', late)).status).toBe(401);
});

test('codes for a new address are few in a day, however patient somebody is', async () => {
  const user = await someone();
  const { profiles } = cloud.cloud.features;
  const ask = () => profiles.changeEmail(user, newAddress(), '198.51.100.1');
  for (let i = 0; i < EMAIL_CODES_A_DAY; i++) {
    await ask();
    // As if a quarter of an hour had passed.
    await cloud.cloud.features.postgres.query(`delete from attempts where key like 'e-mail asked %'`);
  }
  await expect(ask()).rejects.toMatchObject({ error: 'request.too_many' });
});

test('codes for a new address are few in a quarter of an hour', async () => {
  const user = await someone();
  const ask = () => cloud.cloud.features.profiles.changeEmail(user, newAddress(), '198.51.100.1');
  for (let i = 0; i < EMAIL_ATTEMPTS; i++) await ask();
  await expect(ask()).rejects.toMatchObject({ error: 'request.too_many' });
});

test('five wrong codes end the right one, also after a pause', async () => {
  const user = await someone();
  const email = newAddress();
  await call('POST', 'me/email', user.token, { email });
  const code = await codeFor(email);
  expect(code).toMatch(/^\d{6}$/);
  for (let i = 0; i < EMAIL_ATTEMPTS; i++)
    await call('PUT', 'me/email', user.token, { code: otherThan(code) });
  await cloud.cloud.features.postgres.query(`delete from attempts where key like 'e-mail code %'`);
  const late = await call('PUT', 'me/email', user.token, { code });
  expect(late).toMatchObject({ status: 400, body: { error: 'account.email_code_invalid' } });
});

test('the old address can undo a change, which ends what a thief has of the account', async () => {
  const user = await someone();
  const email = newAddress();
  await call('POST', 'me/email', user.token, { email });
  const { body } = await call('PUT', 'me/email', user.token, { code: await codeFor(email) });
  const told = (await mailsTo(cloud, user.email)).at(-1)?.text ?? '';
  const link = /revert-email\/([\w-]+)/.exec(told)?.[1] ?? '';
  expect(link.length).toBeGreaterThan(20);
  const undone = await cloud.call('PUT', `email-revert/${link}`);
  expect(undone).toMatchObject({ status: 200, body: { email: user.email } });
  expect((await call('GET', 'me', body.token)).status).toBe(401);
  expect((await signIn(user.email)).status).toBe(401);
  expect((await signIn(email)).status).toBe(401);
  await expect
    .poll(async () => (await mailsTo(cloud, user.email)).at(-1)?.text ?? '')
    .toMatch(/\/reset\/[\w-]+/);
  expect((await cloud.call('PUT', `email-revert/${link}`)).status).toBe(404);
});
