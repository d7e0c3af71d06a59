import { expect } from '@playwright/test';
import { deviceLink, openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

test('metadata of all devices are changed at once, after a look at what would be', { tag: LIVING }, async ({
  page,
}) => {
  await openAs(page, '/devices');
  await page.getByRole('link', { name: 'Bulk actions' }).click();
  await expect(page.getByRole('heading', { name: 'Bulk actions', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'New bulk action' }).click();
  const dialog = page.getByRole('dialog', { name: 'New bulk action' });
  await dialog.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Change metadata' }).click();
  await dialog.getByRole('textbox', { name: 'Metadata' }).fill('Crew: Blue');
  await dialog.getByRole('button', { name: /^All devices/ }).click();
  await dialog.getByLabel('Watch each wave for (min)').fill('0');
  await dialog.getByRole('button', { name: 'Dry run' }).click();
  await expect(
    dialog.getByRole('region', { name: 'Dry run' }).getByText('+ Crew: Blue').first(),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Begin' }).click();
  const targets = page.getByRole('region', { name: 'Change metadata: Crew' });
  await expect(targets.getByRole('cell', { name: 'Done' }).first()).toBeVisible();
  await expect(
    page.getByRole('row', { name: /Change metadata: Crew/ }).getByText('Done', { exact: true }),
  ).toBeVisible({
    timeout: 30_000,
  });
});

test('certificates of all devices are replaced at once, and the log of a device says who wanted it', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/devices/bulk-actions', 'Bulk actions');
  await page.getByRole('button', { name: 'New bulk action' }).click();
  const dialog = page.getByRole('dialog', { name: 'New bulk action' });
  await dialog.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Replace certificates' }).click();
  await dialog.getByRole('button', { name: /^All devices/ }).click();
  await dialog.getByLabel('Watch each wave for (min)').fill('0');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  const targets = page.getByRole('region', { name: /Replace certificates/ });
  await expect(targets.getByRole('row', { name: /Hilltop/ }).getByText('Done')).toBeVisible({
    timeout: 60_000,
  });
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await deviceLink(page, 'Hilltop').click();
  await page.getByRole('tab', { name: 'Audit' }).click();
  const log = page.getByRole('tabpanel');
  await expect(log.getByRole('row', { name: /certificate/i }).first()).toBeVisible();
  await expect(log.getByText('Harbour')).toHaveCount(0);
});
