import { expect, test } from 'vitest';
import {
  denialOf,
  insidePath,
  isOn,
  isReadOnly,
  isRestricted,
  landingOf,
  type RouteGuard,
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
  expect(denialOf({ permissions: ['coordinate', 'controlDevices'] }, build())).toBeNull();
  expect(denialOf({ permissions: ['coordinate'] }, build())).toEqual({ required: 'permission' });
  expect(denialOf({ permissions: ['coordinate'] }, build({ scope: { role: 'owner' } }))).toBeNull();
});

test('dashboard-only users open only routes with flag D, and an owner is never one', () => {
  const visitor = build({ scope: { ps: 'rd do' } });
  expect(denialOf({}, visitor)).toEqual({ required: 'permission' });
  expect(denialOf({ dashboardOnly: true }, visitor)).toBeNull();
  expect(denialOf({}, build({ scope: { role: 'owner', ps: 'rd do' } }))).toBeNull();
});

test('restricted read-only users open only routes with flag R', () => {
  const visitor = build({ scope: { ps: 'rd' }, addons: ['restricted-readonly'] });
  expect(isRestricted(visitor)).toBe(true);
  expect(denialOf({}, visitor)).toEqual({ required: 'permission' });
  expect(denialOf({ restricted: true }, visitor)).toBeNull();
  expect(denialOf({}, build({ scope: { ps: 'rd' } }))).toBeNull();
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
  expect(denialOf({ staff: true }, build())).toEqual({});
  expect(denialOf({ staff: true }, build({ isStaff: true }))).toBeNull();
});

test('the guards run in their order: the first failure is reported', () => {
  const route: RouteGuard = {
    addons: ['iec-perf-ratio', 'daily-energy'],
    settings: ['perfRatio'],
    permissions: ['coordinate'],
    staff: true,
  };
  expect(denialOf(route, build())).toEqual({ required: 'addons', addon: 'iec-perf-ratio' });
  const addons = ['daily-energy', 'iec-perf-ratio'];
  expect(denialOf(route, build({ addons: ['iec-perf-ratio'] }))).toEqual({
    required: 'addons',
    addon: 'iec-perf-ratio',
  });
  expect(denialOf(route, build({ addons, settings: { perfRatio: 'off' } }))).toEqual({
    required: 'settings',
  });
  const settings = { perfRatio: true };
  expect(denialOf(route, build({ addons, settings }))).toEqual({ required: 'permission' });
  expect(denialOf(route, build({ addons, settings, scope: { ps: 'rd co do' } }))).toEqual({
    required: 'permission',
  });
  expect(denialOf(route, build({ addons, settings, scope: { ps: 'rd co' } }))).toEqual({});
  expect(denialOf(route, build({ addons, settings, scope: { ps: 'rd co' }, isStaff: true }))).toBeNull();
});

test('the last guard asks the rules, where they count', () => {
  const rule = { resourceType: 'Dashboard', action: 'create', label: 'Create Dashboard' } as const;
  const mine = (isOn: boolean, all: ('view' | 'create')[]) => ({
    isOn,
    resources: { DeviceCommand: {}, Dashboard: { all } },
  });
  const denial = { required: 'access-control', label: 'Create Dashboard' };
  expect(ruleDenialOf({ rule }, mine(true, ['view']))).toEqual(denial);
  expect(ruleDenialOf({ rule }, mine(true, ['view', 'create']))).toBeNull();
  expect(ruleDenialOf({ rule }, mine(false, []))).toBeNull();
  expect(ruleDenialOf({}, mine(true, []))).toBeNull();
});

test('the first guard decides what is missing, and only the first of several addons is named', () => {
  const route: RouteGuard = { addons: ['a', 'b'], settings: ['s'], permissions: ['audit'], staff: true };
  const limited = build({ scope: { ps: 'rd do' }, addons: ['restricted-readonly'] });
  expect(denialOf(route, limited)).toEqual({ required: 'addons', addon: 'a' });
  expect(denialOf({ ...route, addons: [] }, limited)).toEqual({ required: 'settings' });
  // Visitors refused for their kind of user do not hear that staff is needed.
  expect(denialOf({ staff: true }, limited)).toEqual({ required: 'permission' });
  expect(denialOf({ staff: true, dashboardOnly: true }, limited)).toEqual({ required: 'permission' });
  expect(denialOf({ staff: true, dashboardOnly: true, restricted: true }, limited)).toEqual({});
});

test.each([false, 'false', 'F', 'off', 'OFF', 'no', 'N', 0, '0', '', null, undefined])(
  'the flag %j is off',
  (value) => {
    expect(isOn(value)).toBe(false);
    expect(denialOf({ settings: ['perfRatio'] }, build({ settings: { perfRatio: value } }))).toEqual({
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
