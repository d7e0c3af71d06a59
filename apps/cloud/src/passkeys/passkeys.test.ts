import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { pendingClaims } from '@albedo/contract/sessions/sessions.schema';
import { decodeJwt } from 'jose';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator, type Wrong } from '../testing/authenticator.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { relyingPartyOf } from './relying-party.ts';

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
const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, path, { body, token, headers });
const query = (text: string) => cloud.cloud.features.postgres.query(text);

async function someone(workgroup = 'main') {
  const token = await cloud.newUser({ [workgroup]: { role: 'power' } });
  const { _id, email } = await cloud.cloud.features.sessions.verify(token);
  return { token, id: _id, email };
}
async function signIn(email: string): Promise<string> {
  const body = { email, password: USER_PASSWORD };
  return (await cloud.call('POST', 'auth/local', { body, headers })).body.token;
}
const newKey = () => new Authenticator(new URL(cloud.cloud.publicUrl).origin);
async function ask(token: string) {
  return (await call('POST', 'me/passkeys/begin', token, { password: USER_PASSWORD })).body;
}
/** A user with a passkey and a recovery code. */
async function withPasskey(workgroup = 'main') {
  const user = await someone(workgroup);
  const key = newKey();
  const response = key.create(await ask(user.token));
  const added = await call('POST', 'me/passkeys', user.token, { name: 'Blue key', response });
  expect(added.status).toBe(200);
  return {
    ...user,
    key,
    passkey: added.body.passkey._id as string,
    recoveryCode: added.body.recoveryCode as string,
  };
}
const begin = (login: string) => call('POST', 'auth/local/passkey/begin', login).then(({ body }) => body);
const answer = (login: string, response: unknown) => call('POST', 'auth/local/passkey', login, { response });

describe('adding a passkey', () => {
  test('needs the password, is listed, mailed and comes with a recovery code the first time', async () => {
    const { token, email } = await someone();
    const wrong = await call('POST', 'me/passkeys/begin', token, { password: 'guess' });
    expect(wrong.body.error).toBe('account.password_wrong');
    const options = await ask(token);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Albedo' },
      user: { name: email },
      authenticatorSelection: { userVerification: 'preferred' },
      excludeCredentials: [],
    });
    const first = newKey();
    const added = await call('POST', 'me/passkeys', token, {
      name: ' Blue key ',
      response: first.create(options),
    });
    expect(added.body).toMatchObject({ passkey: { name: 'Blue key', lastUsedAt: null, isSynced: false } });
    expect(added.body.recoveryCode).toHaveLength(32);

    const next = await ask(token);
    expect(next.excludeCredentials).toMatchObject([{ id: first.id.toString('base64url') }]);
    const second = await call('POST', 'me/passkeys', token, {
      name: 'Phone',
      response: newKey().create(next),
    });
    expect(second.body.recoveryCode).toBeNull();
    const { body } = await call('GET', 'me/passkeys', token);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Blue key', 'Phone']);
    expect((await mailsTo(cloud, email)).map(({ subject }) => subject)).toEqual(
      Array(2).fill('A passkey was added to your account'),
    );
  });

  test.each<[string, Wrong]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a question that nobody asked', { challenge: randomBytes(32).toString('base64url') }],
  ])('for %s is refused', async (_name, wrong) => {
    const { token } = await someone();
    const response = newKey().create(await ask(token), wrong);
    const reply = await call('POST', 'me/passkeys', token, { name: 'Key', response });
    expect(reply).toMatchObject({ status: 400, body: { error: 'passkey.refused' } });
    expect((await call('GET', 'me/passkeys', token)).body).toEqual([]);
  });

  test('with an old question, or a second time with the same, is refused', async () => {
    const { token, id } = await someone();
    const options = await ask(token);
    await query(`update passkey_challenges set expires_at = now() where user_id = '${id}'`);
    const late = await call('POST', 'me/passkeys', token, {
      name: 'Key',
      response: newKey().create(options),
    });
    expect(late.body.error).toBe('passkey.refused');
    const fresh = await ask(token);
    const replies = await Promise.all(
      [newKey(), newKey()].map((key) =>
        call('POST', 'me/passkeys', token, { name: 'Key', response: key.create(fresh) }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('that somebody else has is refused', async () => {
    const ann = await withPasskey();
    const bob = await someone();
    const response = ann.key.create(await ask(bob.token));
    const reply = await call('POST', 'me/passkeys', bob.token, { name: 'Mine', response });
    expect(reply).toMatchObject({ status: 409, body: { error: 'passkey.known' } });
  });
});

describe('signing in with a passkey', () => {
  test('completes the sign-in once, and the login token says that there is one', async () => {
    const user = await withPasskey();
    const login = await signIn(user.email);
    expect(pendingClaims.parse(decodeJwt(login))).toMatchObject({ mfa: 'code', factors: ['passkey'] });
    const options = await begin(login);
    expect(options.allowCredentials).toMatchObject([{ id: user.key.id.toString('base64url') }]);
    const response = user.key.get(options);
    const reply = await answer(login, response);
    expect((await call('GET', 'me', reply.body.token)).body.email).toBe(user.email);
    expect((await call('GET', 'me/passkeys', user.token)).body[0].lastUsedAt).toBeGreaterThan(0);
    // Neither the login token nor the answer is good again.
    expect((await answer(login, response)).status).toBe(401);
    const again = await signIn(user.email);
    await begin(again);
    expect((await answer(again, response)).body.error).toBe('passkey.refused');
  });

  test.each<[string, () => Wrong]>([
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['another relying party', () => ({ rpId: 'evil.example' })],
    ['a question that nobody asked', () => ({ challenge: randomBytes(32).toString('base64url') })],
    [
      'the signature of another key',
      () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
    ],
  ])('with %s is refused', async (_name, wrong) => {
    const user = await withPasskey();
    const login = await signIn(user.email);
    const reply = await answer(login, user.key.get(await begin(login), wrong()));
    expect(reply).toMatchObject({ status: 400, body: { error: 'passkey.refused' } });
  });

  test('with the passkey of another user, or the question of another sign-in, is refused', async () => {
    const [ann, eve] = [await withPasskey(), await withPasskey()];
    const login = await signIn(ann.email);
    const theirs = eve.key.get(await begin(login));
    expect((await answer(login, theirs)).body.error).toBe('passkey.refused');
    const other = await signIn(ann.email);
    const options = await begin(login);
    await begin(other);
    expect((await answer(other, ann.key.get(options))).body.error).toBe('passkey.refused');
    const hers = await begin(login);
    expect((await answer(login, { ...ann.key.get(hers), id: eve.key.id.toString('base64url') })).status).toBe(
      400,
    );
  });

  test('a wrong answer uses the question up', async () => {
    const user = await withPasskey();
    const login = await signIn(user.email);
    const options = await begin(login);
    await answer(login, user.key.get(options, { origin: 'https://evil.example' }));
    expect((await answer(login, user.key.get(options))).body.error).toBe('passkey.refused');
  });

  test('a counter that does not grow is refused, and the audit log says that there may be a copy', async () => {
    const user = await withPasskey('copied');
    user.key.counter = 10;
    const first = await signIn(user.email);
    expect((await answer(first, user.key.get(await begin(first)))).status).toBe(200);
    for (const counter of [11, 5, 0]) {
      const login = await signIn(user.email);
      const reply = await answer(login, user.key.get(await begin(login), { counter }));
      expect(reply.body.error).toBe('passkey.refused');
    }
    const rows = (await auditOf(cloud, 'copied')).filter((row) => row.action === 'Passkey copied');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ user_id: user.email, status: 'failed', new_value: 'Blue key' });
  });
});

describe('the way out', () => {
  test('the recovery code forgets every passkey and leads to a new set-up', async () => {
    const user = await withPasskey();
    const login = await signIn(user.email);
    const reply = await call('POST', 'auth/local/totp-recover', login, { key: user.recoveryCode });
    expect(decodeJwt(reply.body.token)).toMatchObject({ mfa: 'setup', isRecovering: true });
    expect(await query(`select * from passkeys where user_id = '${user.id}'`)).toEqual([]);
    expect(decodeJwt(await signIn(user.email))).toMatchObject({ mfa: 'setup' });
  });

  test('a passkey makes a new recovery code, and the old one ends', async () => {
    const user = await withPasskey();
    const options = (await call('POST', 'me/passkeys/recovery-code', user.token)).body;
    const login = await signIn(user.email);
    // The answer to one question is none to another.
    expect((await answer(login, user.key.get(options))).body.error).toBe('passkey.refused');
    const made = await call('PUT', 'me/passkeys/recovery-code', user.token, {
      response: user.key.get(options),
    });
    expect(made.body.recoveryCode).toHaveLength(32);
    const old = await call('POST', 'auth/local/totp-recover', login, { key: user.recoveryCode });
    expect(old.body.error).toBe('mfa.recovery_failed');
    const fresh = await call('POST', 'auth/local/totp-recover', login, { key: made.body.recoveryCode });
    expect(fresh.status).toBe(200);
  });
});

describe('a workgroup that demands two-factor authentication', () => {
  test('is content with a passkey, and keeps the last second factor', async () => {
    const owner = await cloud.newUser({ strict: { role: 'owner' } });
    const user = await withPasskey('strict');
    await call('PUT', 'orgs/strict/mfa', owner, { required: true });
    expect((await call('GET', 'me', user.token)).status).toBe(200);
    const listed = (await call('GET', 'orgs/strict/members', user.token)).body;
    if (Array.isArray(listed))
      expect(listed.find(({ email }: { email: string }) => email === user.email).hasMfa).toBe(true);
    const last = await call('DELETE', `me/passkeys/${user.passkey}`, user.token);
    expect(last).toMatchObject({ status: 409, body: { error: 'passkey.last_factor' } });
    expect(last.body.message).toContain('this is your last second factor');

    const { body } = await call('POST', 'me/totp-setup', user.token);
    const secret = new URL(body.uri).searchParams.get('secret') ?? '';
    await call('PUT', 'me/totp-setup', user.token, { key: await generate({ secret }) });
    expect(pendingClaims.parse(decodeJwt(await signIn(user.email))).factors).toEqual(['totp', 'passkey']);
    expect((await call('DELETE', `me/passkeys/${user.passkey}`, user.token)).status).toBe(200);
    expect(pendingClaims.parse(decodeJwt(await signIn(user.email))).factors).toEqual(['totp']);
  });
});

test('a passkey is renamed and removed by its user alone, and the audit log says so', async () => {
  const [ann, eve] = [await withPasskey('named'), await someone('named')];
  const path = `me/passkeys/${ann.passkey}`;
  expect((await call('PUT', path, eve.token, { name: 'Mine' })).body.error).toBe('passkey.not_found');
  expect((await call('DELETE', path, eve.token)).body.error).toBe('passkey.not_found');
  expect((await call('PUT', path, ann.token, { name: 'Red key' })).body.name).toBe('Red key');
  expect((await call('DELETE', path, ann.token)).status).toBe(200);
  // Without a second factor the recovery code ends too.
  expect('mfa' in decodeJwt(await signIn(ann.email))).toBe(false);
  const rows = (await auditOf(cloud, 'named')).filter((row) => row.attribute === 'passkey');
  expect(rows.map(({ action, old_value, new_value }) => [action, old_value, new_value])).toMatchObject([
    ['Add passkey', null, 'Blue key'],
    ['Rename passkey', 'Blue key', 'Red key'],
    ['Remove passkey', 'Red key', null],
  ]);
  expect(JSON.stringify(rows)).not.toContain(ann.key.id.toString('base64url'));
  const response = newKey().create(await ask(ann.token));
  const added = await call('POST', 'me/passkeys', ann.token, { name: 'Green key', response });
  expect(added.body.recoveryCode).toHaveLength(32);
  expect(added.body.recoveryCode).not.toBe(ann.recoveryCode);
});

test('passkeys belong to the host of the public address, and to localhost on a machine of one\u2019s own', () => {
  expect(relyingPartyOf('https://albedo.example.org')).toEqual({
    id: 'albedo.example.org',
    origins: ['https://albedo.example.org'],
  });
  expect(relyingPartyOf('http://127.0.0.1:8080')).toEqual({
    id: 'localhost',
    origins: ['http://localhost:8080', 'http://localhost:5173'],
  });
});
