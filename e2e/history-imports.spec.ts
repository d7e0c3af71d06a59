import { devicesApi } from '@albedo/contract/devices/devices.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { confirm, openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a file of history is brought in as it is shown, and undone', async ({ page }) => {
  const owner = await callerOf(OWNER);
  const claims = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  const params = { wg: claims.defaultWorkgroup };
  await owner.call(devicesApi.create, { params, body: { name: 'Old roof' } });
  await openAs(page, '/admin/data/imports', 'Data');
  await page.getByRole('button', { name: 'Import history' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'old_roof.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('time,P\n2024-06-01 12:00,1.5\nyesterday,2\n2024-06-01 12:05,2.5\n'),
  });
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  await expect(dialog.getByText('2024-06-01 12:00')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Device', exact: true }).click();
  await page.getByRole('option', { name: 'Old roof' }).click();
  await dialog.getByRole('button', { name: 'P', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show what is stored' }).click();
  await expect(dialog.getByText('2 events in the first 3 records')).toBeVisible();
  await expect(dialog.getByText('Line 3: “yesterday” is no time of the past.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const row = page.getByRole('row', { name: /old_roof\.csv/ });
  await expect(row).toContainText('2 events stored, 1 bad record');

  await row.getByRole('button', { name: 'Actions for old_roof.csv' }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await confirm(page);
  await expect(row).toContainText('Undone');
});
