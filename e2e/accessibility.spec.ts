import { expect, type Page } from '@playwright/test';
import { seriousFindings } from './axe.ts';
import { signIn, test } from './pages.ts';

for (const scheme of ['light', 'dark'] as const) {
  test(`no screen keeps anybody out in the ${scheme} scheme`, async ({ page }) => {
    // Only colours differ between the schemes.
    const rules = scheme === 'light' ? undefined : ['color-contrast'];
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto('/login');
    await expect(page.getByLabel('E-mail')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'sign-in').toEqual([]);
    await signIn(page);
    await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'device list').toEqual([]);

    await page.getByRole('button', { name: 'Choose columns' }).click();
    await expect(page.getByRole('checkbox', { name: 'Kind' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'choice of columns').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add device' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'adding a device').toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Harbour' }).click();
    await expect(page.getByRole('heading', { name: 'Completeness' })).toBeVisible();
    await page.getByRole('button', { name: 'Unfold all' }).click();
    expect.soft(await seriousFindings(page, rules), 'device, general').toEqual([]);
    await page.getByRole('tab', { name: 'Live feed' }).click();
    await expect(page.getByRole('region', { name: 'Log of the samples' })).toBeVisible({ timeout: 30_000 });
    expect.soft(await seriousFindings(page, rules), 'device, live feed').toEqual([]);
    await page.getByRole('tab', { name: 'Data' }).click();
    await expect(page.getByRole('region', { name: /Legend of/ })).toBeVisible({ timeout: 30_000 });
    expect.soft(await seriousFindings(page, rules), 'device, data').toEqual([]);
    await page.getByRole('button', { name: 'Last day' }).click();
    await expect(page.getByRole('button', { name: 'Last 7 days' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'time range').toEqual([]);

    await page.goto('/admin/access/users');
    await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'access, users').toEqual([]);
    await page.getByRole('tab', { name: 'API tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'access, API tokens').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await expect(page.getByRole('grid', { name: 'Audit log' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'access, audit log').toEqual([]);

    await page.goto('/admin/workgroup/device-groups');
    await page.getByRole('button', { name: 'New device group' }).click();
    await expect(page.getByRole('dialog').getByText(/of \d+ ticked/)).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'new device group').toEqual([]);
    await page.keyboard.press('Escape');
    expect.soft(await seriousFindings(page, rules), 'device groups').toEqual([]);

    await page.goto('/announcements');
    await expect(page.getByText('No announcements')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'announcements').toEqual([]);
    await page.goto('/opsteam?tab=announcements');
    await page.getByRole('button', { name: 'New announcement' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'editor of announcements').toEqual([]);
    await page.goto('/opsteam?tab=tickets');
    await expect(page.getByRole('grid', { name: 'Open tickets' })).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'tickets').toEqual([]);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('menuitem', { name: /support/i }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'asking for support').toEqual([]);

    await page.goto('/no-such-page');
    await expect(page.getByText('Page not found')).toBeVisible();
    expect.soft(await seriousFindings(page, rules), 'page that does not exist').toEqual([]);
  });
}

/** Presses Tab until something with that name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(focused)) return;
    passed.push(focused.slice(0, 30));
  }
  throw new Error(`Tab reaches no ${name}, only ${passed.join(', ')}.`);
}

test('without a mouse one filters the list, opens a device, changes tabs and moves a crosshair', async ({
  page,
}) => {
  await page.goto('/');
  await signIn(page);
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible();
  await tabTo(page, /^\s*Online/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/show=status\.online/);
  await tabTo(page, /^Leave out Online/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/show=(!|%21)status\.online/);
  await expect(page.getByText('No device passes these filters')).toBeVisible();
  await tabTo(page, /^Show all devices/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible();

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
