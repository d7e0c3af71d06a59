import { expect, type Page } from '@playwright/test';
import { deviceLink, openAs, test } from './pages.ts';

/** A longer animation is visible, ms. */
const SEEN_MS = 1;

/** Records every visible animation from now on. */
async function noteMotions(page: Page): Promise<void> {
  await page.evaluate((seenMs) => {
    const noted = new Set<string>();
    Object.assign(window, { noted });
    const look = () => {
      for (const motion of document.getAnimations()) {
        const { duration } = motion.effect?.getComputedTiming() ?? {};
        const target = (motion.effect as KeyframeEffect | null)?.target;
        if (typeof duration === 'number' && duration > seenMs)
          noted.add(`${target?.tagName} ${target?.className} ${duration} ms`);
      }
      requestAnimationFrame(look);
    };
    look();
  }, SEEN_MS);
}

const noted = (page: Page) => page.evaluate(() => [...(window as unknown as { noted: Set<string> }).noted]);

/** Opens and closes everything that is animated: the menu, a card, a dialog, a page that a row grows into. */
async function moveAbout(page: Page): Promise<void> {
  const column = page.getByRole('button', { name: 'Open or close the menu' });
  await column.click();
  await column.click();
  await page.getByRole('button', { name: 'Help' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await deviceLink(page, 'Harbour').click();
  await expect(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible();
}

test('nothing moves for people who want less motion, and things do for others', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openAs(page, '/devices', 'Devices');
  await expect(deviceLink(page, 'Harbour')).toBeVisible();
  await noteMotions(page);
  await moveAbout(page);
  expect(await noted(page)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/devices');
  await expect(deviceLink(page, 'Harbour')).toBeVisible();
  await noteMotions(page);
  await moveAbout(page);
  expect((await noted(page)).join()).toContain('Modal');
});
