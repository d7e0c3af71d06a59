import { addonManager, can, commands, member } from '@albedo/contract/access/access';
import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { expect, test } from 'vitest';
import { bearerToken, checkAccess } from './guard.ts';

const scope = (of: Partial<WorkgroupScope>): WorkgroupScope => ({
  role: 'readonly',
  permissions: [],
  ps: '',
  devGroup: null,
  scopes: { device: [] },
  ...of,
});
const session = (of: Partial<SessionClaims>): SessionClaims => ({
  _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
  name: 'Ann',
  email: 'ann@example.org',
  iat: 0,
  exp: 1,
  jti: 'a',
  defaultWorkgroup: null,
  memberOf: [],
  scopes: {},
  staff: false,
  ...of,
});
const isRefused = (...asked: Parameters<typeof checkAccess>) => {
  try {
    checkAccess(...asked);
    return false;
  } catch {
    return true;
  }
};

test('whoever is named as an addon manager and is not of the staff decides nothing', () => {
  expect(isRefused(addonManager, session({ addonManager: true }), null)).toBe(true);
  expect(isRefused(addonManager, session({ staff: true }), null)).toBe(true);
  expect(isRefused(addonManager, session({ staff: true, addonManager: true }), null)).toBe(false);
});

test('what somebody may do in one workgroup counts in no other one, and staff is no member', () => {
  const owner = session({ scopes: { main: scope({ role: 'owner' }) }, staff: true });
  for (const access of [member, can('read'), commands]) {
    expect(isRefused(access, owner, 'main')).toBe(false);
    expect(isRefused(access, owner, 'other')).toBe(true);
    expect(isRefused(access, owner, null)).toBe(true);
  }
});

test('one of the permissions is enough, and commands need a role or the device scope for them', () => {
  const inMain = (of: Partial<WorkgroupScope>) => session({ scopes: { main: scope(of) } });
  expect(isRefused(can('audit', 'tunnel'), inMain({ permissions: ['tunnel'] }), 'main')).toBe(false);
  expect(isRefused(can('audit', 'tunnel'), inMain({ permissions: ['read'] }), 'main')).toBe(true);
  expect(isRefused(commands, inMain({ permissions: ['controlDevices'] }), 'main')).toBe(true);
  expect(isRefused(commands, inMain({ scopes: { device: ['rpc'] } }), 'main')).toBe(false);
  expect(isRefused(commands, inMain({ role: 'power' }), 'main')).toBe(false);
});

test.each([
  ['bearer a.b', 'a.b'],
  ['Bearer  a.b', 'a.b'],
  ['basic a.b', null],
  ['bearer a b', null],
  ['bearer', null],
  [undefined, null],
])('the header %j carries the token %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
