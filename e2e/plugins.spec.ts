import { expect, type Page } from '@playwright/test';
import { openAs, rowOf, test } from './pages.ts';
import { LIVING } from './product.ts';

/** Installs a plugin on a device, and opens the form of a new task for it. */
async function newTaskOf(page: Page, device: string, plugin: string) {
  await openAs(page, '/devices');
  await page.getByRole('link', { name: device, exact: true }).click();
  await page.getByRole('tab', { name: 'Plugins' }).click();
  const offered = page.getByRole('region', { name: 'Available plugins' });
  await offered.getByRole('textbox', { name: 'Find a plugin' }).fill(plugin);
  await offered.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(offered.getByRole('button', { name: 'Installed' })).toBeVisible({ timeout: 60_000 });
  const activities = page.getByRole('region', { name: 'Tasks and services' });
  await activities.getByRole('button', { name: 'New task' }).click();
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.getByRole('combobox', { name: 'Plugin' }).click();
  await page.getByRole('option', { name: plugin }).click();
  return dialog;
}

test('a task is made, put aside, taken up, read in its log, and turned into a service', {
  tag: LIVING,
}, async ({ page }) => {
  test.setTimeout(300_000);
  const dialog = await newTaskOf(page, 'Hilltop', 'SunSpec');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('A task needs this.').first()).toBeVisible();
  await dialog.getByLabel('Name').fill('roof');
  // The serial lines of the machine are offered; an address is typed.
  await dialog.getByLabel('Endpoint').fill('127.0.0.1');
  await dialog.getByRole('textbox', { name: 'Bus addresses' }).fill('1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The task roof is saved.')).toBeVisible({ timeout: 60_000 });
  const row = rowOf(page, 'roof');
  await expect(row.getByText('scheduled')).toBeVisible();

  await row.getByRole('button', { name: 'Disable' }).click();
  await expect(row.getByText('disabled')).toBeVisible();
  await page.reload();
  await expect(row.getByText('disabled')).toBeVisible();
  await row.getByRole('button', { name: 'Enable' }).click();
  await expect(row.getByText('scheduled')).toBeVisible();

  await row.getByRole('button', { name: 'Edit roof' }).click();
  const edit = page.getByRole('dialog', { name: / roof$/ });
  await expect(edit.getByLabel('Endpoint')).toHaveValue('127.0.0.1');
  await edit.getByText('Service', { exact: true }).click();
  await edit.getByRole('textbox', { name: 'Interval' }).fill('5');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The service roof is saved.')).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText('running')).toBeVisible();
  await expect(row.getByText(/Service$/)).toBeVisible();

  await row.getByRole('button', { name: 'Logs of roof' }).click();
  const logs = page.getByRole('dialog', { name: 'Logs of roof' });
  await expect(logs.getByRole('tab', { name: 'roof', exact: true })).toBeVisible();
  await logs.getByRole('button', { name: 'Dismiss' }).click();

  await row.getByRole('button', { name: 'Remove roof' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove roof' }).click();
  await expect(row).toHaveCount(0);
});

test('a password of a plugin is typed once, never shown again, and stays when something else is saved', {
  tag: LIVING,
}, async ({ page }) => {
  test.setTimeout(300_000);
  const dialog = await newTaskOf(page, 'Harbour', 'SNMP');
  await dialog.getByLabel('Name').fill('switch');
  await dialog.getByLabel('Endpoint').fill('127.0.0.1');
  await dialog.getByRole('button', { name: /more options/ }).click();
  await dialog.getByLabel('Community', { exact: true }).fill('a word for machines');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The task switch is saved.')).toBeVisible({ timeout: 60_000 });

  const row = rowOf(page, 'switch');
  await row.getByRole('button', { name: 'Edit switch' }).click();
  const edit = page.getByRole('dialog', { name: 'Task switch' });
  await edit.getByRole('button', { name: /more options/ }).click();
  const community = edit.getByLabel('Community', { exact: true });
  await expect(community).toHaveAttribute('placeholder', 'Set; leave empty to keep it');
  await expect(community).toHaveValue('');
  const saved = page.waitForResponse(
    (reply) => reply.request().method() === 'PUT' && /\/task\//.test(reply.url()),
  );
  await edit.getByRole('button', { name: 'Save' }).click();
  expect(await (await saved).text()).not.toContain('a word for machines');
  await expect(edit).toBeHidden({ timeout: 60_000 });
  await row.getByRole('button', { name: 'Edit switch' }).click();
  await edit.getByRole('button', { name: /more options/ }).click();
  // What is typed and deleted again removes nothing; its button does, and takes it back.
  await community.fill('another');
  await community.fill('');
  await expect(community).toHaveAttribute('placeholder', 'Set; leave empty to keep it');
  await edit.getByRole('button', { name: 'Remove Community' }).click();
  await expect(community).toHaveAttribute('placeholder', 'Will be removed');
  await edit.getByRole('button', { name: 'Keep Community' }).click();
  await expect(community).toHaveAttribute('placeholder', 'Set; leave empty to keep it');
  await edit.getByRole('button', { name: 'Remove Community' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden({ timeout: 60_000 });
  await row.getByRole('button', { name: 'Edit switch' }).click();
  await edit.getByRole('button', { name: /more options/ }).click();
  await expect(community).toBeVisible();
  await expect(community).not.toHaveAttribute('placeholder');
});
