import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { rowOf, signIn } from './pages.ts';

test('a newcomer signs in and sees this machine and three plants, live', async ({ page }) => {
  await page.goto('/');
  await signIn(page);
  await expect(rowOf(page, 'This machine').getByText('online')).toBeVisible();
  for (const plant of ['Hilltop', 'Riverside', 'Harbour'])
    await expect(rowOf(page, plant).getByText('online')).toBeVisible();

  await page.getByRole('link', { name: 'This machine' }).click();
  await expect(page).toHaveURL(/\/devices\/[0-9a-f-]{36}\/general/);
  const machine = page.getByRole('button', { name: /machine/ }).first();
  await expect(machine).toBeVisible();

  await page.getByRole('tab', { name: 'Live' }).click();
  await expect(page).toHaveURL(/\/live/);
  await page.getByRole('tab', { name: 'Data' }).click();
  await expect(page).toHaveURL(/\/data/);
});

test('this machine’s CPU moves on the screen without reloading', async ({ page }) => {
  await page.goto('/');
  await signIn(page);
  await page.getByRole('link', { name: 'This machine' }).click();
  const values = page.locator('li', { hasText: 'cpu_usage' }).first();
  const source = page.getByRole('button', { name: /^\S*machine/ }).first();
  if ((await source.getAttribute('aria-expanded')) === 'false') await source.click();
  await expect(values).toBeVisible();
  const before = await values.textContent();
  await expect(values).not.toHaveText(before ?? '', { timeout: 30_000 });
});

test.describe('adding a device', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-journey-'));
  let agent: ChildProcess | undefined;

  test.afterAll(() => {
    if (agent?.pid) {
      try {
        process.kill(-agent.pid, 'SIGKILL');
      } catch {
        // It ended in the journey.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('runs the pasted command, watches it come online, stops it and sees it go offline', async ({
    page,
  }) => {
    await page.goto('/');
    await signIn(page);
    await page.getByRole('button', { name: 'Add device' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Garage');
    await dialog.getByRole('button', { name: 'Add device' }).click();
    const command = await dialog.locator('pre').textContent();
    expect(command).toContain('/api/v1/agent/pack');
    await expect(dialog.getByRole('status')).toContainText('Waiting for the device');

    // As the page says, but below a folder of the journey: the machine that runs it keeps its own /etc and services.
    const script = (command ?? '')
      .replace(/sudo /g, '')
      .replace(/install\.sh/, `install.sh --root ${folder}/root --foreground`);
    agent = spawn('sh', ['-c', script], { cwd: folder, detached: true, stdio: 'ignore' });
    await expect(dialog.getByRole('status')).toContainText('Garage is online', { timeout: 60_000 });
    await dialog.getByRole('link', { name: 'Open the device' }).click();
    await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible();
    await expect(page.getByText('Online', { exact: true }).first()).toBeVisible();

    const stoppedAt = Date.now();
    if (agent.pid) process.kill(-agent.pid, 'SIGKILL');
    await expect(page.getByText('Offline', { exact: true }).first()).toBeVisible({ timeout: 5000 });
    test
      .info()
      .annotations.push({ type: 'offline shown after', description: `${Date.now() - stoppedAt} ms` });
  });
});
