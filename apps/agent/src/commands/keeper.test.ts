import { KEPT_FOR_MS } from '@albedo/contract/cloud-devices/keeper.schema';
import { afterEach, expect, test, vi } from 'vitest';
import { whenUnkept } from './keeper.ts';

afterEach(() => {
  vi.useRealTimers();
  process.removeAllListeners('disconnect');
});

test('the agent of a cloud device ends when nobody says that it is kept, and at once when nobody is there', () => {
  vi.useFakeTimers();
  const end = vi.fn();
  whenUnkept(end);
  const hear = (message: unknown) => process.emit('message', message, undefined);
  for (let times = 0; times < 5; times++) {
    vi.advanceTimersByTime(KEPT_FOR_MS - 1);
    hear({ isKept: true });
  }
  expect(end).not.toHaveBeenCalled();
  // Other words of its keeper do not count.
  vi.advanceTimersByTime(KEPT_FOR_MS - 1);
  hear({ id: 'x' });
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledTimes(1);
  process.emit('disconnect');
  expect(end).toHaveBeenCalledTimes(2);
});
