import { expect, test } from 'vitest';
import { insidePath, missingFor } from './guard.ts';

const scope = {
  role: 'power' as const,
  permissions: [],
  ps: 'rd cd',
  devGroup: null,
  scopes: { device: [] },
};

test('signing in leads back to the page that was asked for', () => {
  expect(insidePath('/devices/1/data?from=now-1h')).toBe('/devices/1/data?from=now-1h');
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/login?redirect=/login', undefined])(
  'an address outside of the app, %s, leads to the landing page',
  (path) => {
    expect(insidePath(path)).toBe('/devices');
  },
);

test('one of the listed permissions is enough, by name or by short code', () => {
  expect(missingFor({ title: 'x', permissions: ['coordinate', 'controlDevices'] }, scope)).toBeNull();
  expect(missingFor({ title: 'x', permissions: ['coordinate'] }, scope)).toBe('permission');
  expect(missingFor({ title: 'x', permissions: ['coordinate'] }, { ...scope, role: 'owner' })).toBeNull();
});

test('dashboard-only users open only routes with flag D', () => {
  const dashboardOnly = { ...scope, ps: 'rd do' };
  expect(missingFor({ title: 'x' }, dashboardOnly)).toBe('');
  expect(missingFor({ title: 'x', dashboardOnly: true }, dashboardOnly)).toBeNull();
});
