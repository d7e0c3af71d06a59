import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encoded, ownCertificates, SamlIdp } from '../testing/saml-idp.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const HOUR_MS = 3_600_000;

/** What the address of the metadata answers; null for a machine that is down. */
let published: string | null = '';
let asked = 0;
const server = createServer(({ url }, reply) => {
  if (url === `/${wg}`) asked++;
  if (published === null) reply.destroy();
  else reply.end(published);
});
let cloud: TestCloud;
let spCertificate = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  spCertificate = (await ownCertificates(cloud)).signing;
});
afterAll(async () => {
  server.close();
  await cloud.stop();
});

let wg = '';
let owner = '';
let email = '';
let idp: SamlIdp;
/** The same provider with the key that it signs with next. */
let renewed: SamlIdp;
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  email = `zoe-${tests}@example.org`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  idp = await SamlIdp.make();
  renewed = await SamlIdp.make(idp.entityId);
  published = idp.metadata;
  const { port } = server.address() as AddressInfo;
  const { provider } = (await setProvider({ metadataUrl: `http://127.0.0.1:${port}/${wg}` }))
    .body as SignInSettings;
  const body = { email, role: 'power', idpId: provider?.id };
  await cloud.call('POST', `orgs/${wg}/members`, { token: owner, headers: from(), body });
  asked = 0;
});

const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
const setProvider = (metadata: object) =>
  cloud.call('PUT', `orgs/${wg}/idp`, {
    token: owner,
    headers: from(),
    body: { provider: { kind: 'saml', name: 'Contoso', ...metadata } },
  });
async function provider() {
  const { provider } = (await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings;
  if (provider?.kind !== 'saml') throw new Error('there is no SAML provider');
  return provider;
}
async function signIn(at: SamlIdp): Promise<SsoOutcome> {
  const browser = new SsoBrowser(cloud);
  const request = at.read(await browser.begin((await provider()).id), spCertificate);
  return browser.post(encoded(at.respond(request, { nameId: email })), request.relayState);
}
const look = (inHours: number) =>
  cloud.cloud.features.metadataRefresh.look(new Date(Date.now() + inHours * HOUR_MS));
/** Metadata with the certificates of both. */
const both = () => {
  const [descriptor = ''] = /<md:KeyDescriptor.*<\/md:KeyDescriptor>/s.exec(renewed.metadata) ?? [];
  return idp.metadata.replace('</md:KeyDescriptor>', `</md:KeyDescriptor>${descriptor}`);
};

describe('a provider that changes its certificate', () => {
  test('announces the next one beside the present one, and both are good', async () => {
    published = both();
    await look(21);
    expect((await provider()).certificates).toHaveLength(2);
    expect((await signIn(idp)).token).toBeTruthy();
    expect((await signIn(renewed)).token).toBeTruthy();
    expect((await signIn(await SamlIdp.make(idp.entityId))).error).toBe('refused');
  });

  test('is believed without an announcement, when its address says so, and the old one is not any more', async () => {
    expect((await signIn(renewed)).error).toBe('refused');
    published = renewed.metadata;
    await look(21);
    expect((await signIn(renewed)).token).toBeTruthy();
    expect((await signIn(idp)).error).toBe('refused');
  });

  test('is asked when an answer is refused, so that nobody waits a day, but once a minute', async () => {
    published = renewed.metadata;
    expect((await signIn(renewed)).token).toBeTruthy();
    expect(asked).toBe(1);
    expect((await signIn(idp)).error).toBe('refused');
    expect((await signIn(idp)).error).toBe('refused');
    expect(asked).toBe(1);
  });
});

describe('metadata at an address', () => {
  test('is not read when a sign-in begins, however old it is', async () => {
    published = null;
    const { postgres } = cloud.cloud.features;
    await postgres.db.execute(sql`update identity_providers set refreshed_at = '2020-01-01'`);
    expect((await signIn(idp)).token).toBeTruthy();
    expect(asked).toBe(0);
  });

  test('stays what it was while the address is dead, which is tried once an hour and told', async () => {
    published = null;
    await look(21);
    await look(21.5);
    expect(asked).toBe(1);
    expect((await provider()).metadataFailure).toMatch(/could not be read/);
    expect((await signIn(idp)).token).toBeTruthy();
    published = idp.metadata;
    await look(22.5);
    expect(asked).toBe(2);
    expect(await provider()).toMatchObject({ metadataFailure: null });
  });

  test('that is another provider now is a matter for an owner', async () => {
    const other = await SamlIdp.make();
    published = other.metadata;
    await look(21);
    expect(await provider()).toMatchObject({ entityId: idp.entityId });
    expect((await provider()).metadataFailure).toContain(other.entityId);
    expect((await signIn(idp)).token).toBeTruthy();
  });

  test('that is young, or was uploaded, is not read again', async () => {
    await look(19);
    await setProvider({ metadata: idp.metadata });
    await look(100);
    expect(asked).toBe(0);
  });
});
