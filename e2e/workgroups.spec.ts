import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { linkFor } from './mails.ts';
import { confirm, openAs, rowOf, signIn, test } from './pages.ts';
import { callerOf } from './people.ts';

const IDA = { email: 'ida.sommer@example.org', name: 'Ida Sommer', password: 'ida counts 9 roofs' } as const;
const NAME = 'Große Dächer';

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${NAME}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('the staff make a workgroup, suspend it, export it and delete it, and its owner hears of it each time', async ({
  page,
  browser,
}) => {
  await openAs(page, '/opsteam?tab=workgroups', 'Ops team');
  await page.getByRole('button', { name: 'Create workgroup' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create workgroup' });
  await dialog.getByLabel('Display name').fill(NAME);
  await dialog.getByLabel('Email of the first owner').fill(IDA.email);
  await dialog.getByRole('button', { name: 'Create workgroup' }).click();
  await expect(rowOf(page, NAME)).toContainText('grosse-dacher');

  const hers = await (await browser.newContext()).newPage();
  await hers.goto(await linkFor(IDA.email, '/activate'));
  await hers.getByLabel('Name').fill(IDA.name);
  await hers.getByLabel('Password', { exact: true }).fill(IDA.password);
  await hers.getByLabel('Confirm password').fill(IDA.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await hers.getByRole('link', { name: 'Go to login' }).click();
  await signIn(hers, 'Devices', IDA);
  const wg = 'grosse-dacher';
  const owner = await callerOf(IDA);
  await owner.call(devicesApi.create, { params: { wg }, body: { name: 'Barn roof', arch: 'amd64' } });
  await expect(rowOf(hers, 'Barn roof')).toBeVisible();

  await choose(page, 'Suspend');
  await confirm(page);
  await expect(rowOf(page, NAME)).toContainText('Suspended');
  await expect(hers.getByRole('heading', { name: 'This workgroup is suspended' })).toBeVisible();
  await expect(hers.getByText(`The provider has suspended ${NAME}.`)).toBeVisible();
  await expectOpenToAll(hers, 'suspended workgroup');
  await hers.getByRole('main').getByRole('button', { name: 'Contact support' }).click();
  await hers.getByRole('dialog', { name: 'Contact support' }).getByRole('button', { name: 'Cancel' }).click();
  await choose(page, 'Resume');
  await confirm(page);
  await expect(rowOf(hers, 'Barn roof')).toBeVisible();

  await choose(page, 'Export');
  // Found again after a reload, with its file when it is done.
  await page.reload();
  await page.getByRole('button', { name: /^Activity/ }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: `Download ${wg}.tar.gz` }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`${wg}.tar.gz`);
  const archive = gunzipSync(readFileSync(await saved.path())).toString('utf8');
  expect(archive).toContain('records/devices-0.json');
  expect(archive).toContain('"name": "Barn roof"');

  await page.goto('/opsteam?tab=users');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ida.sommer@');
  await expect(rowOf(page, IDA.email)).toContainText(NAME);
  await expect(rowOf(page, IDA.email)).not.toContainText('Never');

  await page.goto('/opsteam?tab=workgroups');
  await choose(page, 'Delete');
  const confirmation = page.getByRole('dialog');
  await expect(confirmation).toContainText(
    '1 device loses its certificate. 1 member loses access immediately',
  );
  const sure = confirmation.getByRole('button', { name: `Delete ${NAME}` });
  await expect(sure).toBeDisabled();
  await confirmation.getByRole('textbox').fill(NAME);
  await sure.click();
  await expect(page.getByText(`The deletion of ${NAME} has started`)).toBeVisible();
  await expect(rowOf(page, NAME)).toHaveCount(0);

  await expect(hers.getByText('Session expired').first()).toBeVisible();
  await hers.goto('/login');
  await hers.getByLabel('Email', { exact: true }).fill(IDA.email);
  await hers.getByLabel('Password', { exact: true }).fill(IDA.password);
  await hers.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(
    hers.getByText("You don't have access to any workgroups, please contact an admin or support").first(),
  ).toBeVisible();
});
