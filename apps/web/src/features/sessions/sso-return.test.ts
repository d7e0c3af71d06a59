import { notifications } from '@mantine/notifications';
import { beforeEach, expect, test, vi } from 'vitest';
import { getSession } from '../../app/session.ts';
import { buildToken, fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { comeBack } from './sso-callback.ts';

const FRESH = buildToken({ confirmedAt: 2_000_000_000 });
const show = vi.spyOn(notifications, 'show');
const leave = () => sessionStorage.setItem('albedo.confirming', '/admin/access/api-tokens?q=a');

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  sessionStorage.clear();
  show.mockClear();
});

test('a confirmation makes the session fresh and leads back to where the person was, once', async () => {
  signInAs();
  leave();
  const asked = fakeNetwork(() => ({ body: { token: FRESH } }));
  expect(await comeBack({ confirmation: 'one' })).toBe('/admin/access/api-tokens?q=a');
  expect(asked.map(({ method, body }) => [method, body])).toEqual([['PUT', { request: 'one' }]]);
  expect(getSession()?.token).toBe(FRESH);
  expect(await comeBack({ confirmation: 'one' })).toBeNull();
});

test('one that the server refuses, or the provider, leads back too, keeps the session and says why', async () => {
  signInAs();
  const { token } = getSession() ?? {};
  leave();
  fakeNetwork(() => ({ status: 409, body: { code: 409, message: 'No', error: 'sso.not_confirmed' } }));
  expect(await comeBack({ confirmation: 'one' })).toBe('/admin/access/api-tokens?q=a');
  leave();
  expect(await comeBack({ error: 'refused' })).toBe('/admin/access/api-tokens?q=a');
  expect(show).toHaveBeenCalledTimes(2);
  expect(getSession()?.token).toBe(token);
});

test('without a session there is nothing to confirm, and another site sends nobody away', async () => {
  expect(await comeBack({ confirmation: 'one' })).toBe('/login');
  signInAs();
  sessionStorage.setItem('albedo.confirming', '//evil.example');
  expect(await comeBack({ error: 'refused' })).toBe('/devices');
});
