import { sessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bus } from '../bus/bus.ts';
import { BrowserSocket, ticketFor } from '../testing/browser-socket.ts';
import { OWNER, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { OpenSessionsStore } from './open-sessions.store.ts';
import { OpenSessions } from './open-sessions.ts';
import { FAILED_SIGN_INS, Sessions } from './sessions.service.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'example.org' });
});
afterAll(() => cloud.stop());

/** Sign-ins are limited by address too; each test comes from another one, told by a proxy on this machine. */
let address = '';
let tests = 0;
beforeEach(() => {
  address = `198.51.100.${++tests}`;
});
const signIn = (body: object, headers: Record<string, string> = {}) =>
  cloud.call('POST', 'auth/local', { body, headers: { 'x-forwarded-for': address, ...headers } });

const newReader = () => cloud.newUser({ main: { role: 'readonly' } });

describe('sign-in', () => {
  test('with the right password answers a token of ten hours with what its holder may do', async () => {
    const reply = await signIn({ ...OWNER, email: OWNER.email.toUpperCase() });
    expect(reply.status).toBe(200);
    const claims = sessionClaims.parse((await cloud.call('GET', 'me', { token: reply.body.token })).body);
    expect(claims).toMatchObject({
      email: OWNER.email,
      memberOf: ['main'],
      defaultWorkgroup: 'main',
      staff: true,
    });
    expect(claims.exp - claims.iat).toBe(36_000);
    expect(claims.scopes.main).toMatchObject({ role: 'owner', ps: expect.stringContaining('md') });
  });

  test.each([
    ['a wrong password', { email: OWNER.email, password: 'wrong' }],
    ['an address that nobody has', { email: 'nobody@example.org', password: 'wrong' }],
  ])('with %s is refused in the same words', async (_name, body) => {
    const { status, body: answer } = await signIn(body);
    expect({ status, answer }).toEqual({
      status: 401,
      answer: {
        code: 401,
        message: 'Invalid username and/or password',
        error: 'session.bad_credentials',
      },
    });
  });

  test('of an account that an identity provider signs in points to single sign-on', async () => {
    const { users } = cloud.cloud.features;
    const email = 'sso@example.org';
    const account = { email, name: 'S', passwordHash: null, defaultWorkgroup: null };
    const user = await users.addUser(account);
    // As of an address that nobody has, while no identity provider signs the account in.
    expect(await signIn({ email, password: 'any' })).toMatchObject({
      status: 401,
      body: { message: 'Invalid username and/or password' },
    });
    const { postgres, workgroups } = cloud.cloud.features;
    await workgroups.ensure({ name: 'sso', displayName: 'SSO' });
    await workgroups.setMember('sso', user?.id ?? '', { role: 'power' });
    const idpId = crypto.randomUUID();
    await postgres.query(
      `insert into identity_providers (id, workgroup, kind, name, config, changed_at)
       values ($1, 'sso', 'oidc', 'Contoso', '{}', now())`,
      [idpId],
    );
    await postgres.query(`update workgroups set idp_id = $1 where name = 'sso'`, [idpId]);
    await postgres.query('insert into user_identities (idp_id, user_id, linked_at) values ($1, $2, now())', [
      idpId,
      user?.id,
    ]);
    expect(await signIn({ email, password: 'any' })).toMatchObject({
      status: 400,
      body: { message: 'Invalid login: Try continuing with SAML SSO' },
    });
  });

  test('is refused for a while after too many failures of one account from one address', async () => {
    const email = 'victim@example.org';
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    for (let i = 0; i < FAILED_SIGN_INS.account; i++)
      expect((await signIn({ email, password: 'guess' }, headers)).status).toBe(401);
    const reply = await signIn({ email, password: 'guess' }, headers);
    expect(reply).toMatchObject({
      status: 429,
      body: { message: 'Too many requests.. Please try again later' },
    });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is open for the holder at a browser that knows the account, whatever strangers guess', async () => {
    const { sessions } = cloud.cloud.features;
    const { email } = await sessions.verify(await cloud.newUser({ main: { role: 'readonly' } }));
    const first = await signIn({ email, password: USER_PASSWORD });
    const known = /albedo-known=[^;]+/.exec(first.headers.get('set-cookie') ?? '')?.[0] ?? '';
    expect(first.headers.get('set-cookie')).toMatch(
      /albedo-known=.*Max-Age=15552000;.*HttpOnly; SameSite=Strict/,
    );
    const stranger = { 'x-forwarded-for': '203.0.113.100' };
    for (let i = 0; i <= FAILED_SIGN_INS.account; i++) await signIn({ email, password: 'guess' }, stranger);
    const right = { email, password: USER_PASSWORD };
    expect((await signIn(right, stranger)).status).toBe(429);
    // Whoever comes from elsewhere has a door of their own.
    expect((await signIn(right)).status).toBe(200);

    const cookie = (xsrf: string) => ({
      cookie: `${known}; ${xsrf}`,
      'x-xsrf-token': xsrf.split('=')[1] ?? '',
    });
    const version = await cloud.call('GET', 'version');
    const xsrf = /XSRF-TOKEN=[^;]+/.exec(version.headers.get('set-cookie') ?? '')?.[0] ?? '';
    expect((await signIn(right, cookie(xsrf))).status).toBe(200);
    // The cookie helps with this account alone, and its own guesses are counted too.
    const other = { email: 'victim@example.org', password: 'guess' };
    expect((await signIn(other, { ...cookie(xsrf), 'x-forwarded-for': '203.0.113.77' })).status).toBe(429);
    const statuses: number[] = [];
    for (let i = 0; i <= FAILED_SIGN_INS.account; i++) {
      const headers = { ...cookie(xsrf), 'x-forwarded-for': `203.0.113.${150 + i}` };
      statuses.push((await signIn({ email, password: 'guess' }, headers)).status);
    }
    expect(statuses).toEqual([...Array(FAILED_SIGN_INS.account).fill(401), 429]);
  });

  test('more than ten times a minute from one address is too many', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      statuses.push((await signIn({ email: `${i}@example.org`, password: 'guess' })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  test('from many addresses at once is limited by the account, and open for whoever knows the password', async () => {
    const { sessions } = cloud.cloud.features;
    const { email } = await sessions.verify(await cloud.newUser({ main: { role: 'readonly' } }));
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        signIn({ email, password: `guess ${i}` }, { 'x-forwarded-for': `198.51.100.${i}` }),
      ),
    );
    const { patience } = FAILED_SIGN_INS;
    const read = guesses.filter(({ status }) => status === 401).length;
    expect(read).toBeGreaterThanOrEqual(patience);
    // A few had their turn; all others were refused unread.
    expect(read).toBeLessThanOrEqual(patience + 3);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(guesses.length - read);
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    expect((await signIn({ email, password: USER_PASSWORD }, elsewhere)).status).toBe(200);
  }, 30_000);

  test('without what it needs names the fields', async () => {
    const reply = await signIn({ email: 'not an address' });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toMatch(/email.*Invalid email/);
    expect(reply.body.message).toMatch(/password/);
  });
});

describe('anti-forgery', () => {
  test('a change without the header, or with a foreign cookie, is refused', async () => {
    const bare = await cloud.call('POST', 'auth/local', { body: OWNER, noCsrf: true });
    expect(bare).toMatchObject({ status: 403, body: { message: 'Invalid CSRF token' } });
    const forged = await signIn(OWNER, { cookie: 'XSRF-TOKEN=a.b', 'x-xsrf-token': 'a.b' });
    expect(forged.status).toBe(403);
    const issued = async () =>
      /XSRF-TOKEN=([^;]+)/.exec(
        (await fetch(`${cloud.cloud.url}/api/v1/version`)).headers.get('set-cookie') ?? '',
      )?.[1];
    const [one, other] = [await issued(), await issued()];
    const mixed = await signIn(OWNER, { cookie: `XSRF-TOKEN=${one}`, 'x-xsrf-token': String(other) });
    expect(mixed.status).toBe(403);
    const same = await signIn(OWNER, { cookie: `XSRF-TOKEN=${one}`, 'x-xsrf-token': String(one) });
    expect(same.status).toBe(200);
  });
});

describe('a session', () => {
  test('ends at once with its sign-out, and no other one does', async () => {
    const [one, two] = [await cloud.owner(), await cloud.owner()];
    expect((await cloud.call('POST', 'auth/logout', { token: one })).status).toBe(200);
    expect((await cloud.call('GET', 'me', { token: one })).status).toBe(401);
    expect((await cloud.call('GET', 'me', { token: two })).status).toBe(200);
  });

  test('of a user whose sessions are revoked ends at once, and a new sign-in works', async () => {
    const token = await cloud.newUser({ main: { role: 'readonly' } });
    const { sessions, users } = cloud.cloud.features;
    const { _id } = await sessions.verify(token);
    await sessions.revokeUser(_id);
    expect((await cloud.call('GET', 'me', { token })).status).toBe(401);
    const user = await users.user(_id);
    if (!user) throw new Error('the user is gone');
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await cloud.call('GET', 'me', { token: await sessions.issue(user) })).status).toBe(200);
  });

  test('that ended is not good after a start of the server either, and one that was spared is', async () => {
    const { sessions, users, attempts } = cloud.cloud.features;
    const [over, revoked, good] = [await cloud.owner(), await newReader(), await newReader()];
    const { _id, jti } = await sessions.verify(good);
    await sessions.revoke(await sessions.verify(over));
    await sessions.revokeUser((await sessions.verify(revoked))._id);
    await sessions.revokeUser(_id, jti);
    const started = new Sessions({
      users,
      attempts,
      signingKey: cloud.signingKey(),
      staffDomains: [],
      addonManagers: [],
      bus: new Bus({ log: pino({ level: 'silent' }) }),
      uses: new OpenSessions(new OpenSessionsStore(cloud.cloud.features.postgres)),
    });
    await started.start();
    for (const token of [over, revoked])
      await expect(started.verify(token)).rejects.toMatchObject({ error: 'request.unauthorized' });
    expect(await started.verify(good)).toMatchObject({ _id });
  });

  test('ends with its ten hours, also where its signature was looked at before', async () => {
    const { sessions } = cloud.cloud.features;
    const token = await newReader();
    const { exp } = await sessions.verify(token);
    vi.spyOn(Date, 'now').mockReturnValue(exp * 1000);
    await expect(sessions.verify(token)).rejects.toMatchObject({ error: 'request.unauthorized' });
    vi.restoreAllMocks();
  });

  test('sees its own workgroups only', async () => {
    const token = await cloud.newUser({ own: { role: 'power' } });
    expect((await cloud.call('GET', 'orgs', { token })).body).toMatchObject([
      { name: 'own', displayName: 'own', theme: null, idpId: null, addons: [], settings: {} },
    ]);
  });
});

describe('the sessions of a person', () => {
  test('are listed with browser and address, and ended one by one', async () => {
    const { sessions, users } = cloud.cloud.features;
    const here = await newReader();
    const { _id, jti } = await sessions.verify(here);
    const user = await users.user(_id);
    if (!user) throw new Error('the user is gone');
    const there = await sessions.issue(user);
    const headers = { 'user-agent': 'Thief/1.0', 'x-forwarded-for': '203.0.113.201' };
    await cloud.call('GET', 'me', { token: there, headers });
    const list = async () => (await cloud.call('GET', 'me/sessions', { token: here })).body.sessions;
    const [other] = (await list()).filter(({ isOwn }: { isOwn: boolean }) => !isOwn);
    expect(other).toMatchObject({ agent: 'Thief/1.0', address: '203.0.113.201' });
    expect(await list()).toContainEqual(expect.objectContaining({ id: jti, isOwn: true }));
    const stranger = await newReader();
    const foreign = await cloud.call('DELETE', `me/sessions/${other.id}`, { token: stranger });
    expect(foreign).toMatchObject({ status: 404, body: { error: 'session.unknown' } });
    expect((await cloud.call('DELETE', `me/sessions/${other.id}`, { token: here })).status).toBe(200);
    expect((await cloud.call('GET', 'me', { token: there })).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  test('end where a workgroup wants that after minutes without a hand, whatever a screen asks by itself', async () => {
    const owner = await cloud.newUser({ 'signs-off': { role: 'owner' } });
    const setting = 'orgs/signs-off/settings/inactivityMinutes';
    expect((await cloud.call('PUT', setting, { token: owner, body: { value: 4 } })).status).toBe(400);
    expect((await cloud.call('PUT', setting, { token: owner, body: { value: 5 } })).status).toBe(200);
    const { body } = await cloud.call('GET', 'me/sessions', { token: owner });
    expect(body.idleMinutes).toBe(5);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 4 * 60_000);
    expect((await cloud.call('GET', 'me', { token: owner })).status).toBe(200);
    vi.mocked(Date.now).mockReturnValue(now + 8 * 60_000);
    const idle = { 'x-albedo-idle': '1' };
    expect((await cloud.call('GET', 'me', { token: owner, headers: idle })).status).toBe(200);
    vi.mocked(Date.now).mockReturnValue(now + 10 * 60_000);
    const late = await cloud.call('GET', 'me', { token: owner, headers: idle });
    expect(late).toMatchObject({ status: 401, body: { error: 'session.idle' } });
    expect((await cloud.call('GET', 'me', { token: owner })).status).toBe(401);
    vi.restoreAllMocks();
  });
});

test('the staff are staff as long as the configuration names their domain', async () => {
  const staffed = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
  const token = await staffed.tokenOf('ann@provider.example');
  expect((await staffed.call('GET', 'opsteam/audit', { token })).status).toBe(200);
  const { users, attempts, postgres } = staffed.cloud.features;
  const uses = new OpenSessions(new OpenSessionsStore(postgres));
  const bus = new Bus({ log: pino({ level: 'silent' }) });
  const of = { users, attempts, signingKey: staffed.signingKey(), addonManagers: [], bus, uses };
  const later = new Sessions({ ...of, staffDomains: ['elsewhere.example'] });
  expect((await later.verify(token)).staff).toBe(false);
  await staffed.stop();
});

test('a socket takes a ticket once, and no token of a session', async () => {
  const token = await newReader();
  const ticket = (await ticketFor(cloud.cloud.url, token)) ?? '';
  const open = (given: string) =>
    new BrowserSocket(cloud, { token: given, orgName: 'main' }, {}, false).connected();
  const socket = await open(ticket);
  await expect(open(ticket)).rejects.toThrow('ticket_needed');
  await expect(open(token)).rejects.toThrow('ticket_needed');
  await expect(open('ticket.bm9uZQ')).rejects.toThrow('ticket_needed');
  socket.close();
});
