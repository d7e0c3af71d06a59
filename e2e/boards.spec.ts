import { boardsApi } from '@albedo/contract/boards/boards.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { expect, type Page } from '@playwright/test';
import { expectFocusKept, tabTo } from './keyboard.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';
import { LIVING } from './product.ts';

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

test('two people edit one dashboard: the second one sees what both changed, and saves both', async ({
  page,
  browser,
}) => {
  const caller = await callerOf(OWNER);
  const wg = 'demo';
  const name = `Shared ${crypto.randomUUID().slice(0, 8)}`;
  const { _id } = await caller.call(entitiesApi.create, { params: { wg }, body: { name } });
  const text = (id: string, x: number, y: number) => ({
    id,
    kind: 'text',
    title: `Text ${id}`,
    place: { x, y, w: 8, h: 5 },
    settings: { text: id },
  });
  const items = [text('a', 0, 0), text('b', 8, 0), text('c', 0, 5)];
  const body = { type: 'entity' as const, typeId: _id, name, board: { items } };
  const board = await caller.call(boardsApi.create, { params: { wg }, body: body as never });
  const other = await (await browser.newContext()).newPage();
  for (const one of [page, other]) await openAs(one, `/entities/dash3-edit/${board._id}`, name);
  const write = async (one: Page, title: string) => {
    await one.getByRole('button', { name: 'Add widget' }).first().click();
    await one.getByRole('menuitem', { name: 'Text', exact: true }).click();
    await one.getByRole('textbox', { name: 'Title' }).fill(title);
  };

  await write(other, 'Hers');
  await other.getByRole('button', { name: 'Remove Text a' }).click();
  // Also while one types, the keys save the dashboard.
  await other.getByRole('button', { name: 'Edit Text b' }).click();
  await other.getByRole('textbox', { name: 'Title' }).fill('Her b');
  await other.getByRole('textbox', { name: 'Title' }).press('ControlOrMeta+s');
  await expect(other).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);

  await write(page, 'Mine');
  await page.getByRole('button', { name: 'Remove Text c' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved in the meantime' });
  await expect(dialog.getByText('Added: Mine')).toBeVisible();
  await expect(dialog.getByText('Removed: Text c')).toBeVisible();
  await expect(dialog.getByText('Added: Hers')).toBeVisible();
  await expect(dialog.getByText('Removed: Text a')).toBeVisible();
  await expect(dialog.getByText('Changed: Her b')).toBeVisible();
  await dialog.getByRole('button', { name: 'Merge both' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);
  const saved = await caller.call(boardsApi.get, { params: { wg, board: board._id } });
  const now = saved.board.items as {
    title?: string;
    place?: { x: number; y: number; w: number; h: number };
  }[];
  expect(now.map(({ title }) => title).toSorted()).toEqual(['Her b', 'Hers', 'Mine']);
  // All of them can be seen: none stands above another.
  const widgets = now.map(({ title }) => page.getByRole('article', { name: title ?? '' }));
  const areApart = async () => {
    const boxes = await Promise.all(widgets.map((one) => one.boundingBox()));
    return boxes.every((one, at) => boxes.slice(at + 1).every((two) => one && two && isApart(one, two)));
  };
  // The dashboard takes the place of its editor meanwhile.
  await expect.poll(areApart).toBe(true);
});

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

const isApart = (one: Box, two: Box): boolean =>
  one.x + one.width <= two.x ||
  two.x + two.width <= one.x ||
  one.y + one.height <= two.y ||
  two.y + two.height <= one.y;

test('what one began of two new dashboards is kept for each of them', async ({ page }) => {
  const caller = await callerOf(OWNER);
  const wg = 'demo';
  const word = crypto.randomUUID().slice(0, 8);
  const made = await Promise.all(
    ['East', 'West'].map((side) =>
      caller.call(entitiesApi.create, { params: { wg }, body: { name: `${side} ${word}` } }),
    ),
  );
  const [east, west] = made.map(({ _id }) => `/entities/dash3-edit?type=entity&id=${_id}`) as [
    string,
    string,
  ];
  await openAs(page, east, `East ${word}`);
  await page.getByRole('button', { name: 'Dashboard settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`Begun ${word}`);
  await expect
    .poll(() => page.evaluate((name) => JSON.stringify(localStorage).includes(name), `Begun ${word}`))
    .toBe(true);
  await page.goto(west);
  await expect(page.getByRole('heading', { name: `West ${word}`, level: 1 })).toBeVisible();
  // The form of a widget opens with the first click, also beside the settings of the dashboard.
  await page.getByRole('button', { name: 'Add widget' }).first().click();
  await page.getByRole('menuitem', { name: 'Figure', exact: true }).click();
  await page.getByRole('button', { name: 'Dashboard settings' }).click();
  await page.getByRole('button', { name: 'Edit Figure' }).click();
  await expect(page.getByRole('complementary', { name: 'Figure' })).toBeVisible();
  await page.goto(east);
  await expect(page.getByRole('heading', { name: `Begun ${word}`, level: 1 })).toBeVisible();
});

test('a newcomer asks where the number of a gauge comes from, and ends at its rows', {
  tag: LIVING,
}, async ({ page }) => {
  const caller = await callerOf(OWNER);
  const wg = 'demo';
  const title = `Output ${crypto.randomUUID().slice(0, 8)}`;
  const gauge = {
    id: 'a',
    kind: 'gauge',
    title,
    place: { x: 0, y: 0, w: 8, h: 8 },
    settings: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
  };
  const board = await caller.call(boardsApi.create, {
    params: { wg },
    body: { type: 'entity', typeId: 'hilltop', name: title, board: { items: [gauge] } } as never,
  });
  await openAs(page, `/entities/dash3/${board._id}`, title);
  await page.getByRole('button', { name: `Where ${title} comes from` }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog.getByText(/The newest values of \d of 2 streams, combined: sum/)).toBeVisible();
  // Its rows are those up to the newest one; a demo that has just started has none yet.
  const newest = dialog.getByRole('row', { name: /inv-02/ }).getByRole('cell', { name: /^[\d.,]+\sk?W$/ });
  await expect(newest).toBeVisible();
  await dialog.getByRole('link', { name: 'Rows of AC Power of inv-02' }).click();
  await expect(page).toHaveURL(/\/search\?/);
  await expect(page.getByRole('cell', { name: 'inv-02' }).first()).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'AC Power' })).toBeVisible();
  // A value is told before it is stored.
  await expect(async () => {
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    await expect(page.getByText(/^[1-9][\d,]* records?$/)).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
});
