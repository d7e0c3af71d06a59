import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { confirm, openAs, test } from './pages.ts';

const ANN = { email: 'ann@sons.example', password: 'ann owns 5 plants' } as const;

test.describe.configure({ mode: 'serial' });

test('a stranger asks for a workgroup, the staff makes it, and its owner signs in', async ({
  page,
  browser,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto('/');
  await expect(theirs.getByLabel('Email', { exact: true })).toBeFocused();
  const form = theirs.getByRole('form', { name: 'New workgroup' });
  const submit = form.getByRole('button', { name: 'Submit request' });
  await expect(submit).toBeDisabled();
  await form.getByRole('button', { name: 'Read the terms' }).click();
  await expect(theirs.getByRole('dialog')).toContainText('The data from your devices remains yours');
  await theirs.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await form.getByLabel('I accept the terms').check();
  await submit.click();
  await expect(form.getByText('Required')).toHaveCount(7);
  await expect(form.getByLabel('Name')).toBeFocused();

  await form.getByLabel('Name').fill('Ann Example');
  await form.getByLabel('Title').fill('Engineer');
  await form.getByLabel('Company').fill('Sun & Söhne');
  await form.getByLabel('Email address').fill('ann');
  await form.getByLabel('Website').fill('sons');
  await form.getByLabel('Phone').fill('30 1234');
  await form.getByLabel('Description').fill('Three plants on barns.');
  await expect(form.getByText('Invalid email')).toBeVisible();
  await expect(form.getByText('Invalid URL')).toBeVisible();
  await form.getByLabel('Website').fill('https://sons.example');
  await expect(form.getByLabel('Website')).toHaveValue('sons.example');
  await form.getByLabel('Email address').fill(OWNER.email);
  await expect(form.getByText('Email address already in use. Try resetting your password.')).toBeVisible();
  await form.getByLabel('Email address').fill(ANN.email);
  await form.getByRole('combobox', { name: 'Country' }).fill('Austri');
  await theirs.getByRole('option', { name: 'Austria' }).click();
  await expect(form.getByText('+43')).toBeVisible();
  await submit.click();
  await expect(theirs.getByRole('status')).toHaveText('Request submitted');

  await openAs(page, '/opsteam?tab=requests', 'Ops team');
  await page.getByRole('row').filter({ hasText: 'Sun & Söhne' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('+43 30 1234');
  await expectOpenToAll(page, 'request of a workgroup');
  await expect(dialog.getByLabel('Workgroup name')).toHaveValue('sun-sohne');
  await dialog.getByLabel('Workgroup name').fill('demo');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(dialog).toContainText('already has the name demo');
  await dialog.getByLabel('Workgroup name').fill('sons');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('No open requests')).toBeVisible();
  await page.getByText(/^Decided/).click();
  await expect(page.getByRole('row').filter({ hasText: 'Sun & Söhne' })).toContainText('Accepted');

  const link = await linkFor(ANN.email, '/activate');
  await theirs.goto(link);
  await expect(theirs.getByLabel('Name')).toHaveValue('Ann Example');
  await expectOpenToAll(theirs, 'activation');
  await setPassword(theirs, ANN.password);
  await expect(theirs.getByRole('status')).toContainText('Your account is ready');
  await theirs.goto(link);
  await expect(theirs.getByRole('alert')).toContainText('invalid or has expired');
  await theirs.getByRole('link', { name: 'Go to login' }).click();
  await theirs.getByLabel('Email', { exact: true }).fill(ANN.email);
  await theirs.getByLabel('Password', { exact: true }).fill(ANN.password);
  await theirs.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(theirs.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible();
});

test('a request is rejected after a question', async ({ page, browser }) => {
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto('/signup');
  const form = theirs.getByRole('form', { name: 'New workgroup' });
  for (const label of ['Name', 'Title', 'Company', 'Phone', 'Description'])
    await form.getByLabel(label).fill('Nobody');
  await form.getByLabel('Email address').fill('nobody@spam.example');
  await form.getByLabel('Website').fill('spam.example');
  await form.getByLabel('I accept the terms').check();
  await form.getByRole('button', { name: 'Submit request' }).click();
  await expect(theirs.getByRole('status')).toHaveText('Request submitted');

  await openAs(page, '/opsteam?tab=requests', 'Ops team');
  await page.getByRole('row').filter({ hasText: 'nobody@spam.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await confirm(page);
  await expect(page.getByText('No open requests')).toBeVisible();
});

test('an invitation adds a workgroup to an account, also while somebody else is signed in', async ({
  page,
}) => {
  await openAs(page, '/admin/access/invites', 'Access');
  await page.getByRole('button', { name: 'Invite new user' }).first().click();
  await page.getByRole('textbox', { name: 'Email' }).fill(ANN.email);
  await page.getByRole('button', { name: 'Send invite' }).click();
  const link = await linkFor(ANN.email, '/invitation');
  await page.goto(link);
  await expect(page.getByText(`You are signed in as ${OWNER.email}`)).toBeVisible();
  await expectOpenToAll(page, 'invitation of somebody else');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByRole('status')).toContainText('Sign in again');
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('invalid or has expired');
  await page.goto('/invitation/demo/no-such-token');
  await expect(page.getByRole('alert')).toContainText('invalid or has expired');

  // The session of the one who was signed in is as it was; the one who joined has both workgroups.
  await page.goto('/profile');
  await expect(page.getByText(OWNER.email).first()).toBeVisible();
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(ANN.email);
  await page.getByLabel('Password', { exact: true }).fill(ANN.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: /^Workgroup/ }).click();
  await expect(page.getByRole('menuitem', { name: /^(Demo|Sun & Söhne|sons)/ })).toHaveCount(2);
  await expectOpenToAll(page, 'choice of the workgroup');
});

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
}
