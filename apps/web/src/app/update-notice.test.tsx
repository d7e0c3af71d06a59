import { FRONTEND_VERSION_HEADER } from '@albedo/contract/product';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen } from './test-screen.tsx';
import { UpdateNotice } from './update-notice.tsx';
import { followVersion } from './version-check.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('nobody is signed in: the version is asked for soon and then every minute, and a newer one is announced there too', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = fakeNetwork(() => ({ body: {} }));
  const answer = globalThis.fetch;
  let version: string | null = null;
  globalThis.fetch = async (...request) => {
    const reply = await answer(...request);
    if (version !== null) reply.headers.set(FRONTEND_VERSION_HEADER, version);
    return reply;
  };
  await showScreen(<UpdateNotice />);
  const stop = followVersion();
  await act(() => vi.advanceTimersByTimeAsync(60_500));
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/version', '/api/v1/version']);
  expect(screen.queryByRole('dialog')).toBeNull();
  version = '99.0.0';
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(await screen.findByRole('dialog', { name: 'Update available' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss for five minutes' }));
  expect(await screen.findByRole('button', { name: 'Refresh' })).toBeTruthy();
  stop();
});
