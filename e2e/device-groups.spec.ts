import { expect } from '@playwright/test';
import { linkFor } from './mails.ts';
import { confirm, openAs, rowOf, signIn, test } from './pages.ts';

const MIA = { email: 'mia.roth@example.org', name: 'Mia Roth', password: 'mia counts 7 magpies' } as const;

test('somebody in a device group sees its devices alone, and a change of the group at once', async ({
  page,
  browser,
}) => {
  await openAs(page, '/admin/workgroup/device-groups', 'Workgroup');
  await page.getByRole('button', { name: 'New device group' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('North');
  const [own, other] = ['Hilltop', 'Harbour'];
  await dialog.getByLabel(own, { exact: true }).check();
  await expect(dialog.getByText('1 device', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, 'North')).toContainText('1 selected device');

  await page.goto('/admin/access/users');
  await page.getByRole('button', { name: 'Invite new user' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(MIA.email);
  await page.getByRole('combobox', { name: 'Device group' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await page.getByRole('button', { name: 'Send invite' }).click();

  const hers = await (await browser.newContext()).newPage();
  await hers.goto(await linkFor(MIA.email, '/invitation'));
  await hers.getByLabel('Name').fill(MIA.name);
  await hers.getByLabel('Password', { exact: true }).fill(MIA.password);
  await hers.getByLabel('Confirm password').fill(MIA.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await hers.getByRole('link', { name: 'Go to login' }).click();
  await signIn(hers, 'Devices', MIA);
  await expect(rowOf(hers, own)).toBeVisible();
  await expect(rowOf(hers, other)).toHaveCount(0);

  await page.goto('/admin/workgroup/device-groups');
  await rowOf(page, 'North').getByRole('button', { name: 'Actions for North' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await confirm(page);
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('still in use (members: 1');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await rowOf(page, 'North').getByRole('button', { name: 'Actions for North' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel(own, { exact: true }).uncheck();
  await dialog.getByLabel(other, { exact: true }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(hers, other)).toBeVisible();
  await expect(rowOf(hers, own)).toHaveCount(0);
});
