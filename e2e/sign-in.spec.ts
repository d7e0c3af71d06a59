import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { signIn, test } from './pages.ts';

test('a wrong password gets the sentence of the specification and nothing else', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid username and/or password');
});

test('after signing in one is where one wanted to go, and signing out ends that', async ({ page }) => {
  await page.goto('/devices?q=Hilltop');
  await expect(page).toHaveURL(/\/login/);
  await signIn(page);
  await expect(page).toHaveURL(/q=Hilltop/);
  await page.getByRole('button', { name: /Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/login/);
});

test('a page that does not exist says so', async ({ page }) => {
  await page.goto('/no-such-page');
  await expect(page.getByText('Page not found')).toBeVisible();
});
