import { devicesApi } from '@albedo/contract/devices/devices.api';
import { expect, type Page } from '@playwright/test';
import { OWNER } from './owner.ts';
import { deviceLink, openAs, rowOf, test } from './pages.ts';
import { callerOf, makeWorkgroup, type Person } from './people.ts';
import { LIVING } from './product.ts';
import { wireOf } from './wire.ts';

/** Owner of a separate workgroup, whose only device is made here. */
const UMA: Person = { name: 'Uma Wire', email: 'uma@wire.example', password: 'uma has 2 wires' };
const SLOW_MS = 60_000;
const loading = (page: Page) => page.getByRole('status', { name: 'Loading' }).first();

test('at 400 kbit/s and 400 ms everything comes, says that it is coming, and nothing is given up', {
  tag: LIVING,
}, async ({ page, context }) => {
  test.setTimeout(240_000);
  page.setDefaultTimeout(SLOW_MS);
  const patient = expect.configure({ timeout: SLOW_MS });
  const client = await context.newCDPSession(page);
  const bytesPerSecond = 400_000 / 8;
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const failed: string[] = [];
  page.on('requestfailed', (request) => {
    // What a page that is left still asked for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });

  await page.goto('/login?redirect=%2Fdevices');
  await page.getByLabel('Email', { exact: true }).fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  const proceed = page.getByRole('button', { name: 'Continue', exact: true });
  await proceed.click();
  await patient(proceed).toHaveAttribute('data-loading', 'true');
  await patient(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await patient(deviceLink(page, 'Harbour')).toBeVisible();
  await deviceLink(page, 'Harbour').click();
  await patient(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible();
  await page.getByRole('tab', { name: 'Data' }).click();
  await patient(page.getByRole('region', { name: /^Legend of/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Admin' }).click();
  await page.getByRole('menuitem', { name: 'Access' }).click();
  await patient(page.getByRole('grid', { name: 'Users' })).toBeVisible();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await patient(loading(page)).toBeVisible();
  await patient(page.getByRole('grid', { name: 'Audit log' })).toBeVisible();
  expect(failed).toEqual([]);
  await page.getByRole('button', { name: /^Profile of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await patient(page.getByText('You are now logged out')).toBeVisible();
});

test('without the network the page says so, keeps what was typed, and shows what it missed once it is back', async ({
  page,
  context,
}) => {
  await makeWorkgroup('wires', 'Wires', UMA);
  const wire = await wireOf(page);
  await openAs(page, '/devices', 'Devices', UMA);
  const state = page.getByRole('banner').getByRole('status');
  await expect(state).toHaveText('Live');
  await expect(page.getByText('No devices yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Mine');

  await context.setOffline(true);
  await wire.cut();
  await expect(state).toHaveText('Offline');
  await dialog.getByRole('button', { name: 'Add device' }).click();
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Mine');
  const uma = await callerOf(UMA);
  await uma.call(devicesApi.create, { params: { wg: 'wires' }, body: { name: 'Meanwhile', arch: 'amd64' } });
  await expect(rowOf(page, 'Meanwhile')).toHaveCount(0);

  await context.setOffline(false);
  wire.mend();
  // Attempts are up to ten seconds apart by now.
  await expect(state).toHaveText('Live', { timeout: 30_000 });
  await expect(page.getByRole('gridcell', { name: 'Meanwhile', includeHidden: true }).first()).toBeAttached();
  await dialog.getByRole('button', { name: 'Add device' }).click();
  await expect(dialog.getByRole('status')).toContainText('Waiting for the device');
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'Mine')).toBeVisible();
});

test('a screen that is opened without a network says so, stays there, and opens with it', async ({
  page,
  context,
}) => {
  await openAs(page, '/profile', 'My profile');
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Analysis' }).first().click();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await context.setOffline(false);
  await again.click();
  await expect(page.getByRole('heading', { name: 'Analysis', level: 1 })).toBeVisible();
});
