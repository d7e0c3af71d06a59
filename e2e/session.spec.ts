import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { expect, type Page } from '@playwright/test';
import { ApiCaller } from './harness/api.ts';
import { openAs, signIn, test } from './pages.ts';
import { bringIn, makeWorkgroup, type Person } from './people.ts';
import { BASE } from './place.ts';
import { wireOf } from './wire.ts';

/** People of their own: ending their sessions ends nobody else's. */
const IDA: Person = { name: 'Ida Strom', email: 'ida@example.org', password: 'ida counts 11 sheep' };
const IVO: Person = { name: 'Ivo Netz', email: 'ivo@example.org', password: 'ivo counts 12 sheep' };

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await makeWorkgroup('twin-a', 'Twin A', IDA);
  await makeWorkgroup('twin-b', 'Twin B', IVO);
  await bringIn(IVO, 'twin-b', IDA, { role: 'admin' }, true);
});

test('the end of a session is announced ten minutes before, counted by the minute, and leads to a new sign-in', async ({
  page,
}) => {
  await page.clock.install();
  await openAs(page, '/devices', 'Devices', IDA);
  const leftMs = (await expiryOf(page)) - (await page.evaluate(() => Date.now()));
  const notice = page.getByRole('alert').filter({ hasText: 'Session will expire soon.' });
  await page.clock.fastForward(leftMs - 605_000);
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.clock.runFor(8000);
  await expect(notice).toContainText('10 minutes remaining');
  await page.clock.runFor(62_000);
  await expect(notice).toContainText('9 minutes remaining');
  await page.clock.fastForward(8 * 60_000);
  await page.clock.runFor(2000);
  await expect(notice).toContainText('1 minute remaining');
  await page.clock.fastForward(60_000);
  await page.clock.runFor(1500);
  await expect(page.getByText('Logged out..')).toBeVisible();
  await expect(page).toHaveURL(/\/session-expired\?redirect=%2Fdevices/);
  expect(await storedToken(page)).toBeNull();
  await page.getByRole('button', { name: 'Log back in' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('a session that ends while the page is closed leads there at the next visit', async ({ page }) => {
  await openAs(page, '/profile', 'My profile', IDA);
  const expiry = await expiryOf(page);
  await page.goto('about:blank');
  await page.clock.install({ time: expiry + 1000 });
  await page.goto('/profile?tab=security');
  await expect(page).toHaveURL(/\/session-expired\?redirect=/);
  await expect(page.getByRole('heading', { name: 'Session expired' })).toBeVisible();
  expect(await storedToken(page)).toBeNull();
});

test('a stored text that is no token leads there too, and signing in brings one back to where one wanted', async ({
  page,
}) => {
  // A page of the same origin without the app, which would throw the text away itself.
  await page.goto('/api/v1/version');
  await page.evaluate(() => localStorage.setItem('albedo.token', 'rubbish'));
  await page.goto('/profile?tab=security');
  await expect(page).toHaveURL(/\/session-expired/);
  await page.getByRole('button', { name: 'Log back in' }).click();
  await enter(page, IDA, 'My profile');
  await expect(page).toHaveURL(/\/profile\?tab=security/);
});

/** From now on only the connection can hear that a session ended: whatever else is asked gets no answer. */
async function allowOnlyTickets(page: Page): Promise<void> {
  await page.route('**/api/v1/**', (route) =>
    route.request().url().endsWith('/socket-ticket') ? route.continue() : route.abort(),
  );
}

test('a session that is ended elsewhere ends here at once, without a click', async ({ page }) => {
  await openAs(page, '/devices', 'Devices', IDA);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await allowOnlyTickets(page);
  await endEverywhere(IDA);
  await expect(page).toHaveURL(/\/session-expired/);
  expect(await storedToken(page)).toBeNull();
});

test('a session that ended while the socket was away ends here when the socket is refused', async ({
  page,
}) => {
  const wire = await wireOf(page);
  await openAs(page, '/profile', 'My profile', IDA);
  const state = page.getByRole('banner').getByRole('status');
  await expect(state).toHaveText('Live');
  await wire.cut();
  await expect(state).toHaveText('Reconnecting…');
  await allowOnlyTickets(page);
  await endEverywhere(IDA);
  await expect(state).toHaveText('Reconnecting…');
  wire.mend();
  // Attempts are up to ten seconds apart by now.
  await expect(page).toHaveURL(/\/session-expired\?redirect=%2Fprofile/, { timeout: 30_000 });
  expect(await storedToken(page)).toBeNull();
});

test('an answer of 401 to whatever is asked ends the session, wherever one is', async ({ page }) => {
  await openAs(page, '/profile', 'My profile', IDA);
  await page.route('**/api/v1/me/profile', (route) =>
    route.fulfill({ status: 401, json: { code: 401, message: 'no' } }),
  );
  await page.getByLabel('Company').fill('Twins');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/session-expired\?redirect=%2Fprofile/);
  expect(await storedToken(page)).toBeNull();
});

test('a stored token that the server no longer takes ends at the first answer of 401', async ({ page }) => {
  // Without a socket, which would hear of it first.
  await page.routeWebSocket(/socket\.io-client/, () => {});
  await openAs(page, '/devices', 'Devices', IDA);
  // Nothing of the page that is open may hear of it before the next one asks.
  await page.goto('about:blank');
  await endEverywhere(IDA);
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/session-expired/);
  await expect(page.getByRole('heading', { name: 'Session expired' })).toBeVisible();
  expect(await storedToken(page)).toBeNull();
});

test('signing in as another person in one tab counts in all of them', async ({ page, context }) => {
  await openAs(page, '/devices', 'Devices', IDA);
  const other = await context.newPage();
  await other.goto('/devices');
  await other.getByRole('button', { name: /Profile/ }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await other.goto('/login');
  await enter(other, IVO);
  await expect(page.getByRole('button', { name: `Profile of ${IVO.name}` })).toBeVisible();
  await expect(page.getByText('Twin B')).toBeVisible();
});

test('a switch of the workgroup takes all tabs along, is remembered, and shows nothing of the old one', async ({
  page,
  context,
}) => {
  await openAs(page, '/devices', 'Devices', IDA);
  // The empty list has one more of it, once it is there.
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Only in A');
  await page.getByRole('dialog').getByRole('button', { name: 'Add device' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Only in A').first()).toBeVisible();
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByRole('button', { name: /Workgroup Twin A/ })).toBeVisible();

  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.getByRole('button', { name: /Workgroup Twin A/ }).click();
  await page.getByRole('menuitem', { name: 'Twin B' }).click();
  await expect(page.getByRole('button', { name: /Workgroup Twin B/ })).toBeVisible();
  await expect(page.getByText('No devices yet')).toBeVisible();
  await expect(page.getByText('Only in A')).toHaveCount(0);
  expect(sockets.some((url) => url.includes('orgName=twin-b') && url.includes('token='))).toBe(true);
  expect(sockets.some((url) => url.includes('orgName=twin-a'))).toBe(false);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Only in');
  await expect(page.getByText('no results found')).toBeVisible();

  await expect(other.getByRole('button', { name: /Workgroup Twin B/ })).toBeVisible();
  await expect(other).toHaveURL(/\/devices/);
  await other.reload();
  await expect(other.getByRole('button', { name: /Workgroup Twin B/ })).toBeVisible();
});

test('answers of the old workgroup that come after a switch are dropped', async ({ page }) => {
  await openAs(page, '/profile', 'My profile', IDA);
  if (await page.getByRole('button', { name: /Workgroup Twin B/ }).isVisible())
    await switchTo(page, 'Twin A');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/devices/twin-a', async (route) => {
    await held;
    await route.continue().catch(() => {
      // The browser gave the request up, which is what is wanted.
    });
  });
  await page.goto('/devices');
  await expect(page.getByRole('button', { name: /Workgroup Twin A/ })).toBeVisible();
  await switchTo(page, 'Twin B');
  release();
  await expect(page.getByText('No devices yet')).toBeVisible();
  await expect(page.getByText('Only in A')).toHaveCount(0);
});

test('the first workgroup is the remembered one, else the default one, else the first that one may see', async ({
  page,
  browser,
}) => {
  const opened = async (choice: string | null, workgroup: string) => {
    const context = await browser.newContext();
    const fresh = await context.newPage();
    await fresh.goto('/api/v1/version');
    if (choice) await fresh.evaluate((name) => localStorage.setItem('albedo.workgroup', name), choice);
    await openAs(fresh, '/devices', 'Devices', IDA);
    await expect(fresh.getByRole('button', { name: `Workgroup ${workgroup}` })).toBeVisible();
    await context.close();
  };
  await opened(null, 'Twin A');
  await openAs(page, '/profile?tab=workgroups', 'My profile', IDA);
  await page.getByRole('radio', { name: 'Start in Twin B' }).click();
  await expect(page.getByText('You now start in Twin B')).toBeVisible();
  await opened(null, 'Twin B');
  await opened('twin-a', 'Twin A');
  await opened('a-workgroup-of-others', 'Twin B');
});

async function switchTo(page: Page, workgroup: string): Promise<void> {
  await page.getByRole('button', { name: /^Workgroup/ }).click();
  await page.getByRole('menuitem', { name: workgroup }).click();
  await expect(page.getByRole('button', { name: `Workgroup ${workgroup}` })).toBeVisible();
}

async function enter(page: Page, person: Person, heading = 'Devices'): Promise<void> {
  await signIn(page, heading, person);
}

async function endEverywhere({ email, password }: Person): Promise<void> {
  const caller = new ApiCaller(BASE);
  await caller.signIn(email, password);
  await caller.call(sessionsApi.logoutEverywhere, {});
}

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('albedo.token'));

/** When the session of the page ends, epoch ms. */
async function expiryOf(page: Page): Promise<number> {
  const claims = (await storedToken(page))?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }).exp * 1000;
}
