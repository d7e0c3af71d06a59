import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { openAs, test } from './pages.ts';

test('who needs help writes a ticket with a file, which the staff reads, takes care of and closes', async ({
  page,
}) => {
  await openAs(page, '/devices');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: /support/i }).click();
  const form = page.getByRole('dialog', { name: 'Contact support' });
  await expect(form.getByRole('textbox', { name: 'Email' })).toHaveValue('owner@albedo.local');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Required')).toHaveCount(2);
  await form.getByRole('textbox', { name: 'Subject' }).fill('The roof is dark');
  await form.getByRole('textbox', { name: 'What can we help with?' }).fill('Since noon.');
  await form.locator('input[type=file]').setInputFiles([
    { name: 'inverter.log', mimeType: 'text/plain', buffer: Buffer.from('E 303') },
    { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a photo') },
    { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(10_000_001) },
  ]);
  await expect(form.getByRole('alert')).toContainText('huge.bin is larger than 10 MB.');
  await expectOpenToAll(page, 'asking for support, with files');
  await form.getByRole('button', { name: 'Remove photo.jpg' }).click();
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Your ticket has been created')).toBeVisible();
  await expect(page.getByText('within a few hours')).toBeVisible();
  const ref = (await page.getByText(/^Ref #\d+$/).textContent())?.replace('Ref ', '') ?? '';
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto('/opsteam?tab=tickets');
  await page.getByRole('gridcell', { name: 'The roof is dark' }).click();
  const ticket = page.getByRole('dialog', { name: `${ref} The roof is dark` });
  await expect(ticket).toContainText('Since noon.');
  await expectOpenToAll(page, 'ticket');
  const saved = page.waitForEvent('download');
  await ticket.getByRole('button', { name: /inverter\.log/ }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe('E 303');
  await ticket.getByRole('button', { name: 'Assign to me' }).click();
  await expect(ticket.getByRole('button', { name: 'Unassign' })).toBeVisible();
  await ticket.getByRole('button', { name: 'Close ticket' }).click();
  await expect(ticket.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('No open tickets')).toBeVisible();
  await page.getByText(/^Closed · 1$/).click();
  await expect(page).toHaveURL(/status=closed/);
  await expect(page.getByRole('gridcell', { name: 'The roof is dark' })).toBeVisible();
});
