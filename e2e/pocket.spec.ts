import { expect } from '@playwright/test';
import { openAs, test } from './pages.ts';

test.use({ serviceWorkers: 'allow' });

test('the app opens without a network, shows the last state with its age, and forgets it when one signs out', async ({
  page,
  context,
}) => {
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
  await expect(page.getByText(/^The server cannot be reached\. This is the state of/)).toBeVisible();
  await context.setOffline(false);
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
