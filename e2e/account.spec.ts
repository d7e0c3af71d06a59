import { expect, type Page } from '@playwright/test';
import { codeOf } from './harness/authenticator.ts';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, type Person } from './people.ts';

/** A person of her own, so that nothing here locks the owner of the other journeys out. */
const MIA: Person = { name: 'Mia Sol', email: 'mia@example.org', password: 'mia has 7 meters' };
const NEW_PASSWORD = 'mia has 8 meters now';

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await bringIn(OWNER, 'demo', MIA, { role: 'readonly' });
});

test('a forgotten password is replaced with the link in the mail, once', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Forgot password' }).click();
  await page.getByLabel('Email', { exact: true }).fill(MIA.email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText(
    `An email has been sent to ${MIA.email} with further instructions.`,
  );
  const link = await linkFor(MIA.email, '/reset');
  await page.goto(link);
  await setPassword(page);
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await page.goto(link);
  await setPassword(page);
  await expect(page.getByRole('alert')).toHaveText('Error: could not reset password.');
  await expect(page.getByText('Each email is single-use.')).toBeVisible();
});

test('a second factor is set up, asked for, and recovered when the phone is lost', async ({ page }) => {
  await page.goto('/profile?tab=security');
  await enter(page, NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  await setUp(page);
  const recoveryCode = (await page.locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('It is on')).toBeVisible();

  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/login');
  await enter(page, NEW_PASSWORD);
  await page.getByLabel('Authenticator code').fill('000000');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid authenticator code');
  await page.getByRole('button', { name: 'Use recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await setUp(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
});

test('signing out in one tab signs out the other', async ({ page, context }) => {
  await openAs(page, '/devices');
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByText(OWNER.email).first()).toBeVisible();
  await page.getByRole('button', { name: /Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other.getByText('You are now logged out')).toBeVisible();
});

test('two keys find a device', async ({ page }) => {
  await openAs(page, '/devices');
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('hilltop');
  await expect(page.getByRole('dialog').getByRole('row').first()).toContainText('Hilltop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Hilltop/, level: 1 })).toBeVisible();
});

async function enter(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(MIA.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function setPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Reset password' }).click();
}

/** Steps 1 to 4 of the wizard. */
async function setUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Create QR code' }).click();
  await expect(page.getByText('The QR code is ready.')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Authenticator code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is correct.')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
}
