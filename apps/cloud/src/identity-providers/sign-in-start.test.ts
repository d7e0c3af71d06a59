import type { SignInSettings, SsoFound } from '@albedo/contract/identity-providers/identity-providers.schema';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { encoded, ownCertificates, SamlIdp, withEncryptedAssertion } from '../testing/saml-idp.ts';
import { SsoBrowser } from '../testing/sso-browser.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let spCertificate = '';
let encryptionCertificate = '';
/** Of our addresses, as providers know them. */
let base = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  const { body } = await cloud.call('GET', 'auth/saml/metadata/any');
  base = /entityID="([^"]+)\/metadata\/any"/.exec(body)?.[1] ?? '';
  ({ signing: spCertificate, encryption: encryptionCertificate } = await ownCertificates(cloud));
});
afterAll(() => cloud.stop());

let wg = '';
let email = '';
let idp: SamlIdp;
let id = '';
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  email = `zoe-${tests}@example.org`;
  idp = await SamlIdp.make();
  id = await setUp(wg, idp);
});

const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
/** A workgroup with a provider that the person was invited with; answers the provider. */
async function setUp(
  workgroup: string,
  provider: SamlIdp,
  name = 'Contoso',
  title = workgroup,
): Promise<string> {
  await cloud.cloud.features.workgroups.ensure({ name: workgroup, displayName: title });
  const token = await cloud.newUser({ [workgroup]: { role: 'owner' } });
  const body = { provider: { kind: 'saml', name, metadata: provider.metadata } };
  const reply = await cloud.call('PUT', `orgs/${workgroup}/idp`, { token, headers: from(), body });
  const idpId = (reply.body as SignInSettings).provider?.id ?? '';
  const invited = { email, role: 'power', idpId };
  await cloud.call('POST', `orgs/${workgroup}/members`, { token, headers: from(), body: invited });
  return idpId;
}
async function signIn(browser: SsoBrowser, at = idp, providerId = id): Promise<string | null> {
  const request = at.read(await browser.begin(providerId), spCertificate);
  return (await browser.post(encoded(at.respond(request, { nameId: email })), request.relayState)).token;
}
/** An answer that the provider made without a request. */
function unsolicited(at: SamlIdp, workgroup = wg): string {
  const issuer = `${base}/metadata/${workgroup}`;
  const request = { id: '', acsUrl: `${base}/login/sso/callback`, issuer, relayState: '', isForced: false };
  return at.respond(request, { nameId: email }).replace(/ InResponseTo=""/, '');
}
const page = (provider: string) => `/login/sso?provider=${provider}`;

describe('a browser that another site leads to the start', () => {
  test('is asked first, so that no provider signs it in as whom it likes', async () => {
    const victim = new SsoBrowser(cloud);
    expect(await victim.start(id)).toBe(page(id));
    const { body } = await cloud.call('GET', `auth/saml/provider?id=${id}`, { headers: from() });
    expect(body).toEqual({ id, kind: 'saml', name: 'Contoso' });
    expect(await signIn(victim)).toBeTruthy();
  });

  test('is not asked again for the provider that signed it in, and is for every other one', async () => {
    const browser = new SsoBrowser(cloud);
    await signIn(browser);
    browser.forget('albedo-sso-start');
    expect(await browser.start(id)).toContain('https://idp.example/sso');
    const other = await setUp(`other-${tests}`, await SamlIdp.make());
    expect(await browser.start(other)).toBe(page(other));
  });

  test('is not asked after it looked its address up here', async () => {
    const browser = new SsoBrowser(cloud);
    await browser.ask('auth/saml/login', { email });
    expect(await browser.start(id)).toContain('https://idp.example/sso');
  });

  test('cannot have asked by a post of that site', async () => {
    const body = { id };
    const reply = await cloud.call('POST', 'auth/saml/login/sso', { body, headers: from(), noCsrf: true });
    expect(reply.status).toBe(403);
    expect(reply.headers.getSetCookie().join()).not.toContain('albedo-sso-start');
  });

  test('does not get a session by an answer that another browser asked for', async () => {
    const attacker = new SsoBrowser(cloud);
    const request = idp.read(await attacker.begin(id), spCertificate);
    const answer = encoded(idp.respond(request, { nameId: email }));
    const victim = new SsoBrowser(cloud);
    await victim.begin(id);
    expect(await victim.post(answer, request.relayState)).toEqual({ token: null, error: 'expired' });
  });
});

test('two tabs of one browser sign in side by side', async () => {
  const browser = new SsoBrowser(cloud);
  const [first, second] = [
    idp.read(await browser.begin(id), spCertificate),
    idp.read(await browser.begin(id), spCertificate),
  ];
  for (const request of [second, first]) {
    const answer = encoded(idp.respond(request, { nameId: email }));
    expect((await browser.post(answer, request.relayState)).token).toBeTruthy();
  }
});

describe('an answer that nobody asked for', () => {
  test('opens nothing, and leads to the page that asks', async () => {
    const browser = new SsoBrowser(cloud);
    const outcome = await browser.post(encoded(unsolicited(idp)), 'https://anything.example');
    expect(outcome).toEqual({ token: null, error: null });
    expect(browser.at).toBe(page(id));
    expect(await cloud.cloud.features.users.userByEmail(email)).toBeUndefined();
  });

  test('begins a sign-in of ours in a browser that the provider signed in before', async () => {
    const browser = new SsoBrowser(cloud);
    await signIn(browser);
    await browser.post(encoded(unsolicited(idp)), '');
    const request = idp.read(browser.at, spCertificate);
    const outcome = await browser.post(encoded(idp.respond(request, { nameId: email })), request.relayState);
    expect(decodeJwt(outcome.token ?? '')).toMatchObject({ email });
  });

  test('finds the workgroup among several of one directory by its audience', async () => {
    const other = await setUp(`other-${tests}`, idp);
    for (const [workgroup, provider] of [
      [wg, id],
      [`other-${tests}`, other],
    ] as const) {
      const browser = new SsoBrowser(cloud);
      await browser.post(encoded(unsolicited(idp, workgroup)), '');
      expect(browser.at).toBe(page(provider));
    }
    const hidden = await withEncryptedAssertion(unsolicited(idp), encryptionCertificate);
    expect((await new SsoBrowser(cloud).post(encoded(hidden), '')).error).toBe('unsolicited');
  });

  test('of somebody unknown fails with words', async () => {
    const stranger = await SamlIdp.make();
    const outcome = await new SsoBrowser(cloud).post(encoded(unsolicited(stranger)), '');
    expect(outcome).toEqual({ token: null, error: 'unsolicited' });
  });
});

describe('somebody with several providers', () => {
  test('chooses: that of the default workgroup stands first, and the one used last before it', async () => {
    const browser = new SsoBrowser(cloud);
    await signIn(browser);
    const theirs = `a-second-${tests}`;
    const idp2 = await SamlIdp.make();
    const second = await setUp(theirs, idp2, 'Adventure Works');
    const token = linkIn((await mailsTo(cloud, email)).at(-1), `invitation/${theirs}`);
    const body = { orgName: theirs, token };
    expect((await cloud.call('POST', 'newuser', { body, headers: from() })).status).toBe(200);
    const lookup = async (at: SsoBrowser) => (await at.ask('auth/saml/login', { email })).body as SsoFound;
    const elsewhere = new SsoBrowser(cloud);
    expect(await lookup(elsewhere)).toEqual({
      id,
      kind: 'saml',
      name: 'Contoso',
      choices: [
        { id, kind: 'saml', name: 'Contoso', workgroup: null },
        { id: second, kind: 'saml', name: 'Adventure Works', workgroup: null },
      ],
    });
    expect(decodeJwt((await signIn(elsewhere, idp2, second)) ?? '')).toMatchObject({ memberOf: [theirs] });
    expect((await lookup(elsewhere)).choices.map((one) => one.id)).toEqual([second, id]);
    expect((await lookup(browser)).choices.map((one) => one.id)).toEqual([id, second]);
  });

  test('tells those of one name apart by their workgroups', async () => {
    await setUp(`second-${tests}`, await SamlIdp.make(), 'Contoso', 'Solar North');
    const { choices } = (await new SsoBrowser(cloud).ask('auth/saml/login', { email })).body as SsoFound;
    expect(choices.map(({ workgroup }) => workgroup).sort()).toEqual(['Solar North', wg]);
  });
});
