import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { signIn, test } from './pages.ts';
import { bringIn, type Person } from './people.ts';

/** A person of her own: what she chooses stays hers, and the owner of the other journeys stays English. */
const UMA: Person = { name: 'Uma Paz', email: 'uma@example.org', password: 'uma speaks 3 of them' };

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await bringIn(OWNER, 'demo', UMA, { role: 'readonly' });
});

test('the sign-in page and its failures speak the language of the browser', async ({ browser }) => {
  const context = await browser.newContext({
    locale: 'es-ES',
    extraHTTPHeaders: { 'x-forwarded-for': '10.44.1.2' },
  });
  const page = await context.newPage();
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await page.getByLabel('Correo electrónico').fill(UMA.email);
  await page.getByLabel('Contraseña', { exact: true }).fill('no es la contraseña');
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Usuario o contraseña incorrectos');
  await context.close();
});

test('a language that is chosen is spoken at once, kept on the server, and by the next sign-in page', async ({
  page,
  browser,
}) => {
  await page.goto('/profile?tab=appearance');
  await signIn(page, 'My profile', UMA);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page
    .getByRole('textbox', { name: 'Language' })
    .or(page.getByRole('combobox', { name: 'Language' }))
    .first()
    .click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { name: 'Mein Profil', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText('1.234,5')).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);

  const elsewhere = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await elsewhere.goto('/devices');
  await signIn(elsewhere, 'Geräte', UMA);
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'de');

  await page.goto('/logout');
  await expect(page.getByText('Sie sind jetzt abgemeldet')).toBeVisible();
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Weiter', exact: true })).toBeVisible();
});

test('times are those of the chosen zone, whatever that of the browser is; the theme comes along', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'America/Denver' });
  const page = await context.newPage();
  await page.goto('/devices');
  // Kept by the journey before.
  await signIn(page, 'Geräte', UMA);
  await page.goto('/profile?tab=appearance');
  await page.getByRole('radio', { name: 'Dunkel' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  const zone = page.getByRole('combobox', { name: 'Gewählte Zeitzone' });
  await zone.click();
  await zone.fill('adelaide');
  await page.getByRole('option', { name: 'Australia/Adelaide' }).click();
  await expect(page.getByText('UTC+10:30')).toBeVisible();
  await context.close();

  const other = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'America/Denver' })).newPage();
  await other.goto('/profile?tab=appearance');
  await signIn(other, 'Mein Profil', UMA);
  await expect(other.getByText('UTC+10:30')).toBeVisible();
  await expect(other.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
