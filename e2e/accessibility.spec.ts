import { expect } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { deviceLink, openAs, signIn, test } from './pages.ts';
import { LIVING } from './product.ts';

test('neither sign-in, dashboards nor the list of devices keeps anybody out', { tag: LIVING }, async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await expectOpenToAll(page, 'sign-in');
  await signIn(page, 'Overview');
  await expectOpenToAll(page, 'dashboard');
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await expect(deviceLink(page, 'Harbour')).toBeVisible();
  await expectOpenToAll(page, 'device list');

  await page.getByRole('button', { name: /Choose columns|more columns?$/ }).click();
  await expect(page.getByRole('checkbox', { name: 'Kind' })).toBeVisible();
  await expectOpenToAll(page, 'choice of columns');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add device' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'adding a device');
});

test('no tab of a device keeps anybody out', { tag: LIVING }, async ({ page }) => {
  await openAs(page, '/devices');
  await deviceLink(page, 'Harbour').click();
  await expect(page.getByRole('heading', { name: 'Completeness' })).toBeVisible();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expectOpenToAll(page, 'device, general');
  await page.getByRole('tab', { name: 'Live feed' }).click();
  await expect(page.getByRole('region', { name: 'Sample log' })).toBeVisible({ timeout: 30_000 });
  await expectOpenToAll(page, 'device, live feed');
  await page.getByRole('tab', { name: 'Data' }).click();
  await expect(page.getByRole('region', { name: /Legend of/ })).toBeVisible({ timeout: 30_000 });
  await expectOpenToAll(page, 'device, data');
  await page.getByRole('button', { name: 'Last day' }).click();
  await expect(page.getByRole('button', { name: 'Last 7 days' })).toBeVisible();
  await expectOpenToAll(page, 'time range');
});

test('no screen of access keeps anybody out', async ({ page }) => {
  await openAs(page, '/admin/access/users', 'Access');
  await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible();
  await expectOpenToAll(page, 'access, users');
  await page.getByRole('tab', { name: 'API tokens' }).click();
  await page.getByRole('button', { name: 'New token' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'access, API tokens');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('grid', { name: 'Audit log' })).toBeVisible();
  await expectOpenToAll(page, 'access, audit log');

  await page.goto('/admin/workgroup/device-groups');
  await expect(page.getByRole('button', { name: 'New device group' })).toBeVisible();
  await expectOpenToAll(page, 'device groups');

  await page.goto('/announcements');
  await expect(page.getByText('No announcements')).toBeVisible();
  await expectOpenToAll(page, 'announcements');
});

test('what tells of a new release keeps nobody out', async ({ page }) => {
  await page.route('**/api/v1/version', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'x-frontend-version': '99.0.0' } });
  });
  await openAs(page, '/profile', 'My profile');
  await expect(page.getByRole('dialog', { name: 'Update available' })).toBeVisible();
  await expectOpenToAll(page, 'update');
  await page.getByRole('button', { name: 'Dismiss for five minutes' }).click();
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeVisible();
  await expectOpenToAll(page, 'update that was put off');
});
