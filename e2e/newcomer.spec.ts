import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { openAs, rowOf, signIn, test } from './pages.ts';
import { LIVING } from './product.ts';

test('a newcomer signs in and sees this machine and three plants, live', { tag: LIVING }, async ({
  page,
}) => {
  await page.goto('/');
  await signIn(page, 'Overview');
  for (const site of ['Hilltop winery', 'Riverside works', 'Harbour cold store'])
    await expect(page.getByText(site).first()).toBeVisible();
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
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

test('this machine’s CPU moves on the screen without reloading', { tag: LIVING }, async ({ page }) => {
  await openAs(page, '/devices');
  await page.getByRole('link', { name: 'This machine' }).click();
  const source = page.getByRole('button', { name: /^system/ });
  await expect(source).toBeVisible();
  if ((await source.getAttribute('aria-expanded')) === 'false') await source.click();
  const values = page
    .locator('div', { has: source })
    .last()
    .getByRole('listitem')
    .filter({ hasText: /cpu.usage/i });
  await expect(values).toBeVisible();
  const before = await values.textContent();
  await expect(values).not.toHaveText(before ?? '', { timeout: 30_000 });
});

test.describe('adding a device', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-journey-'));
  const root = join(folder, 'root');
  const stopAgent = () =>
    process.kill(Number(readFileSync(join(root, 'run/albedo/agent.pid'), 'utf8')), 'SIGKILL');

  test.afterAll(() => {
    try {
      stopAgent();
    } catch {
      // It ended in the journey.
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('runs the pasted command, watches it come online, stops it and sees it go offline', async ({
    page,
  }) => {
    await openAs(page, '/devices');
    await page.getByRole('button', { name: 'Add device' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Garage');
    await dialog.getByRole('button', { name: 'Add device' }).click();
    const command = await dialog.locator('pre').textContent();
    expect(command).toContain('/api/v1/agent/pack');
    await expect(dialog.getByRole('status')).toContainText('Waiting for the device');

    // As the page says, but below a folder of the journey: the machine that runs it keeps its own /etc and services.
    const script = (command ?? '')
      .replace('$(command -v sudo)', '')
      .replace('install.sh', `install.sh --root ${root}`);
    await promisify(execFile)('sh', ['-c', script], { cwd: folder });
    await expect(dialog.getByRole('status')).toContainText('Garage is online', { timeout: 60_000 });
    await dialog.getByRole('link', { name: 'Open the device' }).click();
    await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible();
    await expect(page.getByText('Online', { exact: true }).first()).toBeVisible();

    const stoppedAt = Date.now();
    stopAgent();
    await expect(page.getByText('Offline', { exact: true }).first()).toBeVisible({ timeout: 5000 });
    test
      .info()
      .annotations.push({ type: 'offline shown after', description: `${Date.now() - stoppedAt} ms` });
  });
});
