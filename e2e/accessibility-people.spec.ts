import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { codeOf } from './harness/authenticator.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn } from './people.ts';

const AXEL = { name: 'Axel Wide', email: 'axel@example.org', password: 'axel sees 9 colours' } as const;
const NOWHERE = '0'.repeat(43);

test.describe.configure({ timeout: 400_000 });

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();

test('no page that anybody can open keeps anybody out', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Submit request' })).toBeVisible();
  await expectOpenToAll(page, 'start');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(page.getByText('Required').first()).toBeVisible();
  await expectOpenToAll(page, 'request, with what is missing');
  await page.getByRole('button', { name: 'Read the terms' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'terms');
  await page.goto('/signup');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectOpenToAll(page, 'request alone');

  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('is not right');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid username and/or password');
  await expectOpenToAll(page, 'login, refused');
  await page.getByRole('button', { name: 'Forgot password' }).click();
  await expect(page.getByRole('button', { name: 'Back to login' })).toBeVisible();
  await expectOpenToAll(page, 'login, forgot');
  await page.goto('/login/sso');
  await expect(page.getByText('Single sign-on')).toBeVisible();
  await expectOpenToAll(page, 'login, saml');

  for (const [address, text] of [
    ['/session-expired', 'Session expired'],
    ['/no-such-page', 'Page not found'],
    [`/activate/${NOWHERE}`, 'This link does not work'],
    [`/invitation/demo/${NOWHERE}`, 'This link does not work'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: text })).toBeVisible();
    await expectOpenToAll(page, address);
  }
  await page.goto(`/reset/${NOWHERE}`);
  await page.getByLabel('New password').fill(AXEL.password);
  await page.getByLabel('Confirm password').fill('other');
  await page.getByLabel('New password').focus();
  await expect(page.getByText('Passwords must match')).toBeVisible();
  await expectOpenToAll(page, 'reset, with what is wrong');
  await page.getByLabel('New password').fill(AXEL.password);
  await page.getByLabel('Confirm password').fill(AXEL.password);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByText('Each email is single-use.')).toBeVisible();
  await expectOpenToAll(page, 'reset, with tips');
});

test('nothing that concerns a person keeps anybody out, from the shell to the second factor', async ({
  page,
}) => {
  await bringIn(OWNER, 'demo', AXEL, { role: 'readonly' });
  await openAs(page, '/profile', 'My profile', AXEL);
  await expectOpenToAll(page, 'profile, details');
  await page.getByRole('button', { name: 'Change email address' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'another address');
  await page.keyboard.press('Escape');
  for (const tab of ['Workgroups', 'Appearance', 'Version']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expectOpenToAll(page, `profile, ${tab}`);
  }
  await page.getByRole('button', { name: /^Profile of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeVisible();
  await expectOpenToAll(page, 'profile menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('har');
  await expect(page.getByRole('dialog').getByRole('row').first()).toBeVisible();
  await expectOpenToAll(page, 'search');
  await page.getByRole('combobox').fill('xyzzy');
  await expect(page.getByText('no results found')).toBeVisible();
  await expectOpenToAll(page, 'search without results');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Documentation' }).click();
  await expect(page.getByRole('complementary')).toBeVisible();
  await expectOpenToAll(page, 'documentation');
  for (const address of [
    '/no-such-page',
    '/alerts',
    '/opsteam',
    '/control/schedules',
    '/admin/access/users',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectOpenToAll(page, address);
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/profile?tab=security');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await expectOpenToAll(page, 'profile, security');
  await page.getByRole('button', { name: 'Open or close the menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'drawer');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOpenToAll(page, 'new passkey');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set up' }).click();
  const recoveryCode = await setUp(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('It is on')).toBeVisible();

  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await expectOpenToAll(page, 'logout');
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(AXEL.email);
  await page.getByLabel('Password', { exact: true }).fill(AXEL.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByLabel('Authenticator code')).toBeVisible();
  await expectOpenToAll(page, 'login, totp');
  await page.getByRole('button', { name: 'Use recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await expectOpenToAll(page, 'login, totp-recover');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Recovery code accepted')).toBeVisible();
  await expectOpenToAll(page, 'login, totp-recovered');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await expectOpenToAll(page, 'login, setupMfa');
});

/** Walks through the wizard up to its last step, and answers the recovery code. */
async function setUp(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: '1. Information' })).toBeVisible();
  await expectOpenToAll(page, 'wizard, 1');
  await next(page);
  await expectOpenToAll(page, 'wizard, 2');
  await page.getByRole('button', { name: 'Create QR code' }).click();
  await expect(page.getByText('The QR code is ready.')).toBeVisible();
  await next(page);
  await expectOpenToAll(page, 'wizard, 3');
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await next(page);
  await page.getByLabel('Authenticator code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is correct.')).toBeVisible();
  await expectOpenToAll(page, 'wizard, 4');
  await next(page);
  await expectOpenToAll(page, 'wizard, 5');
  const recoveryCode = (await page.locator('code').textContent()) ?? '';
  await next(page);
  await expectOpenToAll(page, 'wizard, 6');
  return recoveryCode;
}
