import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { OPENID_CLIENT, type OpenIdProvider, startOpenIdProvider } from './harness/openid-provider.ts';
import { type SamlUser, type SimpleSamlPhp, startSimpleSamlPhp } from './harness/simplesamlphp.ts';
import { confirm, signIn, test } from './pages.ts';
import { BASE } from './place.ts';

const API = `${BASE}/api/v1`;
const SETTINGS = '/admin/workgroup/settings';
const KIM: SamlUser = {
  name: 'kim',
  password: 'kimpass',
  email: 'kim@contoso.test',
  displayName: 'Kim Contoso',
};
const EVE: SamlUser = {
  name: 'eve',
  password: 'evepass',
  email: 'eve@contoso.test',
  displayName: 'Eve Contoso',
};
const LEE = 'lee@fabrikam.test';

test.describe.configure({ mode: 'serial' });

let saml: SimpleSamlPhp;
let openId: OpenIdProvider;
test.beforeAll(async () => {
  saml = await startSimpleSamlPhp(`${API}/auth/saml/metadata/demo`, [KIM, EVE]);
  openId = await startOpenIdProvider(`${API}/auth/oidc/callback/demo`);
});
test.afterAll(async () => {
  saml?.stop();
  await openId?.stop();
});

async function invite(page: Page, email: string, provider: string): Promise<void> {
  await page.goto('/admin/access/users');
  await page.getByRole('button', { name: 'Invite new user' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('combobox', { name: 'Signs in with' }).click();
  await page.getByRole('option', { name: provider }).click();
  await page.getByRole('button', { name: 'Send invite' }).click();
  await expect(page.getByText(`An invite was sent to ${email}`)).toBeVisible();
}

async function continueWithSso(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with SAML SSO' }).click();
  await expect(page.getByText('Enter your email address')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Continue with SAML SSO' }).click();
}

async function signInAtSaml(page: Page, user: SamlUser): Promise<void> {
  await page.locator('input[name=username]').fill(user.name);
  await page.locator('input[name=password]').fill(user.password);
  await page.locator('#submit_button, button[type=submit]').first().click();
}

test('an owner sets up SAML by the address of the metadata, and hears in words what is wrong with others', async ({
  page,
}) => {
  await page.goto(SETTINGS);
  await signIn(page, 'Workgroup');
  const section = page.getByRole('region', { name: 'Sign-in' });
  await section.getByLabel('Name').fill('Contoso');
  await section.getByLabel('Metadata address').fill('http://192.0.2.1/metadata');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('must begin with https://');
  await section.getByLabel('Metadata address').fill(`${API}/version`);
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('This metadata cannot be used: it is not XML');
  await expectOpenToAll(page, 'an identity provider that cannot be used');
  await section.getByLabel('Metadata address').fill(saml.metadataUrl);
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText('No one has signed in with it yet.')).toBeVisible();
  await expect(section.getByText(`${API}/auth/saml/login/sso/callback`)).toBeVisible();
  await expectOpenToAll(page, 'a SAML provider');
  await invite(page, KIM.email, 'Contoso');
});

test('somebody who was invited signs in with SimpleSAMLphp, which encrypts, and lands in the workgroup', async ({
  page,
}) => {
  await continueWithSso(page, 'nobody@contoso.test');
  await expect(page.getByRole('alert')).toHaveText('SAML SSO not found');
  await expectOpenToAll(page, 'an address without a provider');
  const posted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/callback'),
  );
  await continueWithSso(page, KIM.email);
  await expect(page).toHaveURL(new RegExp(`^${saml.url}/`));
  await signInAtSaml(page, KIM);
  const answer = new URLSearchParams((await posted).postData() ?? '').get('SAMLResponse') ?? '';
  expect(Buffer.from(answer, 'base64').toString()).toMatch(/EncryptedAssertion/);
  expect(Buffer.from(answer, 'base64').toString()).not.toContain(KIM.email);
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('albedo-sso-token');
  await page.goto('/profile');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Kim Contoso');
  await expect(page.getByText('Your identity provider manages this address.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change email address' })).toHaveCount(0);
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.getByRole('button', { name: 'Log back in' }).click();
  await page.getByLabel('Email', { exact: true }).fill(KIM.email);
  await page.getByLabel('Password', { exact: true }).fill('has none at all');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid login: Try continuing with SAML SSO');
});

test('somebody who begins in the portal of the directory is asked once, and not any more in that browser', async ({
  page,
}) => {
  const portal = saml.startAddress(`${API}/auth/saml/metadata/demo`);
  await page.goto(portal);
  await signInAtSaml(page, KIM);
  await expect(page.getByText('You sign in with Contoso and come back here.')).toBeVisible();
  await expect(page).toHaveURL(/\/login\/sso\?provider=/);
  await expectOpenToAll(page, 'the question before a provider');
  await page.getByRole('button', { name: 'Continue with Contoso' }).click();
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto(portal);
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
});

test('somebody in the directory without an invitation reads so, back at the login', async ({ page }) => {
  await continueWithSso(page, KIM.email);
  await signInAtSaml(page, EVE);
  await expect(page.getByText('SAML login error')).toBeVisible();
  await expect(page.getByText('You were not invited with this identity provider.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expectOpenToAll(page, 'a sign-in that failed');
});

test('coming back without the cookie is an error, and the address of the state prefills', async ({
  page,
}) => {
  await page.goto('/login/sso/callback');
  await expect(page.getByText('SAML login error')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto(`/login/sso?email=${KIM.email}`);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(KIM.email);
  await page.goto('/logout/sso/callback');
  await expect(page).toHaveURL(/\/(login)?$/);
});

test('OpenID Connect on the same footing, and taking the provider away ends what it made', async ({
  page,
  browser,
}) => {
  await page.goto(SETTINGS);
  await signIn(page, 'Workgroup');
  const section = page.getByRole('region', { name: 'Sign-in' });
  await expect(section.getByText(/eve@contoso\.test was not invited/)).toBeVisible();
  await section.getByRole('button', { name: 'Edit' }).click();
  await section.getByText('OpenID Connect', { exact: true }).click();
  await section.getByLabel('Name').fill('Fabrikam');
  await section.getByLabel('Issuer').fill(openId.issuer);
  await section.getByLabel('Client ID').fill(OPENID_CLIENT.id);
  await section.getByLabel('Client secret').fill(OPENID_CLIENT.secret);
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText('Stored, never shown')).toBeVisible();
  await expectOpenToAll(page, 'an OpenID provider');
  await invite(page, LEE, 'Fabrikam');

  const theirs = await (await browser.newContext()).newPage();
  await continueWithSso(theirs, LEE);
  await expect(theirs).toHaveURL(new RegExp(`^${openId.issuer}/`));
  await theirs.locator('input[name=login]').fill(LEE);
  await theirs.locator('input[name=password]').fill('any');
  await theirs.getByRole('button', { name: 'Sign-in' }).click();
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await expect(theirs.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();

  await page.goto(SETTINGS);
  await section.getByRole('button', { name: 'Remove' }).click();
  await confirm(page);
  await expect(section.getByRole('button', { name: 'Save' })).toBeVisible();
  await expect(theirs).toHaveURL(/\/session-expired/);
});
