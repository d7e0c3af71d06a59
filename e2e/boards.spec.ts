import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a coordinator makes a dashboard, moves a widget by keys, undoes it, saves, and sees it after a reload', async ({
  page,
}) => {
  const caller = await callerOf(OWNER);
  const name = `Site ${crypto.randomUUID().slice(0, 8)}`;
  const { _id } = await caller.call(entitiesApi.create, { params: { wg: 'demo' }, body: { name } });
  await openAs(page, `/entities/dash3-edit?type=entity&id=${_id}`, name);
  await page.getByRole('button', { name: 'Add widget' }).first().click();
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click();
  await page.getByLabel('Title').fill('Notice');
  await page.getByLabel('Text', { exact: true }).fill('Mind the **dog** of {entity}.');
  const widget = page.getByRole('group', { name: 'Notice' });
  await widget.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);
  await expect(page.getByText(`Mind the dog of ${name}.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Mind the dog of ${name}.`)).toBeVisible();
});
