import { notifications } from '@mantine/notifications';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Notices } from './notices.tsx';
import { showScreen } from './test-screen.tsx';

afterEach(() => {
  vi.useRealTimers();
  notifications.clean();
});

test('a notification stands at the bottom for five seconds', async () => {
  await showScreen(<Notices />);
  vi.useFakeTimers();
  act(() => void notifications.show({ message: 'Saved' }));
  await act(() => vi.advanceTimersByTimeAsync(4900));
  expect(screen.getByText('Saved').closest('[data-position^="bottom"]')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(screen.queryByText('Saved')).toBeNull();
});
