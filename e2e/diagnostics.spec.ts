import { expect, type Page } from '@playwright/test';
import { openAs, test } from './pages.ts';
import { BASE } from './place.ts';
import config from './playwright.config.ts';

/** Browsers report nothing from localhost, so the product has another host name here that resolves to this machine. */
const NAMED = BASE.replace('127.0.0.1', 'albedo.example');
const { executablePath, args = [] } = config.use?.launchOptions ?? {};
test.use({
  baseURL: NAMED,
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...args,
      '--host-resolver-rules=MAP albedo.example 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${NAMED}`,
    ],
  },
});

const SAYS = 'The journey of diagnostics broke for [address]';

/** Throws an error in the page, as a bug in the app would, and waits until it is reported. */
async function breakPage(page: Page): Promise<void> {
  const reported = page.waitForResponse((response) => response.url().endsWith('/frontendError'));
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('The journey of diagnostics broke for zoe@example.org');
    });
  });
  expect((await reported).status()).toBe(200);
}

const openErrors = (page: Page) => openAs(page, '/opsteam?tab=errors', 'Ops team');
const rowOf = (page: Page) => page.getByRole('row').filter({ hasText: SAYS });

test('an error of a browser is seen by the staff, resolved, and comes back', async ({ page }) => {
  await openAs(page, '/devices');
  await breakPage(page);
  await openErrors(page);
  await rowOf(page).getByText(SAYS).click();
  const drawer = page.getByRole('dialog', { name: 'Error' });
  await expect(drawer.getByRole('heading', { name: SAYS })).toBeVisible();
  await expect(drawer.getByText('/devices', { exact: true })).toBeVisible();
  await drawer.getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(drawer.getByRole('button', { name: 'Open again' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf(page)).toHaveCount(0);
  await page.getByText(/^Resolved · /).click();
  await expect(rowOf(page)).toBeVisible();

  await openAs(page, '/devices');
  await breakPage(page);
  await openErrors(page);
  await expect(rowOf(page).getByText(/Came back in \d/)).toBeVisible();
  await openAs(page, '/opsteam?tab=pages', 'Ops team');
  await expect(page.getByRole('row').filter({ hasText: '/devices' }).first()).toBeVisible();
});

test('a coordinator sees what needs somebody in the workgroup', async ({ page }) => {
  await openAs(page, '/admin/data/diagnostics', 'Data');
  const outcome = page.getByRole('tabpanel').getByText(/^All is well$|things? to look into$/);
  await expect(outcome).toBeVisible();
  await expect(page.getByRole('region', { name: 'In order' }).getByText('API tokens')).toBeVisible();
});
