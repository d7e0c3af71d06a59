import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { expect } from '@playwright/test';
import { expectFocusKept, tabTo } from './keyboard.ts';
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

test('without a mouse one makes a dashboard from nothing: adds widgets, fills them in, moves, resizes and deletes them, and saves', async ({
  page,
}) => {
  const caller = await callerOf(OWNER);
  const name = `Keys ${crypto.randomUUID().slice(0, 8)}`;
  const { _id } = await caller.call(entitiesApi.create, { params: { wg: 'demo' }, body: { name } });
  await openAs(page, `/entities/dash3-edit?type=entity&id=${_id}`, name);
  const press = (key: string) => page.keyboard.press(key);
  const placeOf = async (title: string) => {
    const box = await page.getByRole('group', { name: title }).boundingBox();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };

  for (const title of ['First', 'Second']) {
    await test.step(`adding ${title}`, async () => {
      await tabTo(page, /^Add widget$/, { back: title === 'Second' });
      await press('Enter');
      const text = page.getByRole('menuitem', { name: 'Text', exact: true });
      await expect(text).toBeVisible();
      await expect
        .poll(async () => {
          await press('ArrowDown');
          return page.evaluate(() => document.activeElement?.textContent);
        })
        .toBe('Text');
      await press('Enter');
      await expect(page.getByLabel('Title')).toBeFocused();
      await page.keyboard.type(title);
      await tabTo(page, /^Text/);
      await page.keyboard.type(`What **${title}** says.`);
      await expect(page.getByText(`What ${title} says.`)).toBeVisible();
      await press('Escape');
      await expectFocusKept(page, new RegExp(`^${title}$`));
    });
  }

  await test.step('arrows move it, and with Shift resize it', async () => {
    const before = await placeOf('Second');
    await press('Shift+ArrowRight');
    await expect.poll(async () => (await placeOf('Second')).width).toBeGreaterThan(before.width);
    await press('Shift+ArrowDown');
    await expect.poll(async () => (await placeOf('Second')).height).toBeGreaterThan(before.height);
    const { x } = await placeOf('Second');
    await press('ArrowRight');
    await expect.poll(async () => (await placeOf('Second')).x).not.toBe(x);
    await expectFocusKept(page, /^Second$/);
    await press('Control+z');
    await expect.poll(async () => (await placeOf('Second')).x).toBe(x);
  });

  await test.step('Enter opens its form, Delete takes it away and leaves the focus at the next one', async () => {
    await tabTo(page, /^First$/, { back: true });
    await press('Enter');
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveValue('First');
    await press('Escape');
    await expectFocusKept(page, /^First$/);
    await press('Delete');
    await expect(page.getByRole('group', { name: 'First' })).toHaveCount(0);
    await expectFocusKept(page, /^Second$/);
  });

  await press('Control+s');
  await expect(page).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);
  await expect(page.getByText('What Second says.')).toBeVisible();
  await expect(page.getByText('What First says.')).toHaveCount(0);
});
