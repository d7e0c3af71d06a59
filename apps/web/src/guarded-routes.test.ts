import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { beforeEach, expect, test } from 'vitest';
import { takeWorkgroups } from './app/session.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';
import { router } from './router.tsx';

/** Somebody of one workgroup, who may do what the short codes say. */
function enter(ps: string, addons: string[] = []): void {
  const scope = { role: 'power', permissions: [], ps, devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  const facts = { name: 'demo', displayName: 'Demo', addons: addons.map((id) => ({ id })), settings: {} };
  takeWorkgroups([facts as unknown as Workgroup]);
}

async function addressAfter(to: string): Promise<string> {
  await router.navigate({ href: to });
  return router.latestLocation.href;
}

beforeEach(() => {
  fakeNetwork(() => ({ body: [] }));
});

test.each([
  ['rd cd', '/report/daily-energy', '/access-denied?required=addons&addon=daily-energy'],
  ['rd cd', '/report/performance-ratio', '/access-denied?required=addons&addon=solar-reporting'],
  ['rd cd', '/report/capacity-factor', '/access-denied?required=settings'],
  ['rd cd', '/admin/access', '/access-denied?required=permission'],
  ['rd cd', '/admin/workgroup', '/access-denied?required=permission'],
  ['rd', '/devices/bulk-actions', '/access-denied?required=permission'],
  ['rd do', '/devices', '/access-denied?required=permission'],
  ['rd do', '/signup', '/access-denied?required=permission'],
  ['rd do', '/newannouncements', '/access-denied?required=permission'],
  ['rd cd', '/opsteam', '/access-denied'],
  ['rd wm', '/admin/access', '/admin/access/users'],
  ['rd co', '/admin/workgroup', '/admin/workgroup/settings'],
  ['rd', '/devices/1', '/devices/1/general'],
  ['rd do', '/announcements', '/announcements'],
  ['rd do', '/profile', '/profile'],
])('with %j the way to %s ends at %s', async (ps, to, end) => {
  enter(ps);
  expect(await addressAfter(to)).toBe(end);
});

test('restricted read-only users come as far as their flag says', async () => {
  enter('rd', ['restricted-readonly']);
  expect(await addressAfter('/devices/1')).toBe('/devices/1/general');
  for (const to of ['/alerts', '/signup'])
    expect(await addressAfter(to)).toBe('/access-denied?required=permission');
});

test('people land where their kind lands, also where that has no screen yet', async () => {
  enter('rd', ['restricted-readonly']);
  expect(await addressAfter('/login')).toBe('/analysis');
  enter('rd do');
  expect(await addressAfter('/login')).toBe('/entities/dash3');
  expect(await addressAfter('/entities/dash3/a/b')).toBe('/entities/dash3/a/b');
});

test('a visitor without a session signs in first, and is brought back', async () => {
  expect(await addressAfter('/alerts?q=1')).toBe('/login?redirect=%2Falerts%3Fq%3D1');
  expect(await addressAfter('/signup')).toBe('/signup');
});

test('somebody who is signed in is led from the login to the default page, or where they wanted to go', async () => {
  enter('rd');
  expect(await addressAfter('/login')).toBe('/devices');
  expect(await addressAfter('/login?redirect=%2Fprofile%3Ftab%3Dsecurity')).toBe('/profile?tab=security');
  expect(await addressAfter('/login/sso?redirect=%2F%2Fevil.example')).toBe('/devices');
  expect(await addressAfter('/vrouter')).toBe('/');
});

test('without a session there is nobody to sign out', async () => {
  expect(await addressAfter('/logout')).toBe('/');
  expect(await addressAfter('/logout/sso/callback')).toBe('/');
});
