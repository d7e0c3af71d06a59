import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a cloud device is made, comes online by itself, and keeps the secrets of its network', async ({
  page,
}) => {
  const owner = await callerOf(OWNER);
  await owner.call(addonsApi.add, { params: { wg: 'demo' }, body: { id: 'ced' } });
  await openAs(page, '/devices');
  await page.getByRole('button', { name: 'Add device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Cloud device', { exact: true }).click();
  await dialog.getByLabel('Name').fill('VPN gateway');
  await dialog.getByRole('button', { name: 'Add device' }).click();
  await expect(page.getByText('New device created')).toBeVisible();
  await expect(page.getByText('Online', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  const card = page.getByRole('region', { name: 'Cloud device' });
  await expect(card.getByText(/^running/)).toBeVisible();

  const network = page.getByRole('region', { name: 'Network settings' });
  await network.getByLabel('Variable').fill('VPN_PASSWORD');
  await network.getByLabel('Value').fill('a word that nobody reads again');
  await network.getByRole('button', { name: 'Save' }).click();
  await expect(network.getByText('VPN_PASSWORD')).toBeVisible();
  await page.reload();
  await expect(network.getByText('VPN_PASSWORD')).toBeVisible();
  expect(await page.content()).not.toContain('a word that nobody reads again');
  const shots = process.env.ALBEDO_SHOTS;
  if (shots) await page.screenshot({ path: `${shots}/cloud-device.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  if (shots) await page.screenshot({ path: `${shots}/cloud-device-390.png`, fullPage: true });
  await card.getByRole('button', { name: 'Stop' }).click();
  await expect(card.getByText(/^stopped/)).toBeVisible();
});
