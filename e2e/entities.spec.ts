import { expect } from '@playwright/test';
import { openAs, test } from './pages.ts';

test('a tree is built, moved by keys, deleted by name and restored', async ({ page }) => {
  await openAs(page, '/admin/entities/manage', 'Entities');
  const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add sub-entity' }).first().click();
    await page.getByRole('menuitem', { name: 'Empty' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(row(name)).toBeVisible();
  };
  await add('Abbey estate');
  await add('Abbey barn');
  // What is added stands below the one that is looked at.
  await expect(row('Abbey barn')).toHaveAttribute('aria-level', '2');

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Reorganise' }).click();
  await row('Abbey barn').click();
  await page.getByRole('tree').press('Alt+ArrowLeft');
  await expect(row('Abbey barn moved')).toHaveAttribute('aria-level', '1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0);
  await page.reload();
  await expect(row('Abbey barn')).toHaveAttribute('aria-level', '1');

  await row('Abbey barn').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Abbey barn');
  await dialog.getByRole('button', { name: 'Delete Abbey barn' }).click();
  await expect(row('Abbey barn')).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Recently deleted' }).click();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.keyboard.press('Escape');
  await expect(row('Abbey barn')).toBeVisible();
});
