import { boardsApi } from '@albedo/contract/boards/boards.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { expect, type Locator } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a screen shows a dashboard by its link without a sign-in, until the link is revoked', async ({
  page,
  browser,
}) => {
  const caller = await callerOf(OWNER);
  const name = `Entrance ${crypto.randomUUID().slice(0, 8)}`;
  const wg = 'demo';
  const { _id } = await caller.call(entitiesApi.create, { params: { wg }, body: { name } });
  const settings = { text: 'Welcome to **{entity}**. Today: {{topic}}, {{floor}}.' };
  const variables = [
    { name: 'topic', kind: 'list', title: 'Topic', options: ['Sun', 'Wind'] },
    { name: 'floor', kind: 'list', title: 'Floor', options: ['Cellar', 'Roof'] },
  ];
  const items = [{ id: 'a', kind: 'text', settings }];
  const body = { type: 'entity' as const, typeId: _id, name, board: { items, variables } };
  const board = await caller.call(boardsApi.create, { params: { wg }, body: body as never });

  await openAs(page, `/entities/dash3/${board._id}`, name);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Display links' }).click();
  await page.getByRole('button', { name: 'New display link' }).click();
  await page.getByRole('combobox', { name: 'Variables of dashboard 1 that viewers may choose' }).click();
  await page.getByRole('option', { name: 'Topic' }).click();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Make link' }).click();
  const address = await page.getByRole('textbox', { name: 'Address of the display' }).inputValue();

  const wall = await (await browser.newContext()).newPage();
  await wall.goto(address);
  await expect(wall.getByText(`Welcome to ${name}. Today: Sun, Cellar.`)).toBeVisible();
  await expect(wall.getByRole('combobox', { name: 'Floor' })).toHaveCount(0);
  const topic = wall.getByRole('combobox', { name: 'Topic' });
  await topic.click();
  await expect
    .poll(() => gapBelow(topic, wall.getByRole('listbox')), 'the list stands by its field')
    .toBeLessThan(20);
  await wall.getByRole('option', { name: 'Wind' }).click();
  await expect(wall.getByText(`Welcome to ${name}. Today: Wind, Cellar.`)).toBeVisible();

  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await expect(page.getByText('revoked')).toBeVisible();
  await wall.reload();
  await expect(wall.getByText('This display has ended')).toBeVisible();
});

/** From the lower edge of a field to the upper one of its list, px. */
async function gapBelow(field: Locator, list: Locator): Promise<number> {
  const [above, below] = await Promise.all([field.boundingBox(), list.boundingBox()]);
  return above && below ? Math.abs(below.y - above.y - above.height) : Number.POSITIVE_INFINITY;
}
