import { alertsApi } from '@albedo/contract/alerts/alerts.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';
import { LIVING } from './product.ts';

test('what breaks an alert stands on its page, is acknowledged with a note, and shelved with a reason', {
  tag: LIVING,
}, async ({ page }) => {
  const owner = await callerOf(OWNER);
  const wg = 'demo';
  const { _id } = await owner.call(alertsApi.create, {
    params: { wg },
    body: {
      name: 'The processor works',
      kind: 'query',
      severity: 'high',
      table: 'data',
      conditions: [{ field: 'cpu_usage', operator: '>=', value: 0 }],
      response: 'Nothing: this is what it is for.',
    },
  });
  try {
    await openAs(page, '/alerts', 'Alerts');
    const rule = page.getByRole('checkbox', { name: /The processor works/ });
    await rule.check();
    // It comes with the next value of the device, without a reload.
    const what = page
      .getByRole('row', { name: /CPU usage is/ })
      .first()
      .getByRole('gridcell')
      .nth(2);
    await expect(what).toBeVisible({ timeout: 60_000 });
    await what.click();
    const incident = page.getByRole('dialog');
    await expect(incident.getByText('Nothing: this is what it is for.')).toBeVisible();
    await incident.getByPlaceholder('What did you find?').fill('Looked at it.');
    await incident.getByRole('button', { name: 'Add note' }).click();
    await expect(incident.getByText('Looked at it.').last()).toBeVisible();
    await incident.getByRole('button', { name: 'Acknowledge' }).click();
    await expect(incident.getByText(`${OWNER.email} acknowledged it`)).toBeVisible();
    await incident.getByRole('button', { name: 'Shelve' }).click();
    const shelf = page.getByRole('dialog', { name: 'Shelve the incident' });
    await shelf.getByRole('button', { name: 'Shelve' }).click();
    await expect(shelf.getByText('Say why, so that others know.')).toBeVisible();
    await shelf.getByLabel('Reason').fill('Only a trial');
    await shelf.getByRole('button', { name: 'Shelve' }).click();
    await expect(incident.getByText('Shelved: Only a trial')).toBeVisible();
  } finally {
    await owner.call(alertsApi.remove, { params: { wg, alert: _id } });
  }
});
