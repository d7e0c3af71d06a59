import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { confirm, openAs, test } from './pages.ts';

async function publish(page: Page, title: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New announcement' }).click();
  const form = page.getByRole('dialog', { name: 'New announcement' });
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByText('Required').first()).toBeVisible();
  await form.getByRole('textbox', { name: 'Title' }).fill(title);
  await form.getByRole('textbox', { name: 'Text' }).fill(text);
  await form.getByText('Preview', { exact: true }).click();
  await expect(form.getByText('important')).toBeVisible();
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(`${title} was saved`)).toBeVisible();
}

test('what the staff publishes reaches everybody at once, is read step by step and dismissed', async ({
  page,
  browser,
}) => {
  await openAs(page, '/opsteam?tab=announcements', 'Ops team');
  const reading = await (await browser.newContext()).newPage();
  await openAs(reading, '/announcements', 'Announcements');

  await publish(page, 'First news', 'Something **important** <img src=x onerror=alert(1)>');
  await page.keyboard.press('Escape');
  await publish(page, 'Second news', 'Also **important**: [more](https://example.org)');

  await expect(reading.getByRole('heading', { name: 'First news' })).toBeVisible();
  await expect(reading.getByRole('button', { name: 'Announcements, 2 new' })).toBeVisible();
  await expect(reading.getByRole('dialog')).toHaveCount(0);
  await expect(reading.getByRole('link', { name: 'more' })).toHaveAttribute('rel', /noopener/);
  await expect(reading.locator('img[src="x"]')).toHaveCount(0);

  await reading.goto('/devices');
  const dialog = reading.getByRole('dialog', { name: 'First news' });
  await expect(dialog).toContainText('1 of 2');
  await expect(dialog.getByRole('button', { name: 'Back' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await reading.getByRole('dialog', { name: 'Second news' }).getByRole('button', { name: 'Done' }).click();
  await expect(reading.getByRole('dialog')).toHaveCount(0);
  await reading.getByRole('button', { name: 'Announcements, nothing new' }).click();
  await expectOpenToAll(reading, 'bell');
  await reading.getByRole('link', { name: 'View all' }).click();
  await expect(reading).toHaveURL(/\/announcements$/);
  await expect(reading.getByRole('heading', { name: 'Second news' })).toBeVisible();
  await reading.goto('/devices');
  await expect(reading.getByRole('button', { name: 'Announcements, nothing new' })).toBeVisible();
  await expect(reading.getByRole('dialog')).toHaveCount(0);

  // The dialog that stands here too knows only after a minute that it was read elsewhere.
  await page.reload();
  for (const title of ['First news', 'Second news']) {
    await page.getByRole('gridcell', { name: title }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm(page);
    await expect(page.getByText(`${title} was deleted`)).toBeVisible();
  }
  await expect(page.getByText('No announcements')).toBeVisible();
});
