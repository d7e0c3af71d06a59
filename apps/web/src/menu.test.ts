import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import { expect, test } from 'vitest';
import type { Feature, MenuEntry } from './app/feature.ts';
import type { Visitor } from './app/guard.ts';
import { type Screens, visibleMenu } from './features/shell/visible-menu.ts';
import { features } from './features.ts';

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
const page = (staticData: object) => ({ options: { staticData: { title: 'a', ...staticData } } });
/** As if every address of the menu had a screen that guards itself by flags only. */
const everyScreen: Screens = Object.fromEntries(
  MENU.flatMap(({ to }) => (to ? [[to, page({ restricted: true, dashboardOnly: true })]] : [])),
);
const titles = (visitor: Visitor, screens = everyScreen) =>
  visibleMenu(MENU, visitor, screens).flatMap(({ title, items }) =>
    [title, ...(items ?? []).map((item) => `> ${item.title}`)].map((one) => one.replace('menu.', '')),
  );

test('an owner sees all that needs no addon, setting or staff', () => {
  expect(titles(buildVisitor())).toEqual([
    ...['devices', 'dashboards', 'analysis', 'searches', 'alerts', 'photos'],
    ...['admin', '> workgroup', '> access', '> audit', '> reports', '> data'],
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
  expect(seen.filter((one) => one === 'admin' || one.startsWith('>'))).toEqual(['admin', '> access']);
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
  expect(titles(buildVisitor({ scope: limited }))).toEqual(['dashboards']);
});

test('what has no screen is not there, and an entry leads to the first screen below it that one may open', () => {
  const screens: Screens = {
    '/devices': page({ restricted: true }),
    '/admin/workgroup/searches': page({ staff: true }),
    '/admin/workgroup/$id': page({}),
    '/admin/workgroup/device-groups': page({ permissions: ['coordinate'] }),
  };
  const seen = visibleMenu(MENU, buildVisitor(), screens);
  expect(seen.map(({ title }) => title)).toEqual(['menu.devices', 'menu.admin']);
  expect(seen[1]?.items?.map(({ to }) => to)).toEqual(['/admin/workgroup/device-groups']);
});
