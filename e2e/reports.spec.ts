import { devicesApi } from '@albedo/contract/devices/devices.api';
import { energyApi } from '@albedo/contract/energy/energy.api';
import { historyImportsApi } from '@albedo/contract/history-imports/history-imports.api';
import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf, makeWorkgroup, type Person } from './people.ts';

const MIA: Person = { name: 'Mia Month', email: 'mia@months.example', password: 'mia counts 31 days' };
const HOUR_MS = 3_600_000;
const WORKGROUP = 'months';

/** The first of last month, UTC, and the same as `2026-10`. */
const FIRST = (() => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
})();
const MONTH = new Date(FIRST).toISOString().slice(0, 7);

test.beforeAll(async () => {
  await makeWorkgroup(WORKGROUP, 'Months', MIA);
  const staff = await callerOf(OWNER);
  await staff.call(addonsApi.add, { params: { wg: WORKGROUP }, body: { id: 'daily-energy' } });
});

test('a newcomer asks why a report is empty, and is led to what sets it', async ({ page }) => {
  await openAs(page, '/report', 'Report', MIA);
  await expect(page).toHaveURL(/\/report\/energy/);
  await expect(page.getByText('This report has nothing to show yet')).toBeVisible();
  await expect(page.getByText('No energy was recorded.')).toBeVisible();
  await page.getByRole('link', { name: 'Set up Daily energy' }).click();
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();

  await page.getByRole('combobox', { name: 'When a day begins' }).click();
  await page.getByRole('option', { name: 'UTC', exact: true }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeVisible();
  await page.getByRole('tab', { name: 'Capacity factor' }).click();
  const question = page.getByRole('dialog', { name: 'Confirmation required' });
  await expect(question).toContainText('would be lost');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Daily energy is saved.')).toBeVisible();
});

test('at the end of a month a manager sees what was produced against the budget, and goes down to a day', async ({
  page,
}) => {
  const mia = await callerOf(MIA);
  const params = { wg: WORKGROUP };
  const { id } = (await mia.call(devicesApi.create, { params, body: { name: 'Hilltop' } })) as { id: string };
  await countLastMonth(mia, id);
  await mia.call(energyApi.putBudgetData, { params, body: { [`${id}|${MONTH}`]: 3000 } });

  await openAs(page, '/report/energy?range=last-month', 'Report', MIA);
  const row = page.getByRole('row', { name: /Hilltop/ });
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 120_000 });
  const totals = page.getByRole('region', { name: 'Totals' });
  await expect(totals).toContainText('3.00');
  await page.getByRole('button', { name: 'Budget', exact: true }).click();
  await expect(page).toHaveURL(/draw=/);

  await row.click();
  await expect(page.getByRole('navigation', { name: 'Path in the portfolio' })).toContainText('Hilltop');
  await page.getByRole('row', { name: /inv-01/ }).click();
  await expect(page.getByRole('grid', { name: 'Days' })).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  await page.getByRole('button', { name: 'Save file' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
  await page.getByRole('grid', { name: 'Days' }).getByRole('row').nth(2).click();
  await expect(page.getByRole('heading', { name: 'Analysis', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('grid', { name: 'Days' })).toBeVisible();
});

/** A counter of one inverter over last month: half a kilowatt in every hour of daylight. */
async function countLastMonth(mia: Awaited<ReturnType<typeof callerOf>>, device: string): Promise<void> {
  const lines = ['time,Total Energy'];
  let energyWh = 1_000_000;
  const hours = Math.floor((Math.min(Date.now(), FIRST + 32 * 24 * HOUR_MS) - FIRST) / HOUR_MS);
  for (let hour = 0; hour < hours; hour += 1) {
    const isDay = hour % 24 >= 7 && hour % 24 < 17;
    energyWh += isDay ? 10_000 : 0;
    lines.push(`${new Date(FIRST + hour * HOUR_MS).toISOString()},${energyWh}`);
  }
  const text = `${lines.join('\n')}\n`;
  const params = { wg: WORKGROUP };
  const body = { name: 'hilltop.csv', format: 'csv', bytes: Buffer.byteLength(text) } as const;
  const { _id } = await mia.call(historyImportsApi.create, { params, body });
  const on = { ...params, historyImport: _id };
  await mia.request(historyImportsApi.sendPart, { params: on, body: { from: 0 } }, new File([text], 'part'));
  const mapping = {
    table: 'solar',
    source: 'inv-01',
    timeColumn: 'time',
    fields: [{ column: 'Total Energy', name: 'Total Energy', type: 'decimal', units: 'Wh' }],
  } as const;
  await mia.call(historyImportsApi.start, { params: on, body: { plan: { mapping, device } } as never });
}
