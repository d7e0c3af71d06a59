import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { deviceLink, openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

test('a device is worked on from the browser: its configuration, a saved command, a terminal', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/devices');
  await deviceLink(page, 'Hilltop').click();

  await page.getByRole('tab', { name: 'Configuration' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Commands' }).click();
  const entry = page.getByRole('dialog');
  await entry.getByLabel('Table').fill('board');
  await entry.getByLabel('Source').fill('load');
  await entry.getByRole('textbox', { name: 'Command' }).fill('echo 7');
  await entry.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByText('+ - table: board').first()).toBeVisible();
  await page.getByText('YAML', { exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Configuration' });
  await expect(editor).toContainText('echo 7');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('\nhello: 1');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('unknown key "hello"').first()).toBeVisible();

  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: 'New command' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Greet');
  await dialog.getByLabel('Command line').fill('echo hello {who}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Greet/ }).getByRole('button', { name: 'Run' }).click();
  await expect(
    dialog.getByText('Are you sure you want to run the command Greet on device Hilltop?'),
  ).toBeVisible();
  await dialog.getByLabel('who').fill('the hill');
  await dialog.getByRole('button', { name: 'Run command' }).click();
  const results = page.getByRole('region', { name: 'Greet' });
  await expect(results.getByText('hello the hill')).toBeVisible();
  await expect(results.getByText('Done')).toBeVisible();

  await page.getByRole('tab', { name: 'Remote shell' }).click();
  await page.getByRole('button', { name: 'Open a terminal' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await asked.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  const terminal = page.getByRole('textbox', { name: 'Terminal on Hilltop' });
  await terminal.click();
  await page.keyboard.type('echo $((40+2)) plants\n');
  await expect(page.locator('.xterm')).toContainText('42 plants');
  await page.keyboard.type('exit\n');
  // Below the terminal and in the list of sessions, where other journeys may have left theirs.
  await expect(page.getByText('The shell has ended.').nth(1)).toBeVisible();
});
