import { devicesApi } from '@albedo/contract/devices/devices.api';
import { labellingApi } from '@albedo/contract/labelling/labelling.api';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a coordinator chooses the first page, and another browser knows it at once', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await openAs(other, '/admin/workgroup/settings', 'Workgroup');
  await openAs(page, '/admin/workgroup/settings', 'Workgroup');
  const choice = page.getByRole('combobox', { name: 'Default page', exact: true });
  await choice.fill('searches');
  await page.getByRole('option', { name: '(/search)' }).click();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('The settings were saved')).toBeVisible();
  const theirs = other.getByRole('combobox', { name: 'Default page', exact: true });
  await expect(theirs).toHaveValue(/\/search/);
  // Restore the start page: other journeys expect the default.
  const owner = await callerOf(OWNER);
  const params = { wg: 'demo', key: 'defaultPage' } as const;
  await owner.call(workgroupsApi.setSetting, { params, body: { value: null } });
});

test('metadata come in as a file: defined first, previewed, then all of it or nothing', async ({ page }) => {
  await openAs(page, '/admin/workgroup/metadata', 'Workgroup');
  const fields = page.getByRole('region', { name: 'Fields of devices' });
  const upload = async (text: string) => {
    await fields.getByRole('button', { name: 'Upload CSV' }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  const dialog = page.getByRole('dialog', { name: 'Import metadata of devices' });
  await upload('name,Grid operator\nHilltop,North Grid\n');
  await expect(dialog.getByText('Define the field Grid operator first.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await fields.getByRole('combobox', { name: 'Name of a field' }).fill('Grid operator');
  await fields.getByRole('combobox', { name: 'Name of a field' }).press('Enter');
  await expect(fields.getByRole('button', { name: 'Rename Grid operator' })).toBeVisible();
  await upload('name,Grid operator\nHilltop,North Grid\n');
  await expect(dialog.getByText('1 device would change: 1 value.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(fields.getByText('such as North Grid')).toBeVisible();

  await fields.getByRole('button', { name: 'Rename Grid operator' }).click();
  await fields.getByRole('textbox', { name: 'New name of Grid operator' }).fill('Utility');
  await fields.getByRole('textbox', { name: 'New name of Grid operator' }).press('Enter');
  await expect(fields.getByRole('button', { name: 'Rename Utility' })).toBeVisible();
  await expect(fields.getByText('such as North Grid')).toBeVisible();
});

test('labels of sources are stored when they are saved, and not before', async ({ page }) => {
  const owner = await callerOf(OWNER);
  const [device] = await owner.call(devicesApi.list, { params: { wg: 'demo' } });
  const bare = { device: device?.id ?? '', labels: [], parent: null };
  const sources = [
    { ...bare, source: 'inverter/1', labels: ['journey'] },
    { ...bare, source: 'inverter/2', parent: 'inverter/1' },
  ];
  await owner.call(labellingApi.save, { params: { wg: 'demo' }, body: { sources } });
  await openAs(page, '/admin/workgroup/labelling', 'Workgroup');
  await page.getByRole('button', { name: 'New label' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept watch of');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('button', { name: 'Apply Kept watch of to more sources' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Source name').fill('inverter/?');
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0);

  await page.getByRole('tab', { name: 'Sources' }).click();
  await page.getByRole('combobox', { name: 'Device' }).fill(device?.name ?? '');
  await page.getByRole('option', { name: device?.name ?? '', exact: true }).click();
  await expect(page.getByText('Below inverter/1')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Move inverter/2 out' }).click();
  await expect(page.getByText('1 change is not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('Below inverter/1')).toBeVisible();
});
