import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boardsApi } from '@albedo/contract/boards/boards.api';
import { displaysApi } from '@albedo/contract/displays/displays.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { expect, type Page } from '@playwright/test';
import { ApiCaller } from './harness/api.ts';
import { Program, until } from './harness/processes.ts';
import { Release } from './harness/release.ts';
import { OWNER } from './owner.ts';
import { signIn, test } from './pages.ts';

/** Two releases of the product, deployed one after the other under a browser that stays open. */
const folder = mkdtempSync(join(tmpdir(), 'albedo-update-'));
const old = new Release(join(folder, 'old'), '1.6.96');
const next = new Release(join(folder, 'next'), '1.6.97');
let port = 0;
let cloud: Program | null = null;
let running: Release | null = null;
const address = (path: string) => `http://127.0.0.1:${port}${path}`;

test.describe.configure({ mode: 'serial', timeout: 240_000 });

test.beforeAll(async () => {
  test.setTimeout(240_000);
  port = await freePort();
  await old.build();
  await next.build();
});
test.afterAll(async () => {
  await cloud?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Ends what runs and starts the release at the same place with the same data; what runs already runs on. */
async function deploy(release: Release): Promise<void> {
  if (running === release) return;
  await cloud?.end('SIGTERM');
  running = release;
  cloud = new Program(`cloud ${release.version}`, [release.main], {
    ALBEDO_DATA: join(folder, 'data'),
    ALBEDO_PORT: String(port),
    ALBEDO_PUBLIC_URL: address(''),
    ALBEDO_MQTT_PORT: '0',
    ALBEDO_OWNER_EMAIL: OWNER.email,
    ALBEDO_OWNER_PASSWORD: OWNER.password,
    ALBEDO_DEMO: '0',
    LOG_LEVEL: 'warn',
  });
  cloud.start();
  await until(`release ${release.version} answers`, 90, async () => {
    const { headers } = await fetch(address('/api/v1/version')).catch(() => ({ headers: null }));
    return headers?.get('x-frontend-version') === release.version;
  });
}

test('somebody at work hears of a new release, may put it off, and loads it by the dialog or the small bar', async ({
  page,
  context,
}) => {
  await deploy(old);
  await page.clock.install();
  const other = await context.newPage();
  const files = [page, other].map(watchFiles);
  await page.goto(address('/devices'));
  await signIn(page);
  await other.goto(address('/profile'));
  await expect(other.getByRole('heading', { name: 'My profile', level: 1 })).toBeVisible();
  // A file that one of them still asks for while no server is there would have it loaded anew, with the new release.
  for (const hasAllFiles of files) await hasAllFiles();
  await page.clock.fastForward('01:01');
  const dialog = page.getByRole('dialog', { name: 'Update available' });
  await expect(dialog).toHaveCount(0);

  await deploy(next);
  await page.clock.fastForward('01:01');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('A new version of the product is available.')).toBeVisible();
  await expect(dialog.getByText('Please refresh your browser to load the latest version.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();

  await dialog.getByRole('button', { name: 'Dismiss for five minutes' }).click();
  await expect(dialog).toHaveCount(0);
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  await expect(refresh).toBeVisible();
  await page.clock.fastForward('04:50');
  await expect(refresh).toBeVisible();
  await page.clock.fastForward('00:11');
  await expect(dialog).toBeVisible();
  await expect(refresh).toHaveCount(0);

  expect(await scriptsOf(page)).toEqual(scriptsIn(old));
  await dialog.getByRole('button', { name: 'Refresh page' }).click();
  await expect.poll(() => scriptsOf(page).catch(() => [])).toEqual(scriptsIn(next));
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await page.clock.fastForward('01:01');
  await expect(dialog).toHaveCount(0);

  // The clock is that of both pages, and so the other one knows of the release as long.
  await other.getByRole('button', { name: 'Dismiss for five minutes' }).click();
  await other.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect.poll(() => scriptsOf(other).catch(() => [])).toEqual(scriptsIn(next));
});

test('a wall screen goes on through a deploy: it says how old it is, and is the new release by itself, without a sign-in', async ({
  page,
}) => {
  await deploy(old);
  const caller = new ApiCaller(address(''));
  await caller.signIn(OWNER.email, OWNER.password);
  const wg = 'main';
  await caller.call(entitiesApi.create, { params: { wg }, body: { _id: 'hall', name: 'Hall' } });
  const items = [{ id: 'a', kind: 'text', settings: { text: 'Welcome to **{entity}**.' } }];
  const body = { type: 'entity', typeId: 'hall', name: 'Wall', board: { items } };
  const board = await caller.call(boardsApi.create, { params: { wg }, body: body as never });
  const { token } = await caller.call(displaysApi.create, {
    params: { wg },
    body: { name: 'Wall', pages: [{ board: board._id }] },
  });
  await page.clock.install();
  await page.goto(address(`/display#${token}`));
  await expect(page.getByText('Welcome to Hall.')).toBeVisible();
  const loads = watchLoads(page);

  await cloud?.end('SIGTERM');
  await page.clock.fastForward('01:01');
  await expect(page.getByRole('status')).toBeVisible();
  await expect(page.getByText('Welcome to Hall.')).toBeVisible();
  expect(await scriptsOf(page)).toEqual(scriptsIn(old));

  await deploy(next);
  await expect
    .poll(async () => {
      await page.clock.fastForward('01:01');
      return scriptsOf(page).catch(() => []);
    })
    .toEqual(scriptsIn(next));
  await expect(page.getByText('Welcome to Hall.')).toBeVisible();
  await expect(page.getByRole('status')).toHaveCount(0);
  expect(loads).toHaveLength(1);
});

test('a screen whose file is gone with its release reloads the page, once, past the caches', async ({
  page,
}) => {
  // The release that was there before comes back: what is gone with it are the files of the one that is open.
  await deploy(next);
  await page.clock.install();
  const prompt = page.waitForResponse(/\/assets\/update-prompt-[^/]*\.js/);
  const hasAllFiles = watchFiles(page);
  await page.goto(address('/devices'));
  await signIn(page);
  // What stands beside the screen comes a moment later, and is files of the release as well.
  await prompt;
  await expect(page.getByRole('button', { name: /^Announcements/ })).toBeVisible();
  // So are the lines of the menu that leads to the screen.
  const profile = page.getByRole('button', { name: /Profile/ });
  await profile.click();
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeVisible();
  await page.keyboard.press('Escape');
  await hasAllFiles();
  const loads = watchLoads(page);
  await deploy(old);
  // Whoever puts the update off goes on with the files of before.
  await page.clock.fastForward('01:01');
  await page.getByRole('button', { name: 'Dismiss for five minutes' }).click();
  await profile.click();
  await page.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page.getByRole('heading', { name: 'My profile', level: 1 })).toBeVisible();
  expect(loads).toHaveLength(1);
  expect(loads[0]).toMatch(/[?&]_fresh=\d+/);
  await expect(page).not.toHaveURL(/_fresh/);
  expect(await scriptsOf(page)).toEqual(scriptsIn(old));
});

test('a screen that is missing from the new release too says so instead of loading without end', async ({
  page,
}) => {
  await deploy(old);
  await page.clock.install();
  await page.goto(address('/devices'));
  await signIn(page);
  await page.route(/\/assets\/profile-page-[^/]*\.js/, (route) => route.fulfill({ status: 404 }));
  const loads = watchLoads(page);
  await page.getByRole('button', { name: /Profile/ }).click();
  await page.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page.getByText('Something went wrong')).toBeVisible();
  expect(loads).toHaveLength(1);
  const flag = () => page.evaluate(() => sessionStorage.getItem('albedo.reloaded'));
  expect(await flag()).toBe('1');
  await page.clock.fastForward(10_000);
  await expect.poll(flag).toBeNull();
  expect(loads).toHaveLength(1);
});

/** The result waits until the page has asked for no file of the release for two seconds. */
function watchFiles(page: Page): () => Promise<void> {
  let askedAt = Date.now();
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) askedAt = Date.now();
  });
  return () => expect.poll(() => Date.now() - askedAt, { timeout: 60_000 }).toBeGreaterThan(2000);
}

/** Addresses of the page that the browser loads from now on. */
function watchLoads(page: Page): string[] {
  const loads: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url());
  });
  return loads;
}

/** Names of the entry scripts of the page that is open. */
const scriptsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')].map((script) =>
      script.src.replace(/^.*\//, ''),
    ),
  );

const scriptsIn = ({ folder }: Release): string[] => {
  const html = readFileSync(join(folder, 'apps/web/dist/index.html'), 'utf8');
  return [...html.matchAll(/<script type="module"[^>]* src="[^"]*\/([^"/]+)"/g)].map(
    ([, name]) => name ?? '',
  );
};

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const taken = server.address();
      server.close(() => resolve(typeof taken === 'object' && taken ? taken.port : 0));
    });
  });
}
