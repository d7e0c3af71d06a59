import { expect } from '@playwright/test';
import { openAs, rowOf, test } from './pages.ts';
import { makeWorkgroup, type Person } from './people.ts';

/** Owner of a separate workgroup, which alone has the addon. */
const CAL: Person = { name: 'Cal Culus', email: 'cal@sums.example', password: 'cal adds 3 rows up' };

test.beforeAll(() => makeWorkgroup('sums', 'Sums', CAL));

test('a calculation is made for an entity, tried, refused where it needs itself, and switched off', async ({
  page,
  browser,
}) => {
  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, '/opsteam?tab=workgroups', 'Ops team');
  await rowOf(staff, 'Sums')
    .getByRole('button', { name: /^Actions for / })
    .click();
  await staff.getByRole('menuitem', { name: 'Addons' }).click();
  await staff.getByRole('switch', { name: /^Calculations/ }).click({ force: true });
  await expect(staff.getByText('Calculations is enabled')).toBeVisible();

  await openAs(page, '/admin/entities/manage', 'Entities', CAL);
  await page.getByRole('button', { name: 'Add sub-entity' }).first().click();
  await page.getByRole('menuitem', { name: 'Empty' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Hilltop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('treeitem', { name: 'Hilltop', exact: true })).toBeVisible();

  await page.goto('/admin/data/calculations');
  await page.getByRole('button', { name: 'Create new' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Energy of every hour');
  await dialog.getByRole('combobox', { name: 'Entities', exact: true }).click();
  await page.getByRole('option', { name: 'Hilltop' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Energy of every hour', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText('Not saved: what this would have stored')).toBeVisible();
  await expect(page.getByText('counter (from counter)')).toBeVisible();

  const formula = page.getByRole('textbox', { name: 'Formula', exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await formula.fill('counter / missing');
  await save.click();
  await expect(page.getByText('No input is named “missing”')).toBeVisible();
  await formula.fill('2 * counter');
  await page.getByRole('switch', { name: 'Switched on' }).click({ force: true });
  await save.click();
  await expect(page.getByText('Energy of every hour is saved.')).toBeVisible();
  await page.getByRole('link', { name: 'Results' }).click();
  await expect(page.getByText('Switched off')).toBeVisible();
});
