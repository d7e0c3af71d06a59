import { test as base, expect, type Page } from '@playwright/test';
import { someAddress } from './harness/api.ts';
import { OWNER } from './owner.ts';

/**
 * Each journey is somebody at an address of their own, as behind a proxy on the same machine: sign-ins are limited for
 * each address, and a journey must not fail because of the ones before it.
 */
export const test = base.extend({
  extraHTTPHeaders: async ({ browserName: _browser }, use) => {
    await use({ 'x-forwarded-for': someAddress() });
  },
});

interface Account {
  email: string;
  password: string;
}

/** Signs in on the page that is open, as the owner or somebody else, and waits for the page with that heading. */
export async function signIn(page: Page, heading = 'Devices', account: Account = OWNER): Promise<void> {
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
}

/** The row of a device in the list. */
export const rowOf = (page: Page, device: string) => page.getByRole('row').filter({ hasText: device });
