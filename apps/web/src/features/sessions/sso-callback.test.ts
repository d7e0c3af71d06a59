import { notifications } from '@mantine/notifications';
import { beforeEach, expect, test, vi } from 'vitest';
import { signInAs } from '../../app/test-screen.tsx';
import { completeSso } from './sso-callback.ts';

const shown = vi.spyOn(notifications, 'show').mockReturnValue('shown');
beforeEach(() => shown.mockClear());
const messages = () => shown.mock.calls.map(([{ message }]) => message);

test('coming back without a session says that the sign-in failed, and what to do', async () => {
  expect(await completeSso(undefined)).toBeNull();
  expect(await completeSso('expired')).toBeNull();
  expect(await completeSso('no_email')).toBeNull();
  expect(messages()).toEqual([
    expect.stringContaining('was not accepted'),
    expect.stringContaining('took too long'),
    expect.stringContaining('did not send your email address'),
  ]);
});

test('people who are signed in and come here by the back button stay so, and see no failure', async () => {
  signInAs();
  expect(await completeSso('expired')).toBe('session');
  expect(await completeSso(undefined)).toBe('session');
  expect(messages()).toEqual([]);
  expect(await completeSso('refused')).toBeNull();
  expect(messages()).toHaveLength(1);
});
