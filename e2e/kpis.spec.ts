import { expect } from '@playwright/test';
import { openAs, rowOf, test } from './pages.ts';
import { makeWorkgroup, type Person } from './people.ts';

/** Owner of a separate workgroup, which alone has the addon. */
const FAY: Person = { name: 'Fay Figure', email: 'fay@figures.example', password: 'fay counts 3 suns' };

test.beforeAll(() => makeWorkgroup('figures', 'Figures', FAY));

test('a KPI of a template is made, says where it comes from, and gets another formula', async ({
  page,
  browser,
}) => {
  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, '/opsteam?tab=workgroups', 'Ops team');
  await rowOf(staff, 'Figures')
    .getByRole('button', { name: /^Actions for / })
    .click();
  await staff.getByRole('menuitem', { name: 'Addons' }).click();
  await staff.getByRole('switch', { name: /^Calculations/ }).click({ force: true });
  await expect(staff.getByText('Calculations is enabled')).toBeVisible();

  await openAs(page, '/admin/entities/manage', 'Entities', FAY);
  await page.getByRole('button', { name: 'Add sub-entity' }).first().click();
  await page.getByRole('menuitem', { name: 'Empty' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Hilltop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('treeitem', { name: 'Hilltop', exact: true })).toBeVisible();

  await page.goto('/admin/data/kpis');
  await page.getByRole('button', { name: 'Create new' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Specific yield' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Specific yield', level: 1 })).toBeVisible();
  await expect(page.getByText('energy / peak (from Energy, Peak power)')).toBeVisible();

  const formula = page.getByRole('textbox', { name: 'Formula', exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await formula.fill('energy / missing');
  await save.click();
  await expect(page.getByText('No input is named “missing”')).toBeVisible();
  await formula.fill('2 * energy / peak');
  await save.click();
  await expect(page.getByText('2 * energy / peak (from Energy, Peak power)')).toBeVisible();
});
