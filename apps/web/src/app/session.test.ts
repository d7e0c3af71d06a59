import { expect, test, vi } from 'vitest';
import {
  bearerToken,
  followOtherTabs,
  getSession,
  onSignOut,
  restoreSession,
  signIn,
  signOut,
  switchWorkgroup,
  takeToken,
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

test('a kept token that is over is thrown away and told', () => {
  localStorage.setItem('albedo.token', buildToken({ exp: 1000 }));
  expect(restoreSession()).toBe(false);
  expect(localStorage.getItem('albedo.token')).toBeNull();
});

test('a kept text that is no token is thrown away and told', () => {
  localStorage.setItem('albedo.token', 'rubbish');
  expect(restoreSession()).toBe(false);
});

test('a user of no workgroup is refused with the words of the specification', () => {
  expect(() => signIn(buildToken({ scopes: {} }))).toThrow(
    "You don't have access to any workgroups, please contact an admin or support",
  );
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

test('the end of a session is told once, with its reason', () => {
  const told = vi.fn();
  const stop = onSignOut(told);
  signIn(buildToken());
  signOut('expired');
  signOut('expired');
  expect(told.mock.calls).toEqual([['expired']]);
  stop();
});

test('a session that another tab renewed or ended is taken over here', () => {
  signIn(buildToken());
  followOtherTabs();
  const renewed = buildToken({ name: 'Zoë Renamed' });
  localStorage.setItem('albedo.token', renewed);
  window.dispatchEvent(new StorageEvent('storage', { key: 'albedo.token', newValue: renewed }));
  expect(getSession()?.user.name).toBe('Zoë Renamed');
  window.dispatchEvent(new StorageEvent('storage', { key: 'albedo.token', newValue: null }));
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
});
