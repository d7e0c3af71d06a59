import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenShown } from './in-pieces.ts';
import { queryClient } from './query-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

/** Asks the server for something; the result has it answer. */
function ask(): () => void {
  const { promise, resolve } = Promise.withResolvers<string>();
  void queryClient.prefetchQuery({ queryKey: ['plants'], queryFn: () => promise });
  return () => resolve('three');
}

test('what nobody sees waits for what the screen asked for', async () => {
  const task = vi.fn();
  const answer = ask();
  whenShown(task);
  await vi.advanceTimersByTimeAsync(2000);
  expect(task).not.toHaveBeenCalled();
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(task).toHaveBeenCalledOnce();
});

test('a screen that never stops asking is not waited for without end, and whoever left is not called', async () => {
  const [task, taken] = [vi.fn(), vi.fn()];
  ask();
  whenShown(task);
  whenShown(taken)();
  await vi.advanceTimersByTimeAsync(7000);
  expect(task).toHaveBeenCalledOnce();
  expect(taken).not.toHaveBeenCalled();
});
