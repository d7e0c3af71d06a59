import { expect, type Page } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, makeWorkgroup, type Person } from './people.ts';

const DORA: Person = { name: 'Dora Board', email: 'dora@example.org', password: 'dora sees 13 boards' };
const BO: Person = { name: 'Bo Bare', email: 'bo@example.org', password: 'bo has 0 boards yet' };
const RITA: Person = { name: 'Rita Rest', email: 'rita@example.org', password: 'rita reads 14 lines' };

test.describe.configure({ mode: 'serial' });

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

test('a submenu opens when the pointer rests on it, by click and by keys, and leads to its screens', async ({
  page,
}) => {
  await openAs(page, '/devices');
  const admin = menu(page).getByRole('button', { name: 'Admin' });
  const access = page.getByRole('menuitem', { name: 'Access' });
  await expect(access).toHaveCount(0);
  await admin.hover();
  await expect(access).toBeVisible();
  await page.mouse.move(900, 600);
  await expect(access).toHaveCount(0);
  await admin.focus();
  await page.keyboard.press('ArrowRight');
  await expect(access).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(access).toHaveCount(0);
  await page.keyboard.press('Enter');
  await access.click();
  await expect(page.getByRole('heading', { name: 'Access', level: 1 })).toBeVisible();
});

test('on a phone the menu is a drawer with everything unfolded', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, '/devices');
  await expect(menu(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Open or close the menu' }).click();
  await menu(page).getByRole('link', { name: 'Access' }).click();
  await expect(page.getByRole('heading', { name: 'Access', level: 1 })).toBeVisible();
  await expect(menu(page)).toHaveCount(0);
});

test('a screen that takes its time shows a line under the top bar until it is there', async ({ page }) => {
  await openAs(page, '/devices');
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  const line = page.locator('[class*="underway"]');
  await menu(page).getByRole('link', { name: 'Profile' }).click();
  await expect(line).toBeVisible();
  held.resolve();
  await expect(page.getByRole('heading', { name: 'My profile', level: 1 })).toBeVisible();
  await expect(line).toHaveCount(0);
});

test('the documentation of the screen stands beside it and follows, also after a reload', async ({
  page,
}) => {
  await openAs(page, '/devices');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Documentation' }).click();
  const panel = page.getByRole('complementary', { name: 'Documentation' });
  await expect(panel.getByRole('heading', { name: 'Devices', level: 2 })).toBeVisible();
  expect((await panel.boundingBox())?.width).toBe(400);
  await panel.getByRole('link', { name: 'one device' }).click();
  await expect(panel.getByRole('heading', { name: 'One device' })).toBeVisible();
  await page.goto('/profile');
  await expect(panel.getByRole('heading', { name: 'Profile', level: 2 })).toBeVisible();
  await page.goto('/no-such-page');
  await expect(panel.getByText('There is no page for this screen yet')).toBeVisible();
  await panel.getByRole('button', { name: 'Close the documentation' }).click();
  await expect(panel).toHaveCount(0);
});

test('people limited to dashboards read that there are none and who to ask, and end in no loop', async ({
  page,
}) => {
  await makeWorkgroup('boardless', 'Boardless', BO);
  await bringIn(BO, 'boardless', DORA, { role: 'power', permissions: ['read', 'dashboardOnly'] });
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(DORA.email);
  await page.getByLabel('Password', { exact: true }).fill(DORA.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(/\/entities\/dash3$/);
  await expect(page.locator('main').getByText('No dashboards configured')).toBeVisible();
  await expect(page.getByText(/Ask an owner of the workgroup/)).toBeVisible();
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/access-denied\?required=permission$/);
  await expect(page.getByText(/Your account can only open dashboards/)).toBeVisible();
  await page.getByRole('button', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(/\/entities\/dash3$/);
});

test('a refusal names the permissions, the addon or the setting that is missing', async ({
  page,
  browser,
}) => {
  await bringIn(OWNER, 'demo', RITA, { role: 'readonly' });
  await openAs(page, '/admin/access/users', 'Access denied', RITA);
  await expect(page).toHaveURL(/\/access-denied\?required=permission$/);
  await expect(page.getByText(/one of these permissions: .*Manage access/)).toBeVisible();
  await expect(page.getByText(/Ask a workgroup owner/)).toBeVisible();
  await page.goto('/report/capacity-factor');
  await expect(page.getByRole('heading', { name: 'Report', level: 1 })).toBeVisible();
  const bare = await (await browser.newContext()).newPage();
  await openAs(bare, '/report/capacity-factor', 'Access denied', BO);
  await expect(bare).toHaveURL(/\/access-denied\?required=settings$/);
  await expect(bare.getByText(/the setting Performance ratio/)).toBeVisible();
  await bare.goto('/control/schedules');
  await expect(bare).toHaveURL(/\/access-denied\?required=addons&addon=schedules$/);
  await expect(bare.getByText(/the Schedules addon, which is off/)).toBeVisible();
});

test('a page view reaches the server for each path, but for the start and reports', async ({ page }) => {
  const views: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/diagnostics/demo/frontendAnalytics'))
      views.push(`${response.status()} ${new URL(page.url()).pathname}`);
  });
  await openAs(page, '/devices?q=secret');
  await expect.poll(() => views).toEqual(['200 /devices']);
  await page.goto('/report');
  await expect(page.getByRole('heading', { name: 'Report', level: 1 })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Announcements', level: 1 })).toBeVisible();
  await page.goto('/profile?tab=security');
  await expect.poll(() => views).toEqual(['200 /devices', '200 /profile']);
});
