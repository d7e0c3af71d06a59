/** Opens every address of the specification with all rights, in a workgroup with all addons. */
import { ADDON_IDS } from '@albedo/contract/access/addons';
import { boardsApi } from '@albedo/contract/boards/boards.api';
import { calculationsApi } from '@albedo/contract/calculations/calculations.api';
import { deviceGroupsApi } from '@albedo/contract/device-groups/device-groups.api';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { kpisApi } from '@albedo/contract/kpis/kpis.api';
import { machinesApi } from '@albedo/contract/machines/machines.api';
import { schedulesApi } from '@albedo/contract/schedules/schedules.api';
import { searchesApi } from '@albedo/contract/searches/searches.api';
import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { expect, type Page } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf, makeWorkgroup, type Person } from './people.ts';

const ALMA: Person = { name: 'Alma All', email: 'alma@example.org', password: 'alma opens 87 screens' };
const WG = 'every-screen';
const NOWHERE = '0'.repeat(43);

/** Texts of a page with a fault. */
const WRONG = /could not be loaded|Unknown error|Access denied|Something went wrong/;

/** Ids for the addresses, by the name of the parameter. */
type Ids = Readonly<Record<string, string>>;

/** Creates a workgroup with all addons and settings, and one thing of each kind. */
async function fill(): Promise<Ids> {
  await makeWorkgroup(WG, 'Every screen', ALMA);
  const staff = await callerOf(OWNER);
  const params = { wg: WG };
  for (const id of ADDON_IDS)
    if (id !== 'restricted-readonly' && id !== 'access-control')
      await staff.call(addonsApi.add, { params, body: { id } });
  const alma = await callerOf(ALMA);
  for (const key of ['meterSites', 'perfRatio'])
    await alma.call(workgroupsApi.setSetting, { params: { wg: WG, key }, body: { value: true } });
  const device = await alma.call(devicesApi.create, { params, body: { name: 'Roof' } });
  const entity = await alma.call(entitiesApi.create, { params, body: { name: 'Site', labels: ['site'] } });
  const board = await alma.call(boardsApi.create, { params, body: boardsApi.create.example.body as never });
  const kpi = await alma.call(kpisApi.create, { params, body: kpisApi.create.example.body as never });
  const calculation = await alma.call(calculationsApi.create, {
    params,
    body: calculationsApi.create.example.body as never,
  });
  const machine = await alma.call(machinesApi.create, { params, body: { name: 'HN' } });
  const group = await alma.call(deviceGroupsApi.create, {
    params,
    body: { name: 'North', composition: { type: 'NOT IN', devices: [] } },
  });
  const search = await alma.call(searchesApi.create, {
    params,
    body: { name: 'Log', table: 'audit_logs' } as never,
  });
  const schedule = await alma.call(schedulesApi.create, {
    params,
    body: schedulesApi.create.example.body as never,
  });
  return {
    device: device.id,
    entity: entity._id,
    board: board._id,
    kpi: kpi._id,
    calculation: calculation._id,
    machine: machine._id,
    devGroup: group._id,
    search: search._id,
    schedule: schedule._id,
  };
}

/** Collects refusals of the server and errors of the page from now on. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/') && response.status() >= 400)
      faults.push(`${response.request().method()} ${response.url()} ${response.status()}`);
  });
  return faults;
}

/** Address, name of the page or of its chosen tab, and the address it redirects to, if any. */
type Opened = readonly [address: string, name: string, end?: string];

const ofWorkgroup = (ids: Ids): readonly Opened[] => [
  ['/profile', 'My details'],
  ['/announcements', 'Announcements'],
  ['/alerts', 'Active incidents'],
  ['/analysis', 'Devices'],
  ['/analysis/entities', 'Entities'],
  ['/control/schedules', 'Shared schedules'],
  [`/control/schedules/${ids.schedule}`, 'Midday limit'],
  ['/control/devices', 'Device schedules'],
  [`/control/devices/${ids.device}`, 'Roof'],
  [`/control/devices/${ids.device}/new`, 'Schedule'],
  ['/entities/dash3', 'Site'],
  [`/entities/dash3/${ids.board}`, 'Site'],
  [`/entities/dash3/${ids.board}/${ids.entity}`, 'Site'],
  ['/entities/dash3-edit', 'Site'],
  [`/entities/dash3-edit/${ids.board}`, 'Site'],
  [`/kpis/${ids.kpi}`, 'Specific yield'],
  [`/kpis/calculation/${ids.calculation}`, 'Yield per hour'],
  ['/devices', 'Devices'],
  [`/devices/${ids.device}`, 'General', `/devices/${ids.device}/general`],
  [`/devices/${ids.device}/data`, 'Data'],
  ['/devices/bulk-actions', 'Bulk actions'],
  ['/search', 'New search'],
  [`/search/${ids.search}`, 'Table'],
  ['/photos', 'Photos'],
  ['/report', 'Energy', '/report/energy'],
  ['/report/energy', 'Energy'],
  ['/report/daily-energy', 'Daily energy'],
  ['/report/performance-ratio', 'Performance ratio'],
  ['/report/daily-energy-anomalies', 'Anomalies'],
  ['/report/capacity-factor', 'Capacity factor'],
  ['/report/inverter-performance', 'Inverters'],
  ['/report/iec-performance-ratio', 'IEC performance'],
  ['/admin/access', 'Users', '/admin/access/users'],
  ['/admin/access/users', 'Users'],
  ['/admin/access/invites', 'Invites'],
  ['/admin/access/api-tokens', 'API tokens'],
  ['/admin/access/access-control', 'Access control'],
  ['/admin/data', 'Tables', '/admin/data/tables'],
  ['/admin/data/tables', 'Tables'],
  ['/admin/data/tables/audit_logs', 'Tables'],
  ['/admin/data/storage', 'Storage'],
  ['/admin/data/external-sources', 'External sources'],
  ['/admin/data/kpis', 'KPIs'],
  ['/admin/data/calculations', 'Calculations'],
  [`/admin/data/calculations/${ids.calculation}`, 'Yield per hour'],
  ['/admin/entities', 'Manage', '/admin/entities/manage'],
  ['/admin/entities/manage', 'Manage'],
  ['/admin/entities/labels', 'Labels'],
  ['/admin/entities/dashboards', 'Dashboards'],
  ['/admin/entities/machines', 'Machines'],
  [`/admin/entities/machines/${ids.machine}`, 'HN'],
  ['/admin/reports', 'Daily energy', '/admin/reports/daily-energy-config'],
  ['/admin/reports/daily-energy-config', 'Daily energy'],
  ['/admin/reports/performance-ratio-config', 'Expected energy'],
  ['/admin/reports/capacity-factor-config', 'Capacity factor'],
  ['/admin/reports/meter-data-config', 'Meter data'],
  ['/admin/reports/availability-config', 'Availability'],
  ['/admin/reports/iec-perf-ratio-config', 'IEC performance'],
  ['/admin/reports/mppt-extract-config', 'MPPT extract'],
  ['/admin/workgroup', 'Settings', '/admin/workgroup/settings'],
  ['/admin/workgroup/settings', 'Settings'],
  ['/admin/workgroup/appearance', 'Appearance'],
  ['/admin/workgroup/addons', 'Addons'],
  ['/admin/workgroup/labelling', 'Labelling'],
  ['/admin/workgroup/metadata', 'Metadata'],
  ['/admin/workgroup/lookup-tables', 'Lookup tables'],
  ['/admin/workgroup/searches', 'Searches'],
  ['/admin/workgroup/device-groups', 'Device groups'],
  ['/admin/workgroup/security-services', 'Security services'],
  [`/device-groups/${ids.devGroup}`, 'North'],
];

/** Pages that anybody can open; the last address does not exist. */
const ofAnybody: readonly Opened[] = [
  ['/', 'Albedo'],
  ['/login', 'Albedo'],
  ['/login/sso', 'Albedo'],
  ['/login/sso/callback', 'Albedo', '/login'],
  [`/activate/${NOWHERE}`, 'This link does not work'],
  [`/invitation/demo/${NOWHERE}`, 'This link does not work'],
  [`/reset/${NOWHERE}`, 'Reset password'],
  ['/session-expired', 'Session expired'],
  ['/signup', 'New workgroup'],
  ['/vrouter', 'Albedo', '/'],
  ['/no-such-page', 'Page not found'],
];

/** Checks that each opens under its name, at its address, and without a fault. */
async function expectOpened(
  page: Page,
  all: readonly Opened[],
  faults: readonly string[] = [],
): Promise<void> {
  for (const [address, name, end = address] of all) {
    await page.goto(address);
    const heading = page.getByRole('heading', { name, exact: true }).first();
    const tab = page.getByRole('tab', { name, exact: true, selected: true }).first();
    await expect.soft(heading.or(tab).first(), address).toBeVisible();
    expect.soft(new URL(page.url()).pathname, address).toBe(end);
    expect.soft(faults, address).toEqual([]);
    await expect.soft(page.getByText(WRONG), address).toHaveCount(0);
  }
}

test('every address that anybody can open shows its page', async ({ page }) => {
  await expectOpened(page, ofAnybody.slice(0, -1));
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('every address of a workgroup opens its screen, and nothing on it is refused or missing', async ({
  page,
}) => {
  test.setTimeout(400_000);
  page.setDefaultTimeout(30_000);
  const ids = await fill();
  await openAs(page, '/devices', 'Devices', ALMA);
  await expectOpened(page, ofWorkgroup(ids), faultsOf(page));

  await page.goto('/opsteam');
  await expect(page).toHaveURL(/\/access-denied$/);
  await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible();
  await page.goto('/newannouncements');
  await expect(page.getByRole('heading', { name: 'Announcements', level: 1 })).toBeVisible();
  await page.goto('/logout');
  await expect(page.getByText('You are now logged out')).toBeVisible();
  await page.goto('/logout/sso/callback');
  await expect(page).toHaveURL(/\/$/);
});

test('the staff open what is theirs', async ({ page }) => {
  await openAs(page, '/opsteam', 'Ops team');
});
