import { schedulesApi } from '@albedo/contract/schedules/schedules.api';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, callerOf, type Person } from './people.ts';
import { LIVING } from './product.ts';

const IRIS: Person = { name: 'Iris Inverter', email: 'iris@example.org', password: 'iris opens 15 doors' };

/** Confirms that it is them where that is asked for before `done` shows. */
async function confirmed(page: Page, { password }: { password: string }, done: Locator): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(asked.or(done).first()).toBeVisible();
  if (await asked.isVisible()) {
    await asked.getByLabel('Password', { exact: true }).fill(password);
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  await expect(done).toBeVisible();
}

/** Iris looks at the request, confirms her identity, and approves. */
async function approve(page: Page, what: RegExp): Promise<void> {
  const card = page.getByRole('list', { name: 'Waits for approval' }).getByRole('listitem');
  await expect(card).toContainText(what);
  await card.getByRole('button', { name: 'Approve' }).click();
  await confirmed(page, IRIS, page.getByText('Approved. It is on its way to the device.'));
}

test('a plant is limited by two people, inverter by inverter, and released by two', {
  tag: LIVING,
}, async ({ page, browser }) => {
  // At night nobody can tell whether an inverter follows; the cloud looks for a minute then.
  test.setTimeout(300_000);
  await bringIn(OWNER, 'demo', IRIS, { role: 'power', permissions: ['read', 'controlDevices'] });
  const owner = await callerOf(OWNER);
  const policy = await owner.call(schedulesApi.policy, { params: { wg: 'demo' } });
  expect(policy.needs).toBe('secondPerson');

  await openAs(page, '/control/devices?show=all', 'Device schedules');
  await page.getByRole('link', { name: 'Hilltop', exact: true }).click();
  const discover = page.getByRole('button', { name: 'Discover setpoints' });
  const limit = page.getByRole('button', { name: 'Limit now' });
  await expect(async () => {
    if (await limit.isVisible()) return;
    // The plugin begins after its agent.
    if (await discover.isEnabled()) await discover.click();
    await expect(limit).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });

  await limit.click();
  const dialog = page.getByRole('dialog', { name: 'Limit Hilltop' });
  await expect(dialog).toContainText('Somebody else has to approve it within 24 hours');
  await dialog.getByLabel('Value', { exact: true }).fill('40');
  await dialog.getByLabel('Reason').fill('The grid operator asked for it.');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  const own = page.getByRole('list', { name: 'Waits for approval' });
  await expect(own).toContainText('waits for somebody else to approve it');
  await expect(own.getByRole('button', { name: 'Approve' })).toBeHidden();

  const hers = await (await browser.newContext()).newPage();
  await openAs(hers, '/control/devices', 'Device schedules', IRIS);
  await expectOpenToAll(hers, 'the devices that are controlled');
  await approve(hers, /owner@albedo\.local wants to set .* on Hilltop/);

  const inverter = page.getByRole('region', { name: 'Inverters' }).getByRole('row').nth(1);
  await expect(inverter).toContainText('WMaxLimPct', { timeout: 30_000 });
  await expect(inverter).toContainText('40%');
  const sentence = page.getByRole('status').filter({ hasText: /Limited to 40 % until/ });
  await expect(sentence).toBeVisible({ timeout: 100_000 });
  await expect(page.getByText(/approved by iris@example\.org/)).toBeVisible();

  await expectOpenToAll(page, 'the control of a device');

  await page.getByRole('button', { name: 'Release' }).click();
  const release = page.getByRole('dialog', { name: 'Release Hilltop' });
  await release.getByLabel('Reason').fill('The works are over.');
  await release.getByRole('button', { name: 'Ask for approval' }).click();
  await approve(hers, /owner@albedo\.local wants to release/);
  await expect(page.getByRole('status').filter({ hasText: 'Not limited' })).toBeVisible({ timeout: 100_000 });
  const versions = page.getByRole('region', { name: 'Versions' }).first();
  await expect(versions).toContainText('iris@example.org');
  await expect(versions).toContainText('Released');
});
