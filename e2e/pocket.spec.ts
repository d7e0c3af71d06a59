import { expect } from '@playwright/test';
import { openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

test.use({ serviceWorkers: 'allow' });

test('the app opens without a network, shows the last state of lists, plants and dashboards with its age, goes on by itself, and forgets it when one signs out', {
  tag: LIVING,
}, async ({ page, context }) => {
  test.setTimeout(300_000);
  // While a year of history fills in, a slow machine takes its time to compute them.
  const filling = { timeout: 90_000 };
  await openAs(page, '/devices', 'Devices');
  const isKept = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration();
      const kept = await (await caches.open('albedo-1')).keys();
      return worker?.active?.state === 'activated' && kept.some(({ url }) => url.endsWith('/'));
    });
  await expect.poll(isKept).toBe(true);
  // What came before the worker is kept by now; the rest of the screen comes through it.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await context.setOffline(true);
  await page.goto('/devices');
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await expect(page.getByText(/^The server cannot be reached\. This is the state of/).first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^The server cannot be reached/)).toHaveCount(0);

  const state = page.getByRole('banner').getByRole('status');
  const power = page.getByText('Power now').locator('xpath=..');
  await page.getByRole('link', { name: 'Harbour', exact: true }).first().click();
  await expect(power).toContainText(/\d\s?[kM]?W/, filling);
  await page.goto('/entities/dash3');
  const energy = page.getByRole('article', { name: 'Energy, last 7 days' });
  await expect(energy).toContainText(/\d\s?[kM]?Wh/, filling);
  await page.goBack();
  await expect(power).toContainText(/\d\s?[kM]?W/, filling);
  await expect(state).toHaveText('Live');

  await context.setOffline(true);
  await expect(state).toHaveText('Offline');
  await expect(page.getByText(/^The server cannot be reached\. This is the state of/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible();
  await expect(power).toContainText(/\d\s?[kM]?W/);
  await expect(
    page.getByText(/^The server cannot be reached\. This is the state of .+ ago/).first(),
  ).toBeVisible();
  await page.goto('/entities/dash3');
  await expect(energy).toContainText(/\d\s?[kM]?Wh/);
  await expect(state).toHaveText('Offline');
  await context.setOffline(false);
  await expect(state).toHaveText('Live', { timeout: 30_000 });
  await expect(page.getByText(/^The server cannot be reached/)).toHaveCount(0);

  await page.getByRole('button', { name: /Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Logout Successful')).toBeVisible();
  const left = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('albedo-last-state');
          opening.onsuccess = () => {
            const keys = opening.result.transaction('kept').objectStore('kept').getAllKeys();
            keys.onsuccess = () => resolve(keys.result.length);
          };
        }),
    );
  await expect.poll(left).toBe(0);
});
