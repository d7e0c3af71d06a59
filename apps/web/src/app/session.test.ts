import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';
import {
  bearerToken,
  followOtherTabs,
  getSession,
  onSignOut,
  renewSession,
  restoreSession,
  signIn,
  signOut,
  switchWorkgroup,
  takeToken,
  takeWorkgroups,
} from './session.ts';
import { buildToken } from './test-screen.tsx';

const scope = { role: 'readonly', permissions: [], ps: 'rd', devGroup: null, scopes: { device: [] } };

test('a token with names outside ASCII is read as it was written', () => {
  expect(signIn(buildToken()).user.name).toBe('Zoë Müller');
});

test('the session of the last visit is taken up again', () => {
  localStorage.setItem('albedo.token', buildToken());
  expect(restoreSession()).toBe(true);
  expect(getSession()?.workgroup).toBe('demo');
});

test('a kept token that has expired is thrown away and reported', () => {
  localStorage.setItem('albedo.token', buildToken({ exp: 1000 }));
  expect(restoreSession()).toBe(false);
  expect(localStorage.getItem('albedo.token')).toBeNull();
});

test.each([-5, 14])(
  'a clock that is %i hours off ends no session, at the sign-in or at the next visit',
  (hours) => {
    const token = buildToken();
    vi.useFakeTimers({ now: Date.now() + hours * 3_600_000, toFake: ['Date'] });
    try {
      expect(takeToken(token)).toBe('session');
      expect(restoreSession()).toBe(true);
      vi.setSystemTime(Date.now() + 11 * 3_600_000);
      expect(restoreSession()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('a kept text that is no token is thrown away and reported', () => {
  localStorage.setItem('albedo.token', 'rubbish');
  expect(restoreSession()).toBe(false);
  expect(() => signIn(buildToken({ scopes: undefined }))).toThrow('The session token cannot be read.');
});

test('a user of no workgroup is refused with the words of the specification', () => {
  expect(() => signIn(buildToken({ scopes: {} }))).toThrow(
    expect.objectContaining({
      message: "You don't have access to any workgroups, please contact an admin or support",
      cause: 'Cannot set initial workgroup',
    }),
  );
  expect(localStorage.getItem('albedo.token')).toBeNull();
});

test('a kept token of a user who lost the last workgroup is thrown away', () => {
  localStorage.setItem('albedo.token', buildToken({ scopes: {} }));
  expect(restoreSession()).toBe(false);
  expect(localStorage.getItem('albedo.token')).toBeNull();
});

test('the remembered workgroup comes before the default one, but only if the user may see it', () => {
  const scopes = { demo: scope, north: scope };
  localStorage.setItem('albedo.workgroup', 'north');
  expect(signIn(buildToken({ scopes })).workgroup).toBe('north');
  localStorage.setItem('albedo.workgroup', 'foreign');
  expect(signIn(buildToken({ scopes })).workgroup).toBe('demo');
});

test('nobody switches to a workgroup without a scope', () => {
  signIn(buildToken());
  switchWorkgroup('foreign');
  expect(getSession()?.workgroup).toBe('demo');
});

test('the end of a session is announced once, with its reason', () => {
  const told = vi.fn();
  const stop = onSignOut(told);
  signIn(buildToken());
  signOut('expired');
  signOut('expired');
  expect(told.mock.calls).toEqual([['expired']]);
  stop();
});

test('a session that ended is not there at the next visit, and nothing of its person is kept', () => {
  signIn(buildToken());
  queryClient.setQueryData(['devices', 'demo'], []);
  signIn(buildToken({ exp: Math.floor(Date.now() / 1000) + 60 }));
  expect(queryClient.getQueryData(['devices', 'demo'])).toEqual([]);
  signOut('asked');
  expect(localStorage.getItem('albedo.token')).toBeNull();
  expect(queryClient.getQueryData(['devices', 'demo'])).toBeUndefined();
  expect(restoreSession()).toBe(true);
  expect(getSession()).toBeNull();
});

let stopFollowing = () => {};
afterEach(() => stopFollowing());
const tellOfTab = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

test('a session that another tab renewed or ended is taken over here', () => {
  const onUser = vi.fn();
  signIn(buildToken());
  stopFollowing = followOtherTabs({ onUser });
  localStorage.setItem('albedo.token', buildToken({ name: 'Zoë Renamed' }));
  tellOfTab('albedo.token');
  expect(getSession()?.user.name).toBe('Zoë Renamed');
  expect(onUser).not.toHaveBeenCalled();
  localStorage.removeItem('albedo.token');
  tellOfTab('albedo.token');
  expect(getSession()).toBeNull();
});

test('a session that another tab renewed goes on in the workgroup that is looked at here', () => {
  const scopes = { demo: scope, north: scope };
  signIn(buildToken({ scopes }));
  const workgroups = [{ name: 'demo' }] as unknown as Parameters<typeof takeWorkgroups>[0];
  takeWorkgroups(workgroups);
  stopFollowing = followOtherTabs();
  localStorage.setItem('albedo.token', buildToken({ scopes, defaultWorkgroup: 'north' }));
  tellOfTab('albedo.token');
  expect(getSession()?.user.defaultWorkgroup).toBe('north');
  expect(getSession()).toMatchObject({ workgroup: 'demo', workgroups });
});

test('a renewed session leaves a workgroup that it does not open any more', () => {
  signIn(buildToken({ scopes: { demo: scope, north: scope } }));
  renewSession(buildToken({ scopes: { north: scope }, defaultWorkgroup: 'north' }));
  expect(getSession()?.workgroup).toBe('north');
});

test('a sign-in as somebody else in another tab is reported, also to a tab without a session', () => {
  const onUser = vi.fn();
  stopFollowing = followOtherTabs({ onUser });
  localStorage.setItem('albedo.token', buildToken());
  tellOfTab('albedo.token');
  expect(onUser).toHaveBeenCalledTimes(1);
  localStorage.setItem('albedo.token', buildToken({ _id: '0b9a1e02-5f0a-4b8b-9a57-4b6a51f0a3c1' }));
  tellOfTab('albedo.token');
  expect(onUser).toHaveBeenCalledTimes(2);
});

test('a workgroup chosen in another tab is reported, unless this user may not see it', () => {
  const onWorkgroup = vi.fn();
  signIn(buildToken({ scopes: { demo: scope, north: scope } }));
  stopFollowing = followOtherTabs({ onWorkgroup });
  localStorage.setItem('albedo.workgroup', 'foreign');
  tellOfTab('albedo.workgroup');
  expect(onWorkgroup).not.toHaveBeenCalled();
  localStorage.setItem('albedo.workgroup', 'north');
  tellOfTab('albedo.workgroup');
  expect(onWorkgroup.mock.calls).toEqual([['north']]);
});

test('a tab that slept while all was taken away signs out when it is looked at', () => {
  signIn(buildToken());
  stopFollowing = followOtherTabs();
  localStorage.clear();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(getSession()).toBeNull();
});

test('a login token is held apart from a session, is not kept, and travels with calls', () => {
  const token = buildToken({ mfa: 'code', isRecovering: false });
  expect(takeToken(token)).toBe('code');
  expect(getSession()).toBeNull();
  expect(bearerToken()).toBe(token);
  expect(localStorage.getItem('albedo.token')).toBeNull();
  expect(takeToken(buildToken())).toBe('session');
  expect(bearerToken()).toBe(getSession()?.token);
  signOut('asked');
  expect(bearerToken()).toBeNull();
});
