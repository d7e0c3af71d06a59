import { type CDPSession, expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { OWNER } from './owner.ts';
import { test } from './pages.ts';
import { bringIn, type Person } from './people.ts';
import { PORTS } from './place.ts';

/** Passkeys are bound to a name, never to a number. */
const ORIGIN = `http://localhost:${PORTS.http}`;
const IDA: Person = { name: 'Ida Key', email: 'ida.key@example.org', password: 'ida keeps 3 keys' };

test.use({ baseURL: ORIGIN });

test('a passkey is added, signs in, and is lost and recovered from', async ({ page }) => {
  await bringIn(OWNER, 'demo', IDA, { role: 'readonly' });
  const { client, id } = await withAuthenticator(page);
  await page.goto('/login');
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();

  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Passkey name').fill('Blue key');
  await dialog.getByLabel('Password', { exact: true }).fill('not hers');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(dialog).toContainText('password is incorrect');
  await dialog.getByLabel('Password', { exact: true }).fill(IDA.password);
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  const recoveryCode = (await dialog.locator('code').textContent()) ?? '';
  expect(recoveryCode).toHaveLength(32);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Blue key');
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('never used');
  await expectOpenToAll(page, 'passkeys');

  await signOut(page);
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: "Confirm it's you" })).toBeVisible();
  await expectOpenToAll(page, 'login with a passkey');
  await client.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await page.goto('/profile?tab=security');
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('last used on');

  // The key is lost: whatever else answers is refused, and the recovery code leads out.
  await signOut(page);
  await client.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await enterPassword(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('was not used');
  await page.getByRole('button', { name: 'Use recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Recovery code accepted')).toBeVisible();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('1. Information')).toBeVisible();
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
  await page.getByLabel('Email', { exact: true }).fill(IDA.email);
  await page.getByLabel('Password', { exact: true }).fill(IDA.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/login');
}
