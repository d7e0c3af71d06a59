import { announcementsApi } from '@albedo/contract/announcements/announcements.api';
import { expect, type Page } from '@playwright/test';
import { expectOpenOnAllScreens } from './axe.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

const DAY_MS = 86_400_000;

const dialogOf = (page: Page) => page.getByRole('dialog');

// An announcement that stays would stand before every screen of the journeys that come next.
test.afterEach(async () => {
  const staff = await callerOf(OWNER);
  for (const { _id } of await staff.call(announcementsApi.list, {}))
    await staff.call(announcementsApi.remove, { params: { announcement: _id } });
});

test('no screen of workgroup administration keeps anybody out', async ({ page }) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(30_000);
  const staff = await callerOf(OWNER);
  const now = Date.now();
  await staff.call(announcementsApi.create, {
    body: {
      title: 'Maintenance',
      bodyMarkdown: 'On **Sunday**.\n\n| Part | State |\n|---|---|\n| Charts | pause |',
      startDate: new Date(now - DAY_MS).toISOString(),
      endDate: new Date(now + DAY_MS).toISOString(),
    },
  });
  await openAs(page, '/devices');
  await expect(dialogOf(page)).toBeVisible();
  await expectOpenOnAllScreens(page, 'announcements in a dialog');
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  await expect(dialogOf(page)).toHaveCount(0);

  await page.goto('/admin/workgroup/settings');
  await expect(page.getByRole('heading', { name: 'General' })).toBeVisible();
  await page.getByText('OpenID Connect', { exact: true }).click();
  await expectOpenOnAllScreens(page, 'settings of the workgroup');
  await page.goto('/admin/workgroup/appearance');
  await page.getByText('Custom theme').click();
  for (const colour of ['#ffe600', '#0b1a3b', '#808080']) {
    await page.getByLabel('Primary colour').fill(colour);
    await page.keyboard.press('Tab');
    await expectOpenOnAllScreens(page, `appearance in ${colour}`);
  }
  await page.goto('/admin/workgroup/addons');
  await expect(page.getByRole('switch').first()).toBeVisible();
  await expectOpenOnAllScreens(page, 'addons');
  await page.goto('/admin/workgroup/device-groups');
  await page.getByRole('button', { name: 'New device group' }).click();
  for (const kind of await dialogOf(page).getByRole('radio').all()) {
    await kind.check({ force: true });
    await expectOpenOnAllScreens(page, `device group, ${await kind.getAttribute('value')}`);
  }
});

test('no screen of the staff keeps anybody out', async ({ page }) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(30_000);
  await openAs(page, '/opsteam', 'Ops team');
  const tabs: [string, string | RegExp, (() => Promise<unknown>)?][] = [
    ['workgroups', 'Workgroups', () => page.getByRole('button', { name: 'Create workgroup' }).click()],
    ['users', 'Users'],
    ['requests', /requests/i],
    ['announcements', 'Announcements', () => page.getByRole('button', { name: 'New announcement' }).click()],
    ['audit', /log/i],
    ['tickets', 'Open tickets'],
    ['branding', 'Branding', () => page.getByRole('button', { name: 'Add host name' }).click()],
  ];
  for (const [tab, grid, open] of tabs) {
    await page.goto(`/opsteam?tab=${tab}`);
    // Where nothing is written yet there is no table, but the button that begins.
    const start = page.getByRole('button', { name: 'New announcement' });
    await expect(page.getByRole('grid', { name: grid }).or(start).first()).toBeVisible();
    await expectOpenOnAllScreens(page, `ops team, ${tab}`);
    if (!open) continue;
    await open();
    await expect(dialogOf(page)).toBeVisible();
    await expectOpenOnAllScreens(page, `ops team, ${tab}, dialog`);
  }
  await page.goto('/opsteam?tab=workgroups');
  for (const action of ['Addons', 'Suspend', 'Delete']) {
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: action }).click();
    await expect(dialogOf(page)).toBeVisible();
    await expectOpenOnAllScreens(page, `ops team, workgroups, ${action}`);
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
  }
  await page.goto('/opsteam?tab=versions');
  await expect(page.getByText('PostgreSQL')).toBeVisible();
  await expectOpenOnAllScreens(page, 'ops team, versions');

  await page.goto('/announcements');
  await page.getByRole('button', { name: /^Announcements, / }).click();
  await expect(page.getByRole('link', { name: 'View all' })).toBeVisible();
  await expectOpenOnAllScreens(page, 'announcements and the bell');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Documentation' }).click();
  await expectOpenOnAllScreens(page, 'documentation');
});
