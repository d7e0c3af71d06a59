import { expect } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { confirm, openAs, test } from './pages.ts';

const ZOE = { email: 'zoe@example.org', name: 'Zoë Müller', password: 'zoe likes 12 lemons' } as const;

test('somebody who was invited registers, sees what is theirs, and loses it when removed', async ({
  page,
  browser,
}) => {
  await openAs(page, '/admin/access', 'Access');
  await expect(page).toHaveURL(/\/admin\/access\/users$/);
  await page.getByRole('button', { name: 'Invite new user' }).click();
  await page.getByRole('button', { name: 'Send invite' }).click();
  await expect(page.getByText('Email address is required.')).toBeVisible();
  await expectOpenToAll(page, 'new invite, with what is missing');
  await page.getByRole('textbox', { name: 'Email' }).fill(ZOE.email);
  await page.getByRole('button', { name: 'Send invite' }).click();
  await page.getByRole('tab', { name: 'Invites' }).click();
  await expect(page.getByRole('row').filter({ hasText: ZOE.email })).toBeVisible();
  await expectOpenToAll(page, 'invites');

  const hers = await (await browser.newContext()).newPage();
  await hers.goto(await linkFor(ZOE.email, '/invitation'));
  await hers.getByLabel('Name').fill(ZOE.name);
  await hers.getByLabel('Password', { exact: true }).fill(ZOE.password);
  await hers.getByLabel('Confirm password').fill('something else');
  await hers.getByLabel('Name').focus();
  await expect(hers.getByText('Passwords must match')).toBeVisible();
  await expectOpenToAll(hers, 'invitation');
  await hers.getByLabel('Confirm password').fill(ZOE.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await hers.getByRole('link', { name: 'Go to login' }).click();
  await expect(hers.getByLabel('Email', { exact: true })).toHaveValue(ZOE.email);
  await hers.getByLabel('Password', { exact: true }).fill(ZOE.password);
  await hers.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(hers.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await expect(hers.getByRole('link', { name: 'Access' })).toHaveCount(0);
  await hers.goto('/admin/access/users');
  await expect(hers).toHaveURL(/\/access-denied\?required=permission$/);
  await hers.goto('/devices');
  await expect(hers.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();

  await page.goto('/admin/access/users');
  await page.getByRole('button', { name: `Actions for ${ZOE.name}` }).click();
  await page.getByRole('menuitem', { name: 'Change role and permissions' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'role and permissions');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Actions for ${ZOE.name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove from workgroup' }).click();
  await expectOpenToAll(page, 'question before removing');
  await confirm(page);
  await expect(page.getByText(`${ZOE.name} was removed`)).toBeVisible();
  await expectOpenToAll(page, 'notification');
  await expect(hers).toHaveURL(/\/session-expired/);
});

test('the last owner stays', async ({ page }) => {
  await openAs(page, '/admin/access', 'Access');
  const own = page.getByRole('row').filter({ hasText: OWNER.email });
  await own.getByRole('button', { name: /^Actions for/ }).click();
  const remove = page.getByRole('menuitem', { name: 'Remove from workgroup' });
  await expect(remove).toBeDisabled();
  await expect(remove).toHaveAttribute('title', /is the only owner/);
  await page.getByRole('menuitem', { name: 'Change role and permissions' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('is the only owner')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Role' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Remove' })).toHaveCount(0);
});
