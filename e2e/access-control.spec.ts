import { expect, type Page } from '@playwright/test';
import { expectOpenToAll } from './axe.ts';
import { confirm, openAs, rowOf, test } from './pages.ts';
import { bringIn, makeWorkgroup, type Person } from './people.ts';

/** Owner of a separate workgroup, so that the addon restricts nobody else. */
const RHEA: Person = { name: 'Rhea Rule', email: 'rhea@rules.example', password: 'rhea makes 3 rules' };
const MAX: Person = { name: 'Max May', email: 'max@rules.example', password: 'max may do 4 things' };
const SUBJECT = `${MAX.name} (${MAX.email})`;
/** Guarded by the right to create a dashboard. */
const EDITOR = '/entities/dash3-edit';

test.beforeAll(async () => {
  await makeWorkgroup('rulers', 'Rulers', RHEA);
  await bringIn(RHEA, 'rulers', MAX, { role: 'power', permissions: ['read', 'coordinate'] });
});

test('with the addon on, rules say who may do what, the explainer agrees, and an open session hears of each change', async ({
  page,
  browser,
}) => {
  const staff = await (await browser.newContext()).newPage();
  const his = await (await browser.newContext()).newPage();
  await openAs(page, '/admin/access/users', 'Access', RHEA);
  await openAs(his, EDITOR, 'New dashboard', MAX);
  const tab = page.getByRole('tab', { name: 'Access control' });
  await expect(tab).toHaveCount(0);

  await test.step('the provider switches the addon on, and everybody is under the rules at once', async () => {
    await openAs(staff, '/opsteam?tab=workgroups', 'Ops team');
    await rowOf(staff, 'Rulers')
      .getByRole('button', { name: /^Actions for / })
      .click();
    await staff.getByRole('menuitem', { name: 'Addons' }).click();
    await staff.getByRole('switch', { name: /^Access control/ }).click({ force: true });
    await expect(staff.getByText('Access control is enabled')).toBeVisible();
    await expectDenied(his);
    await expect(his.getByText(/do not give you the right “Create Dashboard”/)).toBeVisible();
    await expectOpenToAll(his, 'refused by a rule');
  });

  await test.step('an owner writes a rule and reads what it means', async () => {
    await tab.click();
    await expect(page.getByText('No rules yet')).toBeVisible();
    await expectOpenToAll(page, 'access control without rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await choose(page, dialog.getByRole('combobox', { name: 'For' }), 'One user');
    await choose(page, dialog.getByRole('combobox', { name: 'Which one' }), SUBJECT);
    await choose(page, dialog.getByRole('combobox', { name: 'Resource' }), 'Dashboards');
    await expect(dialog.getByText('Fill in the rest')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    for (const action of ['view', 'create']) await dialog.getByRole('checkbox', { name: action }).check();
    await expect(dialog.getByText(`${SUBJECT} can view and create every dashboard.`)).toBeVisible();
    await expectOpenToAll(page, 'editor of a rule');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The rule was saved and now applies')).toBeVisible();
  });

  await test.step('now they may, and the explainer says why', async () => {
    await openEditor(his);
    await expect(his.getByRole('heading', { name: 'New dashboard' })).toBeVisible();
    const why = page.getByRole('region', { name: 'Why can this user do this?' });
    await choose(page, why.getByRole('combobox', { name: 'Who' }), SUBJECT);
    await expect(why.getByText(/^No: Max May cannot run/)).toBeVisible();
    await expect(why.getByText('No rule matches, so access is denied.')).toBeVisible();
    await choose(page, why.getByRole('combobox', { name: 'Resource' }), 'Dashboards');
    await choose(page, why.getByRole('combobox', { name: 'Action' }), 'Create');
    await expect(why.getByText(/^Yes: Max May can create/)).toBeVisible();
    await expect(why.getByText('The user has the permission: Coordinate.')).toBeVisible();
    await expectOpenToAll(page, 'access control, with an answer');
  });

  await test.step('a role that is denied the same weighs less than the user himself', async () => {
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog', { name: 'New role' });
    await dialog.getByLabel('Name').fill('Guests');
    await choose(page, dialog.getByRole('combobox', { name: 'Users' }), SUBJECT);
    await page.keyboard.press('Escape');
    await expectOpenToAll(page, 'editor of a role');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The role Guests was saved')).toBeVisible();
    await page.getByRole('button', { name: 'New rule' }).click();
    const rule = page.getByRole('dialog', { name: 'New rule' });
    await rule.getByText('Deny', { exact: true }).click();
    await choose(page, rule.getByRole('combobox', { name: 'For' }), 'Users with a role');
    await choose(page, rule.getByRole('combobox', { name: 'Which one' }), 'Guests');
    await choose(page, rule.getByRole('combobox', { name: 'Resource' }), 'Dashboards');
    await rule.getByRole('checkbox', { name: 'create' }).check();
    await rule.getByRole('button', { name: 'Save' }).click();
    const why = page.getByRole('region', { name: 'Why can this user do this?' });
    await expect(why.getByText('roles: Guests')).toBeVisible();
    await expect(why.getByText(/^Yes: Max May can create/)).toBeVisible();
    await expect(his.getByRole('heading', { name: 'New dashboard' })).toBeVisible();
  });

  await test.step('without their own rule the role decides, also in the page that they have open', async () => {
    await page.getByRole('button', { name: /^Actions for: Max May .*can view/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectOpenToAll(page, 'deleting a rule');
    await confirm(page);
    await expect(page.getByText('The rule was deleted')).toBeVisible();
    const why = page.getByRole('region', { name: 'Why can this user do this?' });
    await expect(why.getByText(/^No: Max May cannot create/)).toBeVisible();
    await expect(why.getByText(/between equal rules Deny wins/)).toBeVisible();
    await expectDenied(his);
  });
});

/** Within the page that is open, without a reload. */
async function openEditor(page: Page): Promise<void> {
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, EDITOR);
}

async function expectDenied(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/access-denied\?required=access-control&label=Create(%20|\+)Dashboard$/);
}

async function choose(page: Page, field: ReturnType<Page['getByRole']>, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
