import { pendingClaims, type SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { decodeJwt } from 'jose';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Tokens } from '../sessions/tokens.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { WRONG_CODES } from './mfa.service.ts';

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

async function signIn(email: string): Promise<string> {
  const body = { email, password: USER_PASSWORD };
  return (await cloud.call('POST', 'auth/local', { body, headers })).body.token;
}
async function someone(workgroup = 'main'): Promise<SessionClaims & { token: string }> {
  const token = await cloud.newUser({ [workgroup]: { role: 'power' } });
  return { token, ...(await cloud.cloud.features.sessions.verify(token)) };
}
const codeOf = (secret: string) => generate({ secret });
const secretOf = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';
/** A code that is not the right one now. */
const wrongCode = async (secret: string) =>
  String((Number(await codeOf(secret)) + 123_457) % 1_000_000).padStart(6, '0');
/** As if the last code had been entered long ago. */
const forgetStep = (userId: string) =>
  query(`update totp_secrets set last_step = null where user_id = '${userId}'`);

/** A user with an authenticator app. */
async function enrolled(workgroup = 'main') {
  const user = await someone(workgroup);
  const { body } = await call('POST', 'me/totp-setup', user.token);
  const secret = secretOf(body.uri);
  const done = await call('PUT', 'me/totp-setup', user.token, { key: await codeOf(secret) });
  expect(done.status).toBe(200);
  return { ...user, secret, recoveryCode: done.body.recoveryCode as string };
}

test('the holder of the account hears of a second factor that is set up or recovered', async () => {
  const user = await enrolled();
  const subjects = async () => (await mailsTo(cloud, user.email)).map(({ subject }) => subject);
  const setUp = 'An authenticator app was set up for your account';
  expect(await subjects()).toEqual([setUp]);
  const login = await signIn(user.email);
  await call('POST', 'auth/local/totp-recover', login, { key: 'X'.repeat(32) });
  expect(await subjects()).toEqual([setUp]);
  await call('POST', 'auth/local/totp-recover', login, { key: user.recoveryCode });
  expect(await subjects()).toEqual([setUp, 'Your recovery code was used']);
});

describe('setting up an authenticator app', () => {
  test('offers an address for the QR code, and counts once a code of it is confirmed', async () => {
    const user = await someone();
    const { body } = await call('POST', 'me/totp-setup', user.token);
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/Albedo:/);
    expect(decodeURIComponent(body.uri)).toContain(user.email);
    expect('mfa' in decodeJwt(await signIn(user.email))).toBe(false);

    const secret = secretOf(body.uri);
    const wrong = await call('PUT', 'me/totp-setup', user.token, { key: await wrongCode(secret) });
    expect(wrong).toMatchObject({ status: 400, body: { message: 'Invalid authenticator code' } });
    const done = await call('PUT', 'me/totp-setup', user.token, { key: await codeOf(secret) });
    expect(done.body.recoveryCode).toMatch(/^[A-Z2-9]{32}$/);
    expect((await call('GET', 'me', done.body.token)).status).toBe(200);
    expect((await call('GET', 'me/profile', user.token)).body.totp).toEqual({ isConfirmed: true });
    expect(decodeJwt(await signIn(user.email))).toMatchObject({ mfa: 'code' });
  });

  test('ends after 20 minutes', async () => {
    const user = await someone();
    const { body } = await call('POST', 'me/totp-setup', user.token);
    await query(
      `update totp_secrets set pending_at = now() - interval '1201 s' where user_id = '${user._id}'`,
    );
    const key = await codeOf(secretOf(body.uri));
    expect((await call('PUT', 'me/totp-setup', user.token, { key })).body.error).toBe('mfa.setup_expired');
  });

  test('anew needs a code of the one there is', async () => {
    const user = await enrolled();
    await forgetStep(user._id);
    expect((await call('POST', 'me/totp-setup', user.token)).body.error).toBe('mfa.code_invalid');
    const again = await call('POST', 'me/totp-setup', user.token, { key: await codeOf(user.secret) });
    expect(secretOf(again.body.uri)).not.toBe(user.secret);
  });

  test('leaves neither the secret nor the recovery code in the database or the audit log', async () => {
    const user = await enrolled();
    await call('POST', 'me/totp-setup', user.token);
    const rows = JSON.stringify(await query('select * from totp_secrets'));
    const audit = JSON.stringify(await auditOf(cloud, 'main'));
    for (const secret of [user.secret, user.recoveryCode]) {
      expect(rows).not.toContain(secret);
      expect(audit).not.toContain(secret);
    }
    expect(audit).toContain('MFA setup confirmed');
  });
});

describe('signing in with a code', () => {
  test('answers a login token first, and a session for the code', async () => {
    const user = await enrolled();
    await forgetStep(user._id);
    const login = await signIn(user.email);
    const claims = pendingClaims.parse(decodeJwt(login));
    expect(claims).toMatchObject({ mfa: 'code', isRecovering: false });
    expect(claims.exp - claims.iat).toBe(10 * 60);
    const reply = await call('POST', 'auth/local/totp', login, { key: await codeOf(user.secret) });
    expect((await call('GET', 'me', reply.body.token)).body.email).toBe(user.email);
    const again = await call('POST', 'auth/local/totp', login, { key: await codeOf(user.secret) });
    expect(again).toMatchObject({
      status: 401,
      body: { message: 'Session expired.  Please enter your password again.' },
    });
  });

  test('accepts a code once, also when it comes twice at the same time', async () => {
    const user = await enrolled();
    const reused = await call('POST', 'auth/local/totp', await signIn(user.email), {
      key: await codeOf(user.secret),
    });
    expect(reused).toMatchObject({ status: 400, body: { message: 'Invalid authenticator code' } });
    await forgetStep(user._id);
    const logins = [await signIn(user.email), await signIn(user.email)];
    const key = await codeOf(user.secret);
    const replies = await Promise.all(logins.map((login) => call('POST', 'auth/local/totp', login, { key })));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400]);
  });

  test('accepts the code before and the code after, and no older one', async () => {
    const user = await enrolled();
    const at = async (s: number) => {
      await forgetStep(user._id);
      const key = await generate({ secret: user.secret, epoch: Math.floor(Date.now() / 1000) + s });
      const login = await signIn(user.email);
      return (await call('POST', 'auth/local/totp', login, { key })).status;
    };
    expect(await at(-25)).toBe(200);
    expect(await at(-100)).toBe(400);
    expect(await at(120)).toBe(400);
  });

  test('opens nothing when the sessions of the account end meanwhile', async () => {
    const { mfa, sessions } = cloud.cloud.features;
    const user = await enrolled();
    await forgetStep(user._id);
    const late = mfa.enterCode(user, await codeOf(user.secret), '198.51.100.1');
    await sessions.revokeUser(user._id);
    await expect(sessions.verify(await late)).rejects.toMatchObject({ error: 'request.unauthorized' });
  });

  test('refuses everything after too many wrong codes, over all login tokens', async () => {
    const user = await enrolled();
    await forgetStep(user._id);
    const key = await wrongCode(user.secret);
    for (let i = 0; i < WRONG_CODES; i++) {
      const login = i % 5 === 0 ? await signIn(user.email) : await cachedLogin(user.email);
      expect((await call('POST', 'auth/local/totp', login, { key })).status).toBe(400);
    }
    const right = await codeOf(user.secret);
    const login = await signIn(user.email);
    expect((await call('POST', 'auth/local/totp', login, { key: right })).status).toBe(429);
    const { recoveryCode } = user;
    expect((await call('POST', 'auth/local/totp-recover', login, { key: recoveryCode })).status).toBe(429);
    expect((await call('PUT', 'me/totp-setup', user.token, { key: right })).status).toBe(429);
  });

  test('after ten minutes asks for the password again', async () => {
    const user = await enrolled();
    const claims = pendingClaims.parse(decodeJwt(await signIn(user.email)));
    const iat = claims.iat - 601;
    const old = await new Tokens(cloud.signingKey()).sign({ ...claims, iat, exp: iat + 600 }, iat * 1000);
    const key = await codeOf(user.secret);
    expect((await call('POST', 'auth/local/totp', old, { key })).body.error).toBe('session.code_expired');
  });

  test('ends with the password: a login token is not good after a reset', async () => {
    const user = await enrolled();
    await forgetStep(user._id);
    const login = await signIn(user.email);
    await cloud.cloud.features.sessions.revokeUser(user._id);
    const key = await codeOf(user.secret);
    expect((await call('POST', 'auth/local/totp', login, { key })).status).toBe(401);
  });
});

const logins = new Map<string, string>();
async function cachedLogin(email: string): Promise<string> {
  const login = logins.get(email) ?? (await signIn(email));
  logins.set(email, login);
  return login;
}

describe('a token that is no session', () => {
  test.each(['code', 'setup'] as const)('of the kind %s opens no socket and no page', async (kind) => {
    const user = await someone();
    const { sessions, users } = cloud.cloud.features;
    const row = await users.user(user._id);
    if (!row) throw new Error('the user is gone');
    const token = await sessions.issuePending(row, kind);
    for (const path of ['me', 'me/profile', 'orgs', 'devices/main'])
      expect((await call('GET', path, token)).status, path).toBe(401);
    const socket = new BrowserSocket(cloud, { token, orgName: 'main' });
    await expect(socket.connected()).rejects.toThrow('invalid_token');
  });
});

describe('the recovery code', () => {
  test('leads to a new set-up, once, and ends what the lost phone could open', async () => {
    const user = await enrolled();
    const login = await signIn(user.email);
    const wrong = await call('POST', 'auth/local/totp-recover', login, { key: 'X'.repeat(32) });
    expect(wrong).toMatchObject({ status: 400, body: { message: 'Could not recover MFA' } });
    const key = user.recoveryCode.toLowerCase();
    const recovered = await call('POST', 'auth/local/totp-recover', login, { key });
    expect(decodeJwt(recovered.body.token)).toMatchObject({ mfa: 'setup', isRecovering: true });
    expect((await call('GET', 'me', user.token)).status).toBe(401);
    expect((await call('POST', 'auth/local/totp-recover', login, { key })).status).toBe(401);
    // Whoever leaves the set-up here is asked for it at the next sign-in.
    expect(decodeJwt(await signIn(user.email))).toMatchObject({ mfa: 'setup' });

    const { token } = recovered.body;
    const { body } = await call('POST', 'me/totp-setup', token);
    const done = await call('PUT', 'me/totp-setup', token, { key: await codeOf(secretOf(body.uri)) });
    expect(done.body.recoveryCode).not.toBe(user.recoveryCode);
    expect((await call('POST', 'me/totp-setup', token)).status).toBe(401);
    const log = (await auditOf(cloud, 'main')).filter(({ user_id: by }) => by === user.email);
    const recoveries = log.filter(({ action }) => action === 'MFA recovery');
    expect(recoveries.map(({ status }) => status)).toEqual(['failed', 'success']);
  });

  test('can be replaced for a code, and the old one ends', async () => {
    const user = await enrolled();
    await forgetStep(user._id);
    const wrong = await call('PUT', 'me/totp-recover', user.token, { key: await wrongCode(user.secret) });
    expect(wrong.body.message).toBe('Could not generate recovery code. Please enter a valid code.');
    const { body } = await call('PUT', 'me/totp-recover', user.token, { key: await codeOf(user.secret) });
    expect(body.recoveryCode).toHaveLength(32);
    const login = await signIn(user.email);
    const old = await call('POST', 'auth/local/totp-recover', login, { key: user.recoveryCode });
    expect(old.status).toBe(400);
    const fresh = await call('POST', 'auth/local/totp-recover', login, { key: body.recoveryCode });
    expect(fresh.status).toBe(200);
  });
});

describe('a workgroup that demands two-factor authentication', () => {
  test('ends sessions without it at once, and lets its members set it up and nothing else', async () => {
    const owner = await cloud.newUser({ strict: { role: 'owner' } });
    const { email: by } = await cloud.cloud.features.sessions.verify(owner);
    const safe = await enrolled('strict');
    const unsafe = await someone('strict');
    const other = await someone('relaxed');
    expect((await call('PUT', 'orgs/strict/mfa', unsafe.token, { required: true })).status).toBe(403);
    expect((await call('PUT', 'orgs/strict/mfa', owner, { required: true })).body).toEqual({
      required: true,
    });

    expect((await call('GET', 'me', unsafe.token)).status).toBe(401);
    expect((await call('GET', 'me', other.token)).status).toBe(200);
    expect((await call('GET', 'orgs/strict/mfa', safe.token)).body).toEqual({ required: true });

    const token = await signIn(unsafe.email);
    const claims = pendingClaims.parse(decodeJwt(token));
    expect(claims).toMatchObject({ mfa: 'setup', isRecovering: false });
    expect(claims.exp - claims.iat).toBe(20 * 60);
    expect((await call('GET', 'orgs', token)).status).toBe(401);
    const { body } = await call('POST', 'me/totp-setup', token);
    const done = await call('PUT', 'me/totp-setup', token, { key: await codeOf(secretOf(body.uri)) });
    expect((await call('GET', 'orgs', done.body.token)).status).toBe(200);
    expect(await auditOf(cloud, 'strict')).toContainEqual(
      expect.objectContaining({
        attribute: 'mfaRequired',
        old_value: 'false',
        new_value: 'true',
        user_id: by,
      }),
    );
  });
});
