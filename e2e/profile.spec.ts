import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { linkFor } from './mails.ts';
import { signIn, test } from './pages.ts';

const LEA = { email: 'lea@example.org', name: 'Lea Berg', password: 'lea counts 9 meters' } as const;
const NEW_EMAIL = 'lea.berg@example.org';

test.describe.configure({ mode: 'serial' });

test('a person changes her details, and the top bar calls her by the new name at once', async ({
  page,
  browser,
}) => {
  await page.goto('/admin/access/invites');
  await signIn(page, 'Access');
  await page.getByRole('button', { name: 'Invite new user' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(LEA.email);
  await page.getByRole('button', { name: 'Send invite' }).click();
  const hers = await (await browser.newContext()).newPage();
  await hers.goto(await linkFor(LEA.email, '/invitation'));
  await hers.getByLabel('Name').fill(LEA.name);
  await hers.getByLabel('Password', { exact: true }).fill(LEA.password);
  await hers.getByLabel('Confirm password').fill(LEA.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await hers.goto('/profile');
  await enter(hers, LEA.email);
  await hers.getByLabel('Name').fill('');
  await expect(hers.getByText('Name is required')).toBeVisible();
  await hers.getByLabel('Name').fill('Lea Sommer');
  await hers.getByLabel('Company').fill('Sonnenhof');
  await hers.getByRole('button', { name: 'Save' }).click();
  await expect(hers.getByText('Your details are saved')).toBeVisible();
  await expect(hers.getByRole('button', { name: 'Profile of Lea Sommer' })).toBeVisible();
  await hers.reload();
  await expect(hers.getByRole('button', { name: 'Profile of Lea Sommer' })).toBeVisible();
  await expect(hers.getByLabel('Company')).toHaveValue('Sonnenhof');
});

test('a new e-mail address counts with its code, and the old one is told', async ({ page }) => {
  await page.goto('/profile');
  await enter(page, LEA.email);
  await page.getByRole('button', { name: 'Change e-mail address' }).click();
  await page.getByLabel('New e-mail address').fill('lea');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByLabel('New e-mail address').fill(NEW_EMAIL);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect.poll(() => newestCode(NEW_EMAIL)).not.toBeNull();
  const first = newestCode(NEW_EMAIL) ?? '';
  await page.getByLabel('Code of four digits').fill(first === '0000' ? '0001' : '0000');
  await page.getByRole('button', { name: 'Confirm the new address' }).click();
  await expect(page.getByText('This code is not right, or it has expired.')).toBeVisible();
  await page.getByLabel('Code of four digits').fill(first);
  await page.getByRole('button', { name: 'Confirm the new address' }).click();
  await expect(page.getByText('Your e-mail address was changed')).toBeVisible();
  await expect(page.getByText(NEW_EMAIL).first()).toBeVisible();
  await expect.poll(() => newestMail(LEA.email)).toContain('Your e-mail address was changed');
});

test('the tabs of the profile have addresses, and the session token can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/profile');
  await enter(page, NEW_EMAIL);
  await page.getByRole('tab', { name: 'Version' }).click();
  await expect(page).toHaveURL(/tab=version/);
  await page.getByRole('button', { name: 'Copy the current session token' }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  const reply = await page.request.get('/api/v1/me', { headers: { authorization: `Bearer ${token}` } });
  expect(await reply.json()).toMatchObject({ email: NEW_EMAIL });
  await page.getByRole('tab', { name: 'Workgroups' }).click();
  await expect(page.getByRole('radio', { name: /^Begin in/ })).toBeChecked();
  await page.getByRole('switch', { name: /in the selector$/ }).click();
  await page.reload();
  await expect(page.getByRole('switch', { name: /in the selector$/ })).not.toBeChecked();
  await page.goBack();
  await expect(page).toHaveURL(/tab=version/);
});

async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(LEA.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'My profile', level: 1 })).toBeVisible();
}

const newestCode = (address: string): string | null =>
  /your code is (\d{4})/.exec(newestMail(address) ?? '')?.[1] ?? null;

function newestMail(address: string): string | null {
  const outbox = join(process.env.ALBEDO_E2E_DATA ?? '', 'outbox');
  const mails = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  const texts = mails
    .toSorted()
    .toReversed()
    .map((name) => readFileSync(join(outbox, name), 'utf8').replace(/=\r?\n/g, ''));
  return texts.find((text) => text.includes(`To: ${address}`)) ?? null;
}
