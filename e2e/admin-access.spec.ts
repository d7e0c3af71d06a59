import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { confirm, openAs, test } from './pages.ts';

test('an API token is made, shown once, works, and ends with its revocation', async ({ page }) => {
  await openAs(page, '/admin/access/api-tokens', 'Access');
  // An empty list offers it too.
  await page.getByRole('button', { name: 'New token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Required').first()).toBeVisible();
  await dialog.getByLabel('Token owner').fill('A partner');
  await dialog.getByLabel('Email address').fill('partner@example.org');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.getByLabel('API token', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'I have copied it' }).click();

  const headers = { authorization: `bearer ${secret}` };
  const { workgroup } = await page.evaluate(() => ({ workgroup: localStorage.getItem('albedo.workgroup') }));
  const orgs = await page.request.get('/api/v1/token/renew', { headers });
  expect(orgs.status()).toBe(403);
  const claims = JSON.parse(Buffer.from(secret.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  const path = `/api/v1/devices/${workgroup ?? claims.defaultWorkgroup}`;
  expect((await page.request.get(path, { headers })).status()).toBe(200);
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Actions for the token of A partner' }).click();
  await page.getByRole('menuitem', { name: 'Allow renewal' }).click();
  await expect(page.getByText('The token of A partner can renew itself')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for the token of A partner' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await confirm(page);
  await expect(page.getByText('The token of A partner was revoked')).toBeVisible();
  expect((await page.request.get(path, { headers })).status()).toBe(401);
});

test('what was changed is in the audit log, is found by its text, and stays in the address', async ({
  page,
}) => {
  await openAs(page, '/admin/access/audit', 'Access');
  const grid = page.getByRole('grid', { name: 'Audit log' });
  await expect(grid.getByRole('row').filter({ hasText: 'signed in' }).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Component' }).click();
  await page.getByRole('option', { name: 'auth' }).click();
  await expect(page).toHaveURL(/controller=auth/);
  await page.getByRole('textbox', { name: 'Person' }).fill('owner@');
  await expect(page).toHaveURL(/by=owner/);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Person' })).toHaveValue('owner@');
  const row = grid.getByRole('row').filter({ hasText: OWNER.email }).first();
  await row.click();
  await expect(page.getByRole('dialog')).toContainText('Success');
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all results' }).click();
  await page.getByRole('button', { name: 'Save file' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
  await page.getByRole('textbox', { name: 'Search text' }).fill('nothing has such a text');
  await expect(page.getByText('Nothing found')).toBeVisible();
});

test('without the addon access control has no tab, and its page says that rules do not count', async ({
  page,
}) => {
  await openAs(page, '/admin/access/users', 'Access');
  await expect(page.getByRole('tab', { name: 'Access control' })).toHaveCount(0);
  await page.goto('/admin/access/access-control');
  await expect(page.getByText('The addon is off in this workgroup')).toBeVisible();
});
