import { expect } from '@playwright/test';
import { deviceLink, openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

test('the three tabs of a device: what it is and measures now, each sample as it comes, and what is stored', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/devices');
  await deviceLink(page, 'Hilltop').click();
  await expect(page).toHaveURL(/\/devices\/[0-9a-f-]{36}\/general$/);
  for (const title of ['Today', 'Inverters', 'Machine load', 'Completeness'])
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  const sources = page.getByRole('region', { name: 'Sources' });
  await sources.getByRole('button', { name: 'Expand all' }).click();
  const before = (await sources.getByRole('listitem').allTextContents()).join();
  await expect
    .poll(async () => (await sources.getByRole('listitem').allTextContents()).join())
    .not.toBe(before);

  await page.getByRole('tab', { name: 'Live feed' }).click();
  await expect(page).toHaveURL(/\/live-feed/);
  // The newest record may be a controller's, which only writes on a change.
  await page.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'inv-01', exact: true }).click();
  const log = page.getByRole('region', { name: 'Sample log' });
  // The header is a row too.
  await expect.poll(() => log.getByRole('row').count()).toBeGreaterThan(2);
  await expect(page.getByRole('img', { name: /^Live chart of/ })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/paused, still receiving/)).toBeVisible();
  const frozen = await log.getByRole('row').count();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => log.getByRole('row').count()).toBeGreaterThan(frozen);

  await page.getByRole('tab', { name: 'Data' }).click();
  await expect(page).toHaveURL(/\/data/);
  await expect(page.getByRole('region', { name: /^Legend of/ }).first()).toBeVisible();
  const stored = page.waitForResponse(/\/api\/v1\/series\//);
  await page.getByRole('button', { name: 'Last day' }).click();
  await page.getByRole('button', { name: 'Last hour' }).click();
  expect((await stored).status()).toBe(200);
  await expect(page).toHaveURL(/hour/i);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Last hour' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Legend of/ }).first()).toBeVisible();
});
