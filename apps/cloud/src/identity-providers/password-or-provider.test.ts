import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { encoded, ownCertificates, SamlIdp } from '../testing/saml-idp.ts';
import { SsoBrowser } from '../testing/sso-browser.ts';
import { startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let idp: SamlIdp;
let spCertificate = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  idp = await SamlIdp.make();
  spCertificate = (await ownCertificates(cloud)).signing;
});
afterAll(() => cloud.stop());

/** Somebody with a password who agreed to the provider of the one workgroup. */
let wg = '';
let owner = '';
let email = '';
let idpId = '';
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  ({ email } = decodeJwt(await cloud.newUser({ [wg]: { role: 'power' } })) as { email: string });
  const body = { provider: { kind: 'saml', name: 'Contoso', metadata: idp.metadata } };
  const reply = await cloud.call('PUT', `orgs/${wg}/idp`, { token: owner, headers: from(), body });
  idpId = reply.body.provider.id;
});

const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
const post = (path: string, body: object) => cloud.call('POST', path, { body, headers: from() });
const login = (password: string) => post('auth/local', { email, password });
async function invite(workgroup: string, token: string, more: object = {}): Promise<void> {
  const body = { email, role: 'power', ...more };
  await cloud.call('POST', `orgs/${workgroup}/members`, { token, headers: from(), body });
  const link = linkIn((await mailsTo(cloud, email)).at(-1), `invitation/${workgroup}`);
  expect((await post('newuser', { orgName: workgroup, token: link })).status).toBe(200);
}
const agree = () => invite(wg, owner, { idpId });
/** The text of the mail about a forgotten password. */
async function forgot(): Promise<string> {
  const before = (await mailsTo(cloud, email)).length;
  await post('forgot', { email });
  await expect.poll(async () => (await mailsTo(cloud, email)).length).toBe(before + 1);
  return (await mailsTo(cloud, email)).at(-1)?.text ?? '';
}
async function bySso(): Promise<string> {
  const browser = new SsoBrowser(cloud);
  const request = idp.read(await browser.begin(idpId), spCertificate);
  const answer = encoded(idp.respond(request, { nameId: email }));
  return (await browser.post(answer, request.relayState)).token ?? '';
}
const profile = async (token: string) => (await cloud.call('GET', 'me/profile', { token })).body;

const USE_SSO = { code: 400, message: 'Invalid login: Try continuing with SAML SSO' };

test('a password that opens nothing is asked for by nobody: every step leads to single sign-on', async () => {
  await agree();
  for (const password of [USER_PASSWORD, 'a wrong password'])
    expect((await login(password)).body).toMatchObject(USE_SSO);
  expect((await post('auth/saml/login', { email })).body).toMatchObject({ id: idpId });
  const mail = await forgot();
  expect(mail).toContain('/login/sso');
  expect(mail).not.toContain('/reset/');
  expect(mail).not.toMatch(/has none|no password/);
  const token = await bySso();
  expect((await profile(token)).hasPassword).toBe(false);
  const refused = await cloud.call('POST', 'me/email', { token, body: { email: 'other@example.org' } });
  expect(refused.body.error).toBe('session.from_provider');
  expect(refused.body.message).not.toContain('Sign in with your password');
});

test('a link to a new password from before sets none any more, and says what to do', async () => {
  const link = linkIn({ text: await forgot() } as Awaited<ReturnType<typeof mailsTo>>[number], 'reset');
  await agree();
  const body = { password: 'a good long password' };
  const reply = await cloud.call('PUT', `forgot/${link}`, { body, headers: from() });
  expect(reply.body).toMatchObject({ error: 'account.by_provider' });
  expect(reply.body.message).toContain('single sign-on');
  const theirs = `theirs-${tests}`;
  await invite(theirs, await cloud.newUser({ [theirs]: { role: 'owner' } }));
  expect((await login(USER_PASSWORD)).status).toBe(200);
});

test('the password is one again as soon as it opens a workgroup, and every step says so', async () => {
  await agree();
  const theirs = `theirs-${tests}`;
  await invite(theirs, await cloud.newUser({ [theirs]: { role: 'owner' } }));
  expect(decodeJwt((await login(USER_PASSWORD)).body.token)).toMatchObject({ memberOf: [theirs] });
  expect((await login('a wrong password')).body.error).toBe('session.bad_credentials');
  expect(await forgot()).toContain('/reset/');
  expect((await profile(await bySso())).hasPassword).toBe(true);
});

test('owners keep their password, and are told nothing else', async () => {
  ({ email } = decodeJwt(owner) as { email: string });
  await agree();
  const { body } = await login(USER_PASSWORD);
  expect(decodeJwt(body.token)).toMatchObject({ memberOf: [wg] });
  expect(await forgot()).toContain('/reset/');
  expect((await profile(await bySso())).hasPassword).toBe(true);
});

test('when the provider goes, the password that is left is good again', async () => {
  await agree();
  await cloud.call('PUT', `orgs/${wg}/idp`, { token: owner, headers: from(), body: { provider: null } });
  expect((await login(USER_PASSWORD)).status).toBe(200);
  expect(await forgot()).toContain('/reset/');
});
