import { expect, type Page } from '@playwright/test';
import { someAddress } from './harness/api.ts';
import { OWNER } from './owner.ts';
import { callerOf } from './people.ts';
import { BASE } from './place.ts';
import { productTest } from './product.ts';

/**
 * Each journey is somebody at an address of their own, as behind a proxy on the same machine: sign-ins are limited for
 * each address, and a journey must not fail because of the ones before it.
 */
export const test = productTest.extend<{ leftBehind: undefined }>({
  baseURL: BASE,
  extraHTTPHeaders: async ({ browserName: _browser }, use) => {
    await use({ 'x-forwarded-for': someAddress() });
  },
  // Pages that a journey opened for others would stay open, sending requests and drawing, during all later journeys.
  leftBehind: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});

interface Account {
  email: string;
  password: string;
}

/** Signs in on the page that is open, as the owner or somebody else, and waits for the page with that heading. */
export async function signIn(page: Page, heading = 'Devices', account: Account = OWNER): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

/**
 * Opens the address as somebody who signed in before, as the owner or somebody else, and waits for the page with that
 * heading: for journeys that are not about signing in.
 */
export async function openAs(
  page: Page,
  path: string,
  heading = 'Devices',
  account: Account = OWNER,
): Promise<void> {
  const { token } = await callerOf(account);
  // An address of the same origin without the app.
  await page.goto('/api/v1/version');
  await page.evaluate((text) => localStorage.setItem('albedo.token', text), token);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

/** Says yes in the dialog that asks before something cannot be undone, whatever its button is called. */
export const confirm = (page: Page): Promise<void> =>
  page.getByRole('dialog', { name: 'Confirmation required' }).locator('button[type=submit]').click();

/** The row of a device in the list. */
export const rowOf = (page: Page, device: string) => page.getByRole('row').filter({ hasText: device });

/** The link to a device in the list; the card of a plant has a link of the same name. */
export const deviceLink = (page: Page, name: string) =>
  page.getByRole('row', { name: new RegExp(name) }).getByRole('link', { name, exact: true });
