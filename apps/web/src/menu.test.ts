import { can, member, staff } from '@albedo/contract/access/access';
import type { Permission, WorkgroupScope } from '@albedo/contract/access/permissions';
import type { Screen } from '@albedo/contract/access/screens';
import { expect, test } from 'vitest';
import type { Feature, MenuEntry } from './app/feature.ts';
import type { Visitor } from './app/guard.ts';
import { openInside } from './app/inside.ts';
import { type Screens, visibleMenu } from './features/shell/visible-menu.ts';
import { features } from './features.ts';
import { router } from './router.tsx';

const MENU = (features as readonly Feature[])
  .flatMap(({ parts }): readonly MenuEntry[] => parts?.menu ?? [])
  .toSorted((a, b) => a.at - b.at);
const scope = (more: Partial<WorkgroupScope>): WorkgroupScope => ({
  role: 'admin',
  permissions: ['read'],
  ps: 'rd',
  devGroup: null,
  scopes: { device: [] },
  ...more,
});
const buildVisitor = (more: Partial<Visitor> = {}): Visitor => ({
  scope: scope({ role: 'owner' }),
  isStaff: false,
  addons: [],
  settings: {},
  ...more,
});
const page = (access: Screen) => ({ options: { staticData: { title: 'a', access } } });
await openInside();
const routes: Screens = router.routesByPath;
/** As if every address of the menu had a screen already. */
const everyScreen: Screens = Object.fromEntries(
  MENU.flatMap(({ to }) => (to ? [[to, routes[to] ?? page(member)]] : [])),
);
const titles = (visitor: Visitor, screens = everyScreen) =>
  visibleMenu(MENU, visitor, screens).flatMap(({ title, items }) =>
    [title, ...(items ?? []).map((item) => `> ${item.title}`)].map((one) => one.replace('menu.', '')),
  );

test('an owner sees all that needs no addon, setting or staff', () => {
  expect(titles(buildVisitor())).toEqual([
    ...[
      'devices',
      'dashboards',
      '> boards.home',
      'analysis',
      'searches',
      '> searches.new',
      'alerts',
      'photos',
    ],
    ...['admin', '> workgroup', '> access', '> audit', '> reports', '> data', '> diagnostics.title'],
    ...['announcements', 'profile', 'logout'],
  ]);
});

test('addons and settings open Report, Controls and Entities', () => {
  for (const settings of [{ perfRatio: true }, { meterSites: 'on' }])
    expect(titles(buildVisitor({ settings }))).toContain('report');
  for (const addon of ['daily-energy', 'iec-perf-ratio'])
    expect(titles(buildVisitor({ addons: [addon] }))).toContain('report');
  expect(titles(buildVisitor({ settings: { perfRatio: 'off' } }))).not.toContain('report');
  expect(titles(buildVisitor({ addons: ['schedules'] }))).toContain('> deviceSchedules');
  expect(titles(buildVisitor({ addons: ['entities'] }))).toContain('> entities');
});

test('provider staff see Ops team, and Entities without the addon', () => {
  const seen = titles(buildVisitor({ isStaff: true }));
  expect(seen).toContain('opsTeam');
  expect(seen).toContain('> entities');
});

test('wgMembers alone shows Admin with Access only', () => {
  const seen = titles(buildVisitor({ scope: scope({ permissions: ['read', 'wgMembers'], ps: 'rd wm' }) }));
  expect(seen.filter((one) => one === 'admin' || one.startsWith('>'))).toEqual([
    '> boards.home',
    '> searches.new',
    'admin',
    '> access',
  ]);
});

test('a restricted read-only user sees only Devices and Analysis', () => {
  const restricted = scope({ role: 'readonly' });
  expect(titles(buildVisitor({ scope: restricted, addons: ['restricted-readonly', 'schedules'] }))).toEqual([
    'devices',
    'analysis',
  ]);
});

test('a dashboard-only user sees only Dashboards', () => {
  const limited = scope({ permissions: ['read', 'dashboardOnly'], ps: 'rd do' });
  expect(titles(buildVisitor({ scope: limited }))).toEqual(['dashboards', '> boards.home']);
});

test('what has no screen is not there, and an entry leads to the first screen below it that one may open', () => {
  const screens: Screens = {
    '/devices': page(member),
    '/admin/workgroup/searches': page(staff),
    '/admin/workgroup/$id': page(member),
    '/admin/workgroup/device-groups': page(can('coordinate')),
  };
  const seen = visibleMenu(MENU, buildVisitor(), screens);
  expect(seen.map(({ title }) => title)).toEqual(['menu.devices', 'menu.admin']);
  expect(seen[1]?.items?.map(({ to }) => to)).toEqual(['/admin/workgroup/device-groups']);
});

test('members of a device group are led past what is about the whole workgroup', () => {
  const visitor = (permissions: readonly Permission[], devGroup: string | null) =>
    buildVisitor({ scope: scope({ permissions: [...permissions], ps: '', devGroup }) });
  const workgroupLine = (of: Visitor) =>
    visibleMenu(MENU, of, routes)
      .flatMap(({ items }) => items ?? [])
      .find(({ title }) => title === 'menu.workgroup')?.to;
  expect(workgroupLine(visitor(['read', 'coordinate'], null))).toBe('/admin/workgroup');
  expect(workgroupLine(visitor(['read', 'coordinate'], 'north'))).toMatch(
    /^\/admin\/workgroup\/(?!settings|appearance)/,
  );
  expect(workgroupLine(visitor(['read'], 'north'))).toBeUndefined();
});
