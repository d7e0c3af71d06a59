import { expect } from '@playwright/test';
import { confirm, openAs, test } from './pages.ts';

test('a coordinator gives the workgroup its name and colours, and everybody sees them without reloading', async ({
  page,
  context,
}) => {
  await openAs(page, '/admin/workgroup/appearance', 'Workgroup');
  const other = await context.newPage();
  await other.goto('/devices');
  await expect(other.getByRole('banner')).toContainText('Albedo');

  await page.getByText('Custom theme').click();
  await page.getByLabel('Primary colour').fill('#1b3a6b');
  await page.getByLabel('Service name').fill('SunCo');
  await expect(page.getByText('White is used instead.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  const top = other.getByRole('banner');
  await expect(top).toContainText('SunCo');
  await expect(top).toHaveCSS('background-color', 'rgb(27, 58, 107)');
  await expect(top).toHaveCSS('color', 'rgb(255, 255, 255)');

  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await confirm(page);
  await expect(top).toContainText('Albedo');
});
