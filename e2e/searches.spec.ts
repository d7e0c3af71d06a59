import { expect } from '@playwright/test';
import { openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

test('an engineer finds events of inverters, draws them, keeps the search, shares its link and has it mailed', {
  tag: LIVING,
}, async ({ page, browser, baseURL }) => {
  await openAs(page, '/search', 'New search');
  await page.getByRole('combobox', { name: 'Table' }).click();
  await page.getByRole('option', { name: 'solar', exact: true }).click();
  const total = page.getByText(/^[\d,]+ records?$/);
  await expect(total).toBeVisible();
  const all = await total.textContent();

  // The field offers the values that there are.
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('source');
  await page.getByRole('option', { name: 'source', exact: true }).click();
  await page.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option').first().click();
  // Nothing runs by itself.
  await expect(page.getByText('Changed since the last search. Press Go to search again.')).toBeVisible();
  expect(await total.textContent()).toBe(all);
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByText('Changed since the last search.')).toBeHidden();
  const grid = page.getByRole('grid', { name: 'Records' });
  await grid.getByRole('row').nth(1).click();
  await expect(page.getByRole('dialog', { name: 'Record' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Visualisation' }).click();
  await page.getByRole('button', { name: /^Fields to draw/ }).click();
  await page.getByRole('checkbox', { name: 'DC Power', exact: true }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByRole('figure', { name: 'DC Power' })).toBeVisible();

  await page.getByRole('tab', { name: 'CSV' }).click();
  await page.getByRole('switch', { name: 'Enable' }).check({ force: true });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this search' });
  await dialog.getByLabel('Name').fill('One inverter');
  await dialog.getByRole('switch', { name: 'Share it with the workgroup' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'One inverter', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/search\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: 'Searches' }).hover();
  await expect(page.getByRole('menuitem', { name: 'One inverter' })).toBeVisible();

  await page.getByRole('tab', { name: 'CSV' }).click();
  await page.getByRole('button', { name: 'Send by email …' }).click();
  const schedule = page.getByRole('dialog', { name: 'Send One inverter by email' });
  await schedule.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Mailed to /)).toBeVisible();

  // A file in the background, and its link.
  await page.getByText('Parquet', { exact: true }).click();
  await page.getByRole('button', { name: /^Export [\d,]+ records?$/ }).click();
  await page.getByRole('button', { name: /^Activity/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download solar\.parquet/ }).click();
  expect((await download).suggestedFilename()).toBe('solar.parquet');

  // Somebody else sees the same by the link alone.
  const other = await (await browser.newContext({ ...(baseURL ? { baseURL } : {}) })).newPage();
  await openAs(other, new URL(page.url()).pathname + new URL(page.url()).search, 'One inverter');
  await expect(other.getByText(/^[\d,]+ records?$/)).toBeVisible();
});
