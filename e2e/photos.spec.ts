import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { greyPicture } from '../apps/cloud/src/testing/grey-picture.ts';
import { TestCamera } from '../plugins/camera/src/testing/test-camera.ts';
import { Program } from './harness/processes.ts';
import { deviceLink, openAs, test } from './pages.ts';
import { DATA } from './place.ts';

const HOUSE = join(import.meta.dirname, '..');
const PASSWORD = 'pump-room-7';

let folder = '';
let camera: TestCamera;
let agent: Program | null = null;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-photos-'));
  // Where it looks shows in how bright it is.
  const picture = (pan: number, tilt: number) => greyPicture(64, 48, Math.round(128 + 40 * pan + 10 * tilt));
  camera = await new TestCamera({
    user: 'plant',
    password: PASSWORD,
    auth: 'digest-sha256',
    picture,
  }).start();
});
test.afterAll(async () => {
  await agent?.end('SIGTERM');
  await camera?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The agent of a dark device of the demo, with the plugin of cameras as an installed program would be. */
function startAgent(root: string): Program {
  const program = join(folder, 'camera_albedo');
  const plugin = join(HOUSE, 'plugins/camera/src/main.ts');
  writeFileSync(program, `#!/bin/sh\nALBEDO_ROOT='${root}' exec '${process.execPath}' '${plugin}' "$@"\n`);
  chmodSync(program, 0o755);
  const services = join(root, 'etc/albedo/services');
  mkdirSync(services, { recursive: true });
  const row = {
    ...{
      _name: 'gate',
      _plugin: 'camera',
      endpoint: `onvif://${camera.host}`,
      camera: 'gate',
      user: 'plant',
    },
    ...{ password: PASSWORD, output_directory: join(root, 'opt/albedo/logs'), step: '0.1', settle: '0.1' },
  };
  writeFileSync(
    join(services, 'cameras'),
    `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`,
  );
  const config = join(root, 'etc/albedo/albedo.yaml');
  const watch =
    '{table: photos, source: gate, file: /opt/albedo/logs/camera/gate/photos/*.png, send_file: true}';
  writeFileSync(config, `${readFileSync(config, 'utf8')}\nwatch:\n  - ${watch}\n`);
  const started = new Program('agent', [join(HOUSE, 'apps/agent/src/main.ts'), 'run', '--root', root], {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  });
  started.start();
  return started;
}

const look = (page: Page, name: string) =>
  process.env.ALBEDO_SHOTS ? page.screenshot({ path: join(process.env.ALBEDO_SHOTS, `${name}.png`) }) : null;

/** As a saved command does it, before any photo is there to press a button beside. */
async function runFirst(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Commands' }).click();
  const line = page.getByRole('textbox', { name: 'Shell command' });
  await expect(line).toBeEnabled();
  await line.fill('camera_albedo steer gate photo');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/gate: photo, .*\.png/)).toBeVisible();
}

test('a camera takes photos and is steered beside them, without a reload, and what it saw plays', async ({
  page,
}) => {
  agent = startAgent(join(DATA, 'demo/agents/hilltop'));
  await openAs(page, '/devices');
  await deviceLink(page, 'Hilltop').click();
  await runFirst(page);

  await page.getByRole('tab', { name: 'Photos' }).click();
  const tiles = page.getByRole('button', { name: / gate, / });
  await expect(tiles).toHaveCount(1);
  await page.getByRole('button', { name: 'Control camera' }).click();
  const dialog = page.getByRole('dialog', { name: 'Control camera: gate' });
  await dialog.getByRole('button', { name: 'Set up camera control' }).click();
  await dialog.getByRole('button', { name: 'Right', exact: true }).click();
  const ask = page.getByRole('dialog', { name: 'Run command?' });
  await expect(
    ask.getByText('Are you sure you want to run the command Steer camera on device Hilltop?'),
  ).toBeVisible();
  await ask.getByRole('button', { name: 'Run command' }).click();
  await expect(dialog.getByText('Done. A photo of it follows.')).toBeVisible();
  expect(camera.orders).toEqual(['move main 0.5 0', 'stop']);
  // Nobody asks a second time, and the photo comes without a reload.
  await dialog.getByRole('button', { name: 'Home' }).click();
  await expect.poll(() => camera.orders.at(-1)).toBe('home');
  await expect(dialog.getByText('Done. A photo of it follows.')).toBeVisible();
  await expect(dialog.getByRole('img', { name: /^gate, / })).toBeVisible();
  await look(page, 'control');
  await page.keyboard.press('Escape');
  await expect(tiles).toHaveCount(3);

  await page.getByRole('button', { name: 'Slideshow' }).click();
  // It stands still for those who asked for less motion, as browsers of tests do.
  await expect(page.getByText('1 of 3')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText('3 of 3')).toBeVisible();
  await look(page, 'slideshow');
});
