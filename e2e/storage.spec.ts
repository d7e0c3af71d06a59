import { externalSourcesApi } from '@albedo/contract/external-sources/external-sources.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, callerOf } from './people.ts';
import { BASE } from './place.ts';

const KEVIN = { name: 'Kevin Keep', email: 'kevin.keep@example.org', password: 'a cellar full of boxes' };

test('an owner holds a month, drops it once it is released, and what is left is the other month', async ({
  page,
}) => {
  const owner = await callerOf(OWNER);
  const claims = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  const params = { wg: claims.defaultWorkgroup };
  await bringIn(OWNER, params.wg, KEVIN, { role: 'owner' });
  const mapping = {
    ...{ table: 'boxes', source: 'cellar', timeColumn: 'time', timezone: 'UTC' },
    fields: [{ column: 'count', name: 'Count' }],
  };
  const { _id, token } = await owner.call(externalSourcesApi.create, {
    params,
    body: { name: 'Boxes', kind: 'push', recordsPath: '', pull: null, mapping } as never,
  });
  const records = ['2026-02-03', '2026-02-04', '2026-03-05'].map((day, count) => ({
    time: `${day}T10:00:00Z`,
    count,
  }));
  const pushed = await fetch(`${BASE}/api/v1/push/${_id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(records),
  });
  expect(await pushed.json()).toMatchObject({ stored: 3 });

  await openAs(page, '/admin/data/storage?table=boxes', 'Data', KEVIN);
  const months = page.getByRole('region', { name: 'Months of a table' });
  const february = months.getByRole('row', { name: /February 2026/ });
  await expect(february).toContainText('2');
  const act = async (action: string) => {
    await february.getByRole('button', { name: 'Actions for February 2026' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await act('Place legal hold');
  const hold = page.getByRole('dialog', { name: 'Hold boxes, February 2026' });
  await hold.getByLabel('Reason').fill('The insurer asked');
  await hold.getByRole('button', { name: 'Place legal hold' }).click();
  await expect(months.getByText(/legal hold of kevin\.keep@example\.org.*The insurer asked/)).toBeVisible();
  await february.getByRole('button', { name: 'Actions for February 2026' }).click();
  await expect(page.getByRole('menuitem', { name: 'Drop month' })).toHaveAttribute('data-disabled', 'true');
  await page.keyboard.press('Escape');
  await months.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await expect(months.getByText(/The insurer asked/)).toHaveCount(0);

  await act('Drop month');
  const dialog = page.getByRole('dialog', { name: 'Confirmation required' });
  await expect(dialog.getByText(/^2 events .* will be deleted for good/)).toBeVisible();
  await dialog.getByRole('textbox').fill('boxes 2026-02');
  await dialog.locator('button[type=submit]').click();
  await expect(months.getByText(/February 2026 was dropped: 2 events/)).toBeVisible();
  await expect(february).toHaveCount(0);
  await expect(months.getByRole('row', { name: /March 2026/ })).toBeVisible();
});
