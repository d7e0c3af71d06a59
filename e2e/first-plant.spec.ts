import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { servePlant } from './harness/plugins.ts';
import { openAs, test } from './pages.ts';
import { makeWorkgroup } from './people.ts';
import { BASE } from './place.ts';

const INSTALLER = { name: 'Ines', email: 'ines@example.org', password: 'a quiet field of sheep' };
const folder = mkdtempSync(join(tmpdir(), 'albedo-first-plant-'));
const root = join(folder, 'root');
let plant: Awaited<ReturnType<typeof servePlant>>;

test.beforeAll(async () => {
  plant = await servePlant('hilltop');
});
test.afterAll(() => {
  plant?.stop();
  try {
    process.kill(Number(readFileSync(join(root, 'run/albedo/agent.pid'), 'utf8')), 'SIGKILL');
  } catch {
    // It never ran.
  }
  rmSync(folder, { recursive: true, force: true });
});

const look = (page: Page, name: string) =>
  process.env.ALBEDO_SHOTS
    ? page.screenshot({ path: join(process.env.ALBEDO_SHOTS, `${name}.png`), fullPage: true })
    : null;

test('from an empty workgroup to a plant on a board: begun at a desk, gone on with on a phone', async ({
  page,
  browser,
}) => {
  await makeWorkgroup('fields', 'Fields', INSTALLER);
  await openAs(page, '/devices', 'Devices', INSTALLER);
  await page.getByRole('link', { name: 'Set up a plant step by step' }).click();
  await page.getByLabel('Name of this computer').fill('Field gateway');
  await look(page, 'start');
  await page.getByRole('button', { name: 'Begin' }).click();

  const command = await page.locator('pre').textContent();
  const script = (command ?? '')
    .replace('$(command -v sudo)', '')
    .replace('install.sh', `install.sh --root ${root}`);
  await expect(page.getByText('Waiting for the computer to connect…')).toBeVisible();
  await page.getByText('Continue on another screen').click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await look(page, 'install');
  await promisify(execFile)('sh', ['-c', script], { cwd: folder });
  await expect(page.getByText('Field gateway is online')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'Find the machines' })).toBeVisible();
  await page.close();

  // The same person in the plant, with a phone.
  const context = await browser.newContext({
    baseURL: BASE,
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  });
  const phone = await context.newPage();
  await openAs(phone, '/commissioning', 'Set up a plant', INSTALLER);
  await phone.getByRole('link', { name: 'Field gateway' }).click();
  await phone.getByText('Where to look').click();
  await phone.getByLabel('Addresses', { exact: true }).fill('127.0.0.1');
  await phone.getByLabel('Port', { exact: true }).first().fill(String(plant.port));
  await phone.getByRole('button', { name: 'Look for machines' }).click();
  await phone.getByRole('checkbox', { name: 'All 4' }).check();
  await expect(phone.getByRole('checkbox', { checked: true })).toHaveCount(5);
  await look(phone, 'find');
  await phone.getByRole('button', { name: 'Next' }).click();

  await expect(phone.getByLabel(/^Name of/).first()).toHaveValue('inv-01', { timeout: 60_000 });
  await expect(phone.getByText('AC Power').first()).toBeVisible();
  expect(readFileSync(join(root, 'etc/albedo/albedo.yaml'), 'utf8')).not.toContain('sunspec');
  await look(phone, 'read');
  await phone.getByRole('button', { name: 'Start reading' }).click();

  await expect(phone.getByLabel('Meaning of AC Power').first()).toHaveValue('AC power (W)', {
    timeout: 60_000,
  });
  await expect(phone.getByRole('heading', { name: 'station' })).toBeVisible({ timeout: 60_000 });
  await look(phone, 'confirm');
  await phone.getByRole('button', { name: 'This is right' }).click();

  await phone.getByLabel('Name of the plant').fill('South field');
  await phone.getByLabel('Array power').fill('61.6');
  await look(phone, 'plant');
  await phone.getByRole('button', { name: 'Show the plant' }).click();
  await expect(phone.getByRole('heading', { name: 'South field is set up' })).toBeVisible();
  await look(phone, 'done');
  await phone.getByRole('link', { name: 'Open the plant' }).click();
  await expect(phone.getByRole('combobox', { name: 'Entity' })).toHaveValue('South field');
  await expect(phone.getByText('Energy flow')).toBeVisible();
  await expect(phone.getByText(/\d ?k?W\b/).first()).toBeVisible();
  await look(phone, 'board');
});
