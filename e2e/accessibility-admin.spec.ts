import { announcementsApi } from '@albedo/contract/announcements/announcements.api';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { OWNER } from './owner.ts';
import { signIn, test } from './pages.ts';
import { callerOf } from './people.ts';

const DAY_MS = 86_400_000;

/** Nothing serious on what stands on the screen now, and the page itself never scrolls sideways. */
async function expectOpen(page: Page, what: string): Promise<void> {
  // Dialogs fade in, and what is half there has half the contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)).catch(() => {}));
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect.soft(serious, what).toEqual([]);
  expect.soft(await page.locator('main main').count(), `${what}: one main`).toBe(0);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(beyond, `${what}: sideways`).toBeLessThanOrEqual(0);
}

const dialogOf = (page: Page) => page.getByRole('dialog');

// An announcement that stays would stand before every screen of the journeys that come next.
test.afterEach(async () => {
  const staff = await callerOf(OWNER);
  for (const { _id } of await staff.call(announcementsApi.list, {}))
    await staff.call(announcementsApi.remove, { params: { announcement: _id } });
});

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`no screen of workgroup administration keeps anybody out, ${scheme}, ${width} px`, async ({
    page,
  }) => {
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
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto('/devices');
    await signIn(page);
    await expect(dialogOf(page)).toBeVisible();
    await expectOpen(page, 'announcements in a dialog');
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await expect(dialogOf(page)).toHaveCount(0);

    await page.goto('/admin/workgroup/settings');
    await expect(page.getByRole('heading', { name: 'General' })).toBeVisible();
    await page.getByText('OpenID Connect', { exact: true }).click();
    await expectOpen(page, 'settings of the workgroup');
    await page.goto('/admin/workgroup/appearance');
    await page.getByText('Custom theme').click();
    for (const colour of ['#ffe600', '#0b1a3b', '#808080']) {
      await page.getByLabel('Primary colour').fill(colour);
      await page.keyboard.press('Tab');
      await expectOpen(page, `appearance in ${colour}`);
    }
    await page.goto('/admin/workgroup/addons');
    await expect(page.getByRole('switch').first()).toBeVisible();
    await expectOpen(page, 'addons');
    await page.goto('/admin/workgroup/device-groups');
    await page.getByRole('button', { name: 'New device group' }).click();
    for (const kind of await dialogOf(page).getByRole('radio').all()) {
      await kind.check({ force: true });
      await expectOpen(page, `device group, ${await kind.getAttribute('value')}`);
    }
  });

  test(`no screen of the staff keeps anybody out, ${scheme}, ${width} px`, async ({ page }) => {
    test.setTimeout(300_000);
    page.setDefaultTimeout(30_000);
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto('/opsteam');
    await signIn(page, 'Ops team');
    const tabs: [string, string | RegExp, (() => Promise<unknown>)?][] = [
      ['workgroups', 'Workgroups', () => page.getByRole('button', { name: 'Create workgroup' }).click()],
      ['users', 'Users'],
      ['requests', /requests/i],
      [
        'announcements',
        'Announcements',
        () => page.getByRole('button', { name: 'New announcement' }).click(),
      ],
      ['audit', /log/i],
      ['tickets', 'Open tickets'],
      ['branding', 'Branding', () => page.getByRole('button', { name: 'Add host name' }).click()],
    ];
    for (const [tab, grid, open] of tabs) {
      await page.goto(`/opsteam?tab=${tab}`);
      // Where nothing is written yet there is no table, but the button that begins.
      const start = page.getByRole('button', { name: 'New announcement' });
      await expect(page.getByRole('grid', { name: grid }).or(start).first()).toBeVisible();
      await expectOpen(page, `ops team, ${tab}`);
      if (!open) continue;
      await open();
      await expect(dialogOf(page)).toBeVisible();
      await expectOpen(page, `ops team, ${tab}, dialog`);
    }
    await page.goto('/opsteam?tab=workgroups');
    for (const action of ['Addons', 'Suspend', 'Delete']) {
      await page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: action }).click();
      await expect(dialogOf(page)).toBeVisible();
      await expectOpen(page, `ops team, workgroups, ${action}`);
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toHaveCount(0);
    }
    await page.goto('/opsteam?tab=versions');
    await expect(page.getByText('PostgreSQL')).toBeVisible();
    await expectOpen(page, 'ops team, versions');

    await page.goto('/announcements');
    await page.getByRole('button', { name: /^Announcements, / }).click();
    await expect(page.getByRole('link', { name: 'View all' })).toBeVisible();
    await expectOpen(page, 'announcements and the bell');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Documentation' }).click();
    await expectOpen(page, 'documentation');
  });
}
