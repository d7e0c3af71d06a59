import { type CDPSession, expect, type Page } from '@playwright/test';
import { linkFor } from './mails.ts';
import { PORTS } from './owner.ts';
import { signIn, test } from './pages.ts';

/** Passkeys are bound to a name, never to a number. */
const ORIGIN = `http://localhost:${PORTS.http}`;
const IDA = { email: 'ida@example.org', name: 'Ida Key', password: 'ida keeps 3 keys' } as const;

test.describe.configure({ mode: 'serial' });

test('a passkey is added, signs in, and is lost and recovered from', async ({ page, browser }) => {
  await page.goto('/admin/access/invites');
  await signIn(page, 'Access');
  await page.getByRole('button', { name: 'Invite new user' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(IDA.email);
  await page.getByRole('button', { name: 'Send invite' }).click();
  const hers = await (await browser.newContext({ baseURL: ORIGIN })).newPage();
  const { client, id } = await withAuthenticator(hers);
  await hers.goto(new URL(await linkFor(IDA.email, '/invitation')).pathname);
  await hers.getByLabel('Name').fill(IDA.name);
  await hers.getByLabel('Password', { exact: true }).fill(IDA.password);
  await hers.getByLabel('Confirm password').fill(IDA.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await hers.getByRole('link', { name: 'Go to login' }).click();
  await enterPassword(hers);
  await expect(hers.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();

  await hers.goto('/profile?tab=security');
  await hers.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = hers.getByRole('dialog');
  await dialog.getByLabel('Name of the passkey').fill('Blue key');
  await dialog.getByLabel('Password', { exact: true }).fill('not hers');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(dialog.getByRole('alert')).toContainText('password is not right');
  await dialog.getByLabel('Password', { exact: true }).fill(IDA.password);
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  const recoveryCode = (await dialog.locator('code').textContent()) ?? '';
  expect(recoveryCode).toHaveLength(32);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(hers.getByRole('list', { name: 'Passkeys' })).toContainText('Blue key');
  await expect(hers.getByRole('list', { name: 'Passkeys' })).toContainText('never used');

  await signOut(hers);
  await enterPassword(hers);
  await expect(hers.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  await client.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
  await hers.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(hers.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await hers.goto('/profile?tab=security');
  await expect(hers.getByRole('list', { name: 'Passkeys' })).toContainText('last used on');

  // The key is lost: whatever else answers is refused, and the recovery code leads out.
  await signOut(hers);
  await client.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await enterPassword(hers);
  await hers.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(hers.getByRole('alert')).toContainText('was not used');
  await hers.getByRole('button', { name: 'Use recovery code' }).click();
  await hers.getByLabel('Recovery code').fill(recoveryCode);
  await hers.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(hers.getByText('Recovery code accepted')).toBeVisible();
  await hers.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(hers.getByText('1. Information')).toBeVisible();
});

async function withAuthenticator(page: Page): Promise<{ client: CDPSession; id: string }> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId: id } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, id };
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(IDA.email);
  await page.getByLabel('Password', { exact: true }).fill(IDA.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/login');
}
