import { expect, type Page } from '@playwright/test';
import { expectFocusKept, tabTo } from './keyboard.ts';
import { OWNER } from './owner.ts';
import { deviceLink, openAs, rowOf, test } from './pages.ts';
import { LIVING } from './product.ts';

/** Presses the key and expects a page with that heading, with the focus not lost on the way. */
async function pressTo(page: Page, key: string, heading: string): Promise<void> {
  await page.keyboard.press(key);
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

test('without a mouse one signs in, gets everywhere by menu, dialog and search, and signs out', async ({
  page,
}) => {
  await test.step('signing in, with the field that is wrong first', async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
    await page.keyboard.type(OWNER.email);
    await tabTo(page, /^Password/);
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('Invalid username and/or password');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    // What was wrong is selected, so typing replaces it.
    await page.keyboard.type(OWNER.password);
    await pressTo(page, 'Enter', 'Devices');
  });

  await test.step('the first stop is the link past the menu, and leads into the screen', async () => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  await test.step('the menu opens beside its entry, and Escape leads back to it', async () => {
    await tabTo(page, /^Admin/, { back: true });
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('menuitem', { name: 'Access' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectFocusKept(page, /^Admin/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Access' })).toBeVisible();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return page.evaluate(() => document.activeElement?.textContent);
      })
      .toBe('Access');
    await pressTo(page, 'Enter', 'Access');
    await expectFocusKept(page);
  });

  await test.step('a dialog keeps the focus inside, and gives it back', async () => {
    await tabTo(page, /^Invite new user$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    const isInside = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null);
    await expect.poll(isInside).toBe(true);
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press(key);
        expect(await isInside(), `${key} stays in the dialog`).toBe(true);
      }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expectFocusKept(page, /^Invite new user$/);
  });

  await test.step('tabs change with the arrows', async () => {
    await tabTo(page, /^Users$/);
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/\/admin\/access\/invites$/);
    await expectFocusKept(page, /^Invites$/);
  });

  await test.step('the search is two keys away', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expectFocusKept(page, /^Invites$/);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('my profile');
    await expect(page.getByRole('dialog').getByRole('row').first()).toContainText('profile', {
      ignoreCase: true,
    });
    await pressTo(page, 'Enter', 'My profile');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the help opens and closes', async () => {
    await tabTo(page, /^Help$/, { back: true });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitemcheckbox', { name: 'Documentation' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectFocusKept(page, /^Help$/);
  });

  await test.step('and out', async () => {
    await tabTo(page, /^Profile of/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    // The menu is seen a moment before it has the focus.
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return page.evaluate(() => document.activeElement?.textContent);
      })
      .toBe('Logout');
    await page.keyboard.press('Enter');
    await expect(page.getByText('You are now logged out')).toBeVisible();
    await tabTo(page, /^Log back in$/);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  });
});

test('keys and the search do what the mouse does: they add a device, walk through the list and the screens, and give the focus back', async ({
  page,
}) => {
  await openAs(page, '/devices');
  await test.step('the search adds a device, which waits for its first connection', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('add device');
    await expect(page.getByRole('dialog').getByRole('row').first()).toContainText('Add device');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add device' });
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Schlüssel quarry');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Install the agent on Schlüssel quarry' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('a slash searches the list, without accents', async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('schlussel');
    await expect(page).toHaveURL(/q=schlussel/);
    await expect(rowOf(page, 'Schlüssel quarry')).toContainText('Waiting for its first connection');
  });

  await test.step('j and Enter open the row, and Back leads to it', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    await expect(page.getByRole('row', { selected: true })).toContainText('Schlüssel quarry');
    await pressTo(page, 'Enter', 'Schlüssel quarry');
    await page.goBack();
    await expect(page).toHaveURL(/q=schlussel/);
    await expect(page.getByRole('grid', { name: 'Devices' })).toBeFocused();
    await expect(page.getByRole('row', { selected: true })).toContainText('Schlüssel quarry');
  });

  await test.step('letters lead to screens, and a question mark lists them', async () => {
    await page.keyboard.press('g');
    await pressTo(page, 'p', 'My profile');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list).toContainText('Announcements');
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await page.keyboard.press('g');
    await pressTo(page, 'd', 'Devices');
  });
});

test('without a mouse one filters the list, opens a device, changes tabs and moves a crosshair', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/devices');
  await expect(deviceLink(page, 'Harbour')).toBeVisible();
  await tabTo(page, /^Filter$/);
  await page.keyboard.press('Enter');
  await expectFocusKept(page, /^\s*Online/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/show=status\.online/);
  await tabTo(page, /^Exclude Online/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/show=(!|%21)status\.online/);
  await page.keyboard.press('Escape');
  await expectFocusKept(page, /filter/);
  await expect(page.getByText('No devices match these filters')).toBeVisible();
  await tabTo(page, /^Show all devices/);
  await page.keyboard.press('Enter');
  await expect(deviceLink(page, 'Harbour')).toBeVisible();

  await page.getByRole('grid', { name: 'Devices' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row', { selected: true })).toContainText('Harbour');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible();

  await tabTo(page, /^General/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\/data/);
  await expect(page.getByRole('region', { name: /Legend of/ })).toBeVisible({ timeout: 30_000 });
  await tabTo(page, /^Chart: /);
  await page.keyboard.press('+');
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Last day' })).toBeVisible();
});
