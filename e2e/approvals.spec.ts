import { approvalsApi } from '@albedo/contract/approvals/approvals.api';
import { expect, type Locator, type Page } from '@playwright/test';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { deviceLink, openAs, test } from './pages.ts';
import { bringIn, callerOf, type Person } from './people.ts';
import { LIVING } from './product.ts';

const IDA: Person = { name: 'Ida Inside', email: 'ida@example.org', password: 'ida opens 15 doors' };

/** Confirms that it is them where that is asked for before `done` shows. */
async function confirmed(page: Page, { password }: { password: string }, done: Locator): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(asked.or(done).first()).toBeVisible();
  if (await asked.isVisible()) {
    await asked.getByLabel('Password', { exact: true }).fill(password);
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  await expect(done).toBeVisible();
}

async function setRule(isNeeded: boolean): Promise<void> {
  const owner = await callerOf(OWNER);
  await owner.call(approvalsApi.setRule, { params: { wg: 'demo' }, body: { isNeeded } });
}

test('one person asks for a terminal, another approves it, and it opens once', {
  tag: LIVING,
}, async ({ page, browser }) => {
  await bringIn(OWNER, 'demo', IDA, { role: 'power', permissions: ['read', 'controlDevices', 'tunnel'] });
  await setRule(true);
  try {
    const hers = await (await browser.newContext()).newPage();
    await openAs(hers, '/devices', 'Devices', IDA);
    await deviceLink(hers, 'Hilltop').click();
    await hers.getByRole('tab', { name: 'Remote shell' }).click();
    const open = hers.getByRole('button', { name: 'Open a terminal' });
    await open.click();
    const ask = hers.getByRole('dialog', { name: 'Ask for approval' });
    await confirmed(hers, IDA, ask);
    await ask.getByLabel('Reason').fill('The meter is silent.');
    await ask.getByRole('button', { name: 'Ask for approval' }).click();
    await expect(hers.getByText(/waits for somebody to approve it/)).toBeVisible();

    const device = await linkFor(OWNER.email, '/devices');
    await openAs(page, new URL(device).pathname, 'Hilltop');
    const requests = page.getByRole('list', { name: 'Approvals' });
    await expect(requests).toContainText('ida@example.org asks for approval');
    await expect(requests).toContainText('The meter is silent.');
    await requests.getByRole('button', { name: 'Approve' }).click();
    await confirmed(page, OWNER, requests.getByText(/approved it for ida@example.org/));

    await expect(hers.getByText(/approved it\. Open it now/)).toBeVisible();
    await open.click();
    const terminal = hers.getByRole('textbox', { name: 'Terminal on Hilltop' });
    await confirmed(hers, IDA, terminal);
    await terminal.click();
    await hers.keyboard.type('echo $((40+2)) plants\n');
    await expect(hers.locator('.xterm')).toContainText('42 plants');
    await hers.keyboard.type('exit\n');
    await expect(hers.getByText('The shell has ended.').first()).toBeVisible();
    await open.click();
    await confirmed(hers, IDA, hers.getByRole('dialog', { name: 'Ask for approval' }));
  } finally {
    await setRule(false);
  }
});
