import { apiTokensApi } from '@albedo/contract/api-tokens/api-tokens.api';
import { deviceGroupsApi } from '@albedo/contract/device-groups/device-groups.api';
import type { Composition } from '@albedo/contract/device-groups/device-groups.schema';
import { membersApi } from '@albedo/contract/members/members.api';
import { expect } from '@playwright/test';
import { confirm, openAs, rowOf, test } from './pages.ts';
import { bringIn, callerOf, makeWorkgroup } from './people.ts';

const ADA = { name: 'Ada Berg', email: 'ada.berg@example.org', password: 'ada climbs 9 hills' } as const;
const BEA = { name: 'Bea Tal', email: 'bea.tal@example.org', password: 'bea rows 9 lakes' } as const;
const WORKGROUP = 'live-people';
const params = { wg: WORKGROUP };

test('what one administrator changes the other sees without reloading, and several tokens are revoked at once', async ({
  page,
}) => {
  await makeWorkgroup(WORKGROUP, 'Live people', ADA);
  await bringIn(ADA, WORKGROUP, BEA, { role: 'readonly', permissions: ['manageAccess'] });
  const ada = await callerOf(ADA);

  await openAs(page, '/admin/access/invites', 'Access', BEA);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const { _id: invite } = await ada.call(membersApi.invite, { params, body: { email: 'cem@example.org' } });
  await expect(rowOf(page, 'cem@example.org')).toBeVisible();
  await ada.call(membersApi.removeInvite, { params: { wg: WORKGROUP, invite } });
  await expect(rowOf(page, 'cem@example.org')).toHaveCount(0);

  await page.goto('/admin/workgroup/device-groups');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const composition: Composition = { type: 'IN', devices: [] };
  await ada.call(deviceGroupsApi.create, { params, body: { name: 'South', composition } });
  await expect(rowOf(page, 'South')).toBeVisible();

  await page.goto('/admin/access/api-tokens');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const token = (owner: string) =>
    ada.call(apiTokensApi.create, {
      params,
      body: { owner, email: 'partner@example.org', expiry: '7 days' },
    });
  const [first] = [await token('First partner'), await token('Second partner'), await token('Third partner')];
  await expect(rowOf(page, 'partner')).toHaveCount(3);
  await ada.call(apiTokensApi.revoke, { params: { wg: WORKGROUP, apiToken: first._id } });
  await expect(rowOf(page, 'First partner')).toContainText('Revoked');
  // Those that ended are left out of the question.
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Third partner and Second partner');
  await confirm(page);
  await expect(page.getByText('2 tokens were revoked')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Revoked' })).toHaveCount(3);
});
