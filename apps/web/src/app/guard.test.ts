import { can, member, staff } from '@albedo/contract/access/access';
import type { Screen } from '@albedo/contract/access/screens';
import { isOn } from '@albedo/contract/http/query';
import { expect, test } from 'vitest';
import {
  denialOf,
  insidePath,
  isReadOnly,
  isRestricted,
  landingOf,
  ruleDenialOf,
  type Visitor,
} from './guard.ts';

const scope = {
  role: 'power' as const,
  permissions: [],
  ps: 'rd cd',
  devGroup: null,
  scopes: { device: [] },
};
const build = (
  changes: Partial<Omit<Visitor, 'scope'>> & { scope?: Partial<Visitor['scope']> } = {},
): Visitor => ({
  isStaff: false,
  addons: [],
  settings: {},
  ...changes,
  scope: { ...scope, ...changes.scope },
});

test('signing in leads back to the page that was asked for', () => {
  expect(insidePath('/devices/1/data?from=now-1h')).toBe('/devices/1/data?from=now-1h');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  '/login?redirect=/login',
  undefined,
])('an address outside of the app, %s, leads to the landing page', (path) => {
  expect(insidePath(path)).toBe('/devices');
});

test('one of the listed permissions is enough, by name or by short code', () => {
  expect(denialOf(can('coordinate', 'controlDevices'), build())).toBeNull();
  expect(denialOf(can('coordinate'), build())).toEqual({ required: 'permission' });
  expect(denialOf(can('coordinate'), build({ scope: { role: 'owner' } }))).toBeNull();
});

test('dashboard-only users open only routes with flag D, and an owner is never one', () => {
  const visitor = build({ scope: { ps: 'rd do' } });
  expect(denialOf(member, visitor)).toEqual({ required: 'permission' });
  expect(denialOf({ ...member, dashboardOnly: true }, visitor)).toBeNull();
  expect(denialOf(member, build({ scope: { role: 'owner', ps: 'rd do' } }))).toBeNull();
});

test('restricted read-only users open only routes with flag R', () => {
  const visitor = build({ scope: { ps: 'rd' }, addons: ['restricted-readonly'] });
  expect(isRestricted(visitor)).toBe(true);
  expect(denialOf(member, visitor)).toEqual({ required: 'permission' });
  expect(denialOf({ ...member, restricted: true }, visitor)).toBeNull();
  expect(denialOf(member, build({ scope: { ps: 'rd' } }))).toBeNull();
  expect(isRestricted(build({ scope: { role: 'owner', ps: 'rd' }, addons: visitor.addons }))).toBe(false);
});

test.each([
  { ps: 'rd' },
  { ps: 'rd do' },
  { ps: '', permissions: ['read' as const] },
  { role: 'readonly' as const },
])('%j is read-only', (changes) => {
  expect(isReadOnly({ ...scope, ...changes })).toBe(true);
});

test('more than reading is not read-only', () => {
  expect(isReadOnly(scope)).toBe(false);
  expect(isReadOnly({ ...scope, ps: '', permissions: ['read', 'coordinate'] })).toBe(false);
});

test('staff routes need staff, and say nothing of what is missing', () => {
  expect(denialOf(staff, build())).toEqual({});
  expect(denialOf(staff, build({ isStaff: true }))).toBeNull();
});

test('the guards run in their order: the first failure is reported', () => {
  const screen: Screen = {
    ...can('coordinate'),
    addon: ['iec-perf-ratio', 'daily-energy'],
    settings: ['perfRatio'],
    onlyStaff: true,
    unbound: true,
  };
  expect(denialOf(screen, build())).toEqual({ required: 'addons', addon: 'iec-perf-ratio' });
  const addons = ['daily-energy', 'iec-perf-ratio'];
  expect(denialOf(screen, build({ addons: ['iec-perf-ratio'] }))).toEqual({
    required: 'addons',
    addon: 'iec-perf-ratio',
  });
  expect(denialOf(screen, build({ addons, settings: { perfRatio: 'off' } }))).toEqual({
    required: 'settings',
  });
  const settings = { perfRatio: true };
  expect(denialOf(screen, build({ addons, settings }))).toEqual({ required: 'permission' });
  expect(denialOf(screen, build({ addons, settings, scope: { ps: 'rd co do' } }))).toEqual({
    required: 'permission',
  });
  expect(denialOf(screen, build({ addons, settings, scope: { ps: 'rd co' } }))).toEqual({});
  const bound = { ps: 'rd co', devGroup: 'north' };
  expect(denialOf(screen, build({ addons, settings, scope: bound, isStaff: true }))).toEqual({
    required: 'device-group',
  });
  expect(denialOf(screen, build({ addons, settings, scope: { ps: 'rd co' }, isStaff: true }))).toBeNull();
});

test('what is about the whole workgroup is closed to members of a device group, and says so', () => {
  const bound = build({ scope: { role: 'owner', devGroup: 'north' } });
  expect(denialOf({ ...member, unbound: true }, bound)).toEqual({ required: 'device-group' });
  expect(denialOf(member, bound)).toBeNull();
  expect(denialOf({ ...member, unbound: true }, build())).toBeNull();
});

test('the last guard asks the rules, where they count', () => {
  const screen: Screen = { ...member, rule: { resource: 'Dashboard', action: 'create', on: 'all' } };
  const mine = (isOn: boolean, all: ('view' | 'create')[]) => ({
    isOn,
    resources: { DeviceCommand: {}, Dashboard: { all }, Entity: {} },
  });
  const denial = { required: 'access-control', label: 'Create Dashboard' };
  expect(ruleDenialOf(screen, mine(true, ['view']))).toEqual(denial);
  expect(ruleDenialOf(screen, mine(true, ['view', 'create']))).toBeNull();
  expect(ruleDenialOf(screen, mine(false, []))).toBeNull();
  expect(ruleDenialOf(member, mine(true, []))).toBeNull();
});

test('the first guard decides what is missing, and only the first of several addons is named', () => {
  const screen: Screen = {
    ...can('audit'),
    addon: ['machines', 'ced'],
    settings: ['s'],
    onlyStaff: true,
  };
  const limited = build({ scope: { ps: 'rd do' }, addons: ['restricted-readonly'] });
  expect(denialOf(screen, limited)).toEqual({ required: 'addons', addon: 'machines' });
  expect(denialOf({ ...can('audit'), settings: ['s'] }, limited)).toEqual({ required: 'settings' });
  // Visitors refused for their kind of user do not hear that staff is needed.
  expect(denialOf(staff, limited)).toEqual({ required: 'permission' });
  expect(denialOf({ ...staff, dashboardOnly: true }, limited)).toEqual({ required: 'permission' });
  expect(denialOf({ ...staff, dashboardOnly: true, restricted: true }, limited)).toEqual({});
});

test.each([false, 'false', 'F', 'off', 'OFF', 'no', 'N', 0, '0', '', null, undefined])(
  'the flag %j is off',
  (value) => {
    expect(isOn(value)).toBe(false);
    expect(
      denialOf({ ...member, settings: ['perfRatio'] }, build({ settings: { perfRatio: value } })),
    ).toEqual({
      required: 'settings',
    });
  },
);

test.each([true, 'true', 'on', 'yes', 1, '1', 'nope', ' ', 'off ', {}])('the flag %j is on', (value) => {
  expect(isOn(value)).toBe(true);
});

test('the page of the device group comes after Analysis of the restricted and before all others', () => {
  const settings = {
    defaultPage: '/search',
    deviceGroupDefaultPages: { g: '/devices?group=g', x: '//evil' },
  };
  expect(landingOf(build({ settings, scope: { devGroup: 'g' } }))).toBe('/devices?group=g');
  expect(landingOf(build({ settings, scope: { devGroup: 'g', ps: 'rd do' } }))).toBe('/devices?group=g');
  expect(landingOf(build({ settings, scope: { devGroup: 'other' } }))).toBe('/search');
  expect(landingOf(build({ settings, scope: { devGroup: 'x' } }))).toBe('/search');
  const restricted = { settings, addons: ['restricted-readonly'], scope: { devGroup: 'g', ps: 'rd' } };
  expect(landingOf(build(restricted))).toBe('/analysis');
  expect(landingOf(build({ settings, scope: { ps: 'rd do' } }))).toBe('/entities/dash3');
});

test('the landing page depends on who signs in', () => {
  expect(landingOf(null)).toBe('/devices');
  expect(landingOf(build())).toBe('/devices');
  expect(landingOf(build({ settings: { defaultPage: '/search' } }))).toBe('/search');
  expect(landingOf(build({ settings: { defaultPage: '//evil.example' } }))).toBe('/devices');
  expect(landingOf(build({ scope: { ps: 'rd cd do' } }))).toBe('/entities/dash3');
  expect(landingOf(build({ scope: { ps: 'rd' }, addons: ['restricted-readonly'] }))).toBe('/analysis');
});
