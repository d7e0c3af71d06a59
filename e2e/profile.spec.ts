import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, type Person } from './people.ts';
import { OUTBOX } from './place.ts';

const LEA: Person = { name: 'Lea Berg', email: 'lea@example.org', password: 'lea counts 9 meters' };
const NEW_EMAIL = 'lea.berg@example.org';

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await bringIn(OWNER, 'demo', LEA, { role: 'readonly' });
});

test('a person changes her details, and the top bar calls her by the new name at once', async ({ page }) => {
  await openAs(page, '/profile', 'My profile', LEA);
  await page.getByLabel('Name').fill('');
  await expect(page.getByText('Name is required')).toBeVisible();
  await page.getByLabel('Name').fill('Lea Sommer');
  await page.getByLabel('Company').fill('Sonnenhof');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your details are saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Profile of Lea Sommer' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Profile of Lea Sommer' })).toBeVisible();
  await expect(page.getByLabel('Company')).toHaveValue('Sonnenhof');
});

test('a new e-mail address counts with its code, and the old one is notified', async ({ page }) => {
  await openAs(page, '/profile', 'My profile', LEA);
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByLabel('New email address').fill('lea');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByLabel('New email address').fill(NEW_EMAIL);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect.poll(() => newestCode(NEW_EMAIL)).not.toBeNull();
  const first = newestCode(NEW_EMAIL) ?? '';
  await page.getByLabel('Six-digit code').fill(first === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Confirm the new address' }).click();
  await expect(page.getByText('This code is incorrect or has expired.')).toBeVisible();
  await page.getByLabel('Six-digit code').fill(first);
  await page.getByRole('button', { name: 'Confirm the new address' }).click();
  await expect(page.getByText('Your email address was changed')).toBeVisible();
  await expect(page.getByText(NEW_EMAIL).first()).toBeVisible();
  await expect.poll(() => newestMail(LEA.email)).toContain('Your email address was changed');
});

test('the tabs of the profile have addresses, and the session token can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAs(page, '/profile', 'My profile', { ...LEA, email: NEW_EMAIL });
  await page.getByRole('tab', { name: 'Version' }).click();
  await expect(page).toHaveURL(/tab=version/);
  await page.getByRole('button', { name: 'Copy the current session token' }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  const reply = await page.request.get('/api/v1/me', { headers: { authorization: `Bearer ${token}` } });
  expect(await reply.json()).toMatchObject({ email: NEW_EMAIL });
  await page.getByRole('tab', { name: 'Workgroups' }).click();
  await expect(page.getByRole('radio', { name: /^Start in/ })).toBeChecked();
  await page.getByRole('switch', { name: /in the selector$/ }).click();
  await page.reload();
  await expect(page.getByRole('switch', { name: /in the selector$/ })).not.toBeChecked();
  await page.goBack();
  await expect(page).toHaveURL(/tab=version/);
});

const newestCode = (address: string): string | null =>
  /Your code is (\d{6})/.exec(newestMail(address) ?? '')?.[1] ?? null;

function newestMail(address: string): string | null {
  const mails = readdirSync(OUTBOX).filter((name) => name.endsWith('.eml'));
  const texts = mails
    .toSorted()
    .toReversed()
    .map((name) => readFileSync(join(OUTBOX, name), 'utf8').replace(/=\r?\n/g, ''));
  return texts.find((text) => text.includes(`To: ${address}`)) ?? null;
}
