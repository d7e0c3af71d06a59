import { readFileSync } from 'node:fs';
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
  await expect(dialog.getByText('2 events in 3 records')).toBeVisible();
  await expect(dialog.getByText('Line 3: “yesterday” is not a time in the past.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const row = page.getByRole('row', { name: /old_roof\.csv/ });
  await expect(row).toContainText('2 events stored, 1 bad record');

  await row.getByRole('button', { name: 'Actions for old_roof.csv' }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await confirm(page);
  await expect(row).toContainText('Undone');
});

/** As a logger in German writes it: what it is above the names, units below them, decimal commas, Windows-1252. */
const FOREIGN = Buffer.from(
  [
    'sep=;',
    'Anlage: Süddach;;',
    '',
    'Datum;Uhrzeit;Leistung;Ertrag',
    ';;kW;kWh',
    ...Array.from({ length: 48 }, (_, i) => {
      const clock = `${String(Math.floor(i / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}`;
      return `01.06.26;${clock};${String(i / 8).replace('.', ',')};1.234,5`;
    }),
  ].join('\r\n'),
  'latin1',
);

test('a file of another program comes in as it is, makes a chart, and leaves as CSV for Excel', async ({
  page,
}) => {
  const owner = await callerOf(OWNER);
  const claims = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  await owner.call(devicesApi.create, {
    params: { wg: claims.defaultWorkgroup },
    body: { name: 'South roof' },
  });
  await openAs(page, '/admin/data/imports', 'Data');
  await page.getByRole('button', { name: 'Import history' }).click();
  const dialog = page.getByRole('dialog');
  const file = { name: 'suedach.csv', mimeType: 'text/csv', buffer: FOREIGN };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  await expect(
    dialog.getByText('Windows-1252 · semicolon · names in line 4 · units in line 5 · 48 records'),
  ).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Device', exact: true }).click();
  await page.getByRole('option', { name: 'South roof' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Column with the time of day' })).toHaveValue('Uhrzeit');
  await dialog.getByRole('combobox', { name: 'Time zone if none is given' }).fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await dialog.getByRole('button', { name: 'All 2 columns' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Decimal sign of Leistung' })).toHaveValue('1,5');
  await dialog.getByRole('button', { name: 'Show what is stored' }).click();
  await expect(dialog.getByText('48 events in 48 records')).toBeVisible();
  await expect(dialog.getByText('Every record is stored.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('row', { name: /suedach\.csv/ })).toContainText('48 events stored');

  await openAs(page, '/analysis?range=2026-05-31T22:00Z_2026-06-01T22:00Z&tz=Europe/Berlin', 'Analysis');
  const fields = page.getByRole('complementary', { name: 'Fields' });
  await fields.getByRole('button', { name: 'South roof' }).click();
  await fields.getByRole('checkbox', { name: /^Leistung/ }).check();
  const chart = page.getByRole('group', { name: /^Chart: South roof/ });
  await expect(chart).toBeVisible();
  await page.getByRole('button', { name: /^Chart menu of South roof/ }).click();
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click();
  const saving = page.getByRole('dialog', { name: /as CSV/ });
  await expect(saving.getByRole('radio', { name: 'Excel in my language' })).toBeChecked();
  await saving.getByRole('combobox', { name: 'Decimals' }).click();
  await page.getByRole('option', { name: '1,5' }).click();
  const download = page.waitForEvent('download');
  await saving.getByRole('button', { name: 'Save file' }).click();
  const [head, first, second] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  expect(head).toMatch(/^\uFEFFtime;time offset;.*Leistung.*\[kW\]/);
  expect([first, second].map((line) => line?.split(';').slice(0, 3))).toEqual([
    ['2026-06-01 00:00:00', 'UTC+02:00', '0'],
    ['2026-06-01 00:30:00', 'UTC+02:00', '0,125'],
  ]);
});
