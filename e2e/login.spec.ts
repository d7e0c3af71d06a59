import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import {
  SSO_CALLBACK_PATH,
  SSO_TOKEN_COOKIE,
} from '@albedo/contract/identity-providers/identity-providers.names';
import { membersApi } from '@albedo/contract/members/members.api';
import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { expect, type Page } from '@playwright/test';
import { codeOf, nextCodeOf } from './harness/authenticator.ts';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { test } from './pages.ts';
import { bringIn, callerOf, makeWorkgroup, type Person } from './people.ts';

/** Owner of a workgroup that demands a second factor, which she has not set up. */
const NORA: Person = { name: 'Nora Fels', email: 'nora@guild.example', password: 'nora has 2 factors' };
/** Member of it with an authenticator. */
const TOM: Person = { name: 'Tom Kern', email: 'tom@guild.example', password: 'tom has 6 digits' };
const REX: Person = { name: 'Rex Lost', email: 'rex@example.org', password: 'rex forgets 9 words' };
const EXPIRED = 'Session expired.  Please enter your password again.';
const MINUTE_MS = 60_000;
let secret = '';

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await makeWorkgroup('guild', 'Guild', NORA);
  await bringIn(NORA, 'guild', TOM, { role: 'admin' });
  const tom = await callerOf(TOM);
  const { uri } = await tom.call(mfaApi.beginSetup, { body: null });
  secret = new URL(uri).searchParams.get('secret') ?? '';
  await tom.call(mfaApi.confirmSetup, { body: { key: codeOf(secret) } });
  const nora = await callerOf(NORA);
  await nora.call(mfaApi.setPolicy, { params: { wg: 'guild' }, body: { required: true } });
});

test('login: an answer without a token, and too many attempts', async ({ page }) => {
  await page.goto('/login');
  await page.route('**/api/v1/auth/local', (route) => route.fulfill({ json: { token: '' } }));
  await enter(page, { ...REX, email: 'guess@example.org' });
  await expect(page.getByRole('alert')).toHaveText('response token failed');
  await page.unroute('**/api/v1/auth/local');
  await expect(async () => {
    const answer = page.waitForResponse(/auth\/local$/);
    await proceed(page);
    expect((await answer).status()).toBe(429);
  }).toPass({ intervals: [0] });
  await expect(page.getByRole('alert')).toHaveText('Too many requests.. Please try again later');
});

test('forgot: what fails says so, and one may go back', async ({ page }) => {
  await page.goto('/login?email=rex@example.org');
  await page.getByRole('button', { name: 'Forgot password' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(REX.email);
  await page.route('**/api/v1/forgot', (route) => route.abort());
  await proceed(page);
  await expect(page.getByRole('alert')).toHaveText('Could not reset password.');
  await page.getByRole('button', { name: 'Back to login' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
});

test('totp: a wrong code, the recovery code and back, and the right code', async ({ page }) => {
  await page.goto('/login');
  await enter(page, TOM);
  const code = page.getByLabel('Authenticator code');
  await code.fill('00000');
  await expect(continueOf(page)).toBeDisabled();
  await code.fill('000000');
  await proceed(page);
  await expect(page.getByRole('alert')).toHaveText('Invalid authenticator code');

  await page.getByRole('button', { name: 'Use recovery code' }).click();
  await page.getByLabel('Recovery code').fill('A'.repeat(31));
  await expect(continueOf(page)).toBeDisabled();
  await page.getByLabel('Recovery code').fill('A'.repeat(32));
  await proceed(page);
  await expect(page.getByRole('alert')).toHaveText('Could not recover MFA');
  await page.getByRole('button', { name: 'Back to 2FA code' }).click();
  await expect(code).toBeVisible();
  await page.getByRole('button', { name: 'Back to login' }).click();
  await enter(page, TOM);
  await code.fill(nextCodeOf(secret));
  await proceed(page);
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
});

test('totp and totp-recover: when the login token is over one reads why and is back at the login after 2 s', async ({
  page,
}) => {
  await page.clock.install();
  // The server is asked with a token that it never gave.
  await page.route('**/api/v1/auth/local/totp*', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer of-nobody' } }),
  );
  await page.goto('/login');
  for (const step of ['totp', 'totp-recover']) {
    await enter(page, TOM);
    await expect(page.getByLabel('Authenticator code')).toBeVisible();
    if (step === 'totp-recover') await page.getByRole('button', { name: 'Use recovery code' }).click();
    await page.getByLabel(/code$/).fill('1'.repeat(step === 'totp' ? 6 : 32));
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await proceed(page);
    await expect(page.getByRole('alert')).toHaveText(EXPIRED);
    await page.clock.runFor(1900);
    await expect(page.getByLabel(/code$/)).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await page.clock.resume();
  }
});

test('the callback of single sign-on: without a cookie, with an error, and with each kind of token', async ({
  page,
}) => {
  const told = async (path: string, message: RegExp) => {
    await page.goto(path);
    await expect(page.getByText('SAML login error')).toBeVisible();
    await expect(page.getByText(message)).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  };
  await told(SSO_CALLBACK_PATH, /was not accepted/);
  await told(`${SSO_CALLBACK_PATH}?error=expired`, /took too long/);
  await told(`${SSO_CALLBACK_PATH}?error=cancelled`, /did not sign you in/);
  await handOver(page, 'rubbish');
  await told(SSO_CALLBACK_PATH, /was not accepted/);

  await handOver(page, (await callerOf(TOM)).token);
  await page.goto(SSO_CALLBACK_PATH);
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  await handOver(page, (await callerOf(NORA)).token);
  await page.goto(SSO_CALLBACK_PATH);
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await handOver(page, (await callerOf(OWNER)).token);
  await page.goto(SSO_CALLBACK_PATH);
  await expect(page).toHaveURL(/\/devices$/);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain(SSO_TOKEN_COOKIE);
});

test('setupMfa: Exit ends it, 20 minutes end it, and nothing is open before it is done', async ({ page }) => {
  await page.clock.install();
  await page.goto('/login');
  await enter(page, NORA);
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await page.getByRole('button', { name: 'Exit' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();

  await enter(page, NORA);
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();

  await enter(page, NORA);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: '2. Create QR code' })).toBeVisible();
  await page.clock.fastForward(19 * MINUTE_MS);
  await expect(page.getByRole('heading', { name: '2. Create QR code' })).toBeVisible();
  await page.clock.fastForward(MINUTE_MS);
  await expect(page.getByRole('alert')).toHaveText(EXPIRED);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
});

test('setupMfa: six steps, none without the one before it, and two seconds later the app', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/login');
  await enter(page, NORA);
  const next = page.getByRole('button', { name: 'Next' });
  const back = page.getByRole('button', { name: 'Back' });
  await next.click();
  await expect(next).toBeDisabled();
  await page.getByRole('button', { name: 'Create QR code' }).click();
  await next.click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await back.click();
  await expect(page.getByText('The QR code is ready.')).toBeVisible();
  await back.click();
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await expect(back).toHaveCount(0);
  await next.click();
  await next.click();
  const hers = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await next.click();
  await expect(next).toBeDisabled();
  await expect(back).toBeEnabled();
  await page.getByLabel('Authenticator code').fill('00000');
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await page.getByLabel('Authenticator code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid authenticator code');
  await page.getByLabel('Authenticator code').fill(codeOf(hers));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is correct.')).toBeVisible();
  await expect(back).toBeDisabled();
  await next.click();
  await expect(page.locator('code')).toHaveText(/^.{32}$/);
  await next.click();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.clock.runFor(1900);
  await expect(page.getByRole('heading', { name: /^6\./ })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.clock.runFor(200);
  await page.clock.resume();
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
});

test('reset: working, an error that is not of the link, and success', async ({ page }) => {
  await bringIn(OWNER, 'demo', REX, { role: 'readonly' });
  await (await callerOf(OWNER)).call(accountsApi.forgot, { body: { email: REX.email } });
  await page.goto(await linkFor(REX.email, '/reset'));
  const submit = page.getByRole('button', { name: 'Reset password' });
  await expect(submit).toBeDisabled();
  await page.getByLabel('New password').fill('rex knows 1 more');
  await page.getByLabel('Confirm password').fill('rex knows 1');
  await page.getByLabel('New password').focus();
  await expect(page.getByText('Passwords must match')).toBeVisible();
  await expect(submit).toBeDisabled();
  await page.getByLabel('Confirm password').fill('rex knows 1 more');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/forgot/*', async (route) => {
    await held;
    await route.fulfill({ status: 400, json: { error: { code: 400, message: 'no' } } });
  });
  await submit.click();
  await expect(submit).toHaveAttribute('data-loading', 'true');
  release();
  await expect(page.getByRole('alert')).toHaveText('Error: could not reset password.');
  await expect(page.getByText('Request a new reset')).toHaveCount(0);
  await page.unroute('**/api/v1/forgot/*');
  await submit.click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await expect(submit).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('people without any workgroup left read who to ask, and no session is kept', async ({ page }) => {
  const owner = await callerOf(OWNER);
  const members = await owner.call(membersApi.list, { params: { wg: 'demo' } });
  const member = members.find(({ email }) => email === REX.email)?._id ?? '';
  await owner.call(membersApi.remove, { params: { wg: 'demo', member } });
  await page.goto('/login');
  await enter(page, { ...REX, password: 'rex knows 1 more' });
  await expect(page.getByRole('alert')).toHaveText(
    "You don't have access to any workgroups, please contact an admin or support",
  );
  expect(await page.evaluate(() => localStorage.getItem('albedo.token'))).toBeNull();
});

const continueOf = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const proceed = (page: Page) => continueOf(page).click();

async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await proceed(page);
}

/** Leaves a token where the server leaves it after a sign-in with an identity provider. */
async function handOver(page: Page, token: string): Promise<void> {
  await page
    .context()
    .addCookies([{ name: SSO_TOKEN_COOKIE, value: token, domain: '127.0.0.1', path: '/', sameSite: 'Lax' }]);
}
