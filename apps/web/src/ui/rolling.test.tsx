import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Rolling } from './rolling.tsx';

afterEach(() => void vi.restoreAllMocks());

test('digits roll where they change now and then, and stand still where they change all the time', () => {
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { container, rerender } = render(<Rolling text="20" />);
  const still = () =>
    [...container.querySelectorAll('[aria-hidden] > span')].map((one) => one.hasAttribute('data-still'));
  rerender(<Rolling text="21" />);
  expect(still()).toEqual([false, false]);
  now += 250;
  rerender(<Rolling text="32" />);
  expect(still()).toEqual([true, true]);
  now += 5000;
  rerender(<Rolling text="33" />);
  expect(still()).toEqual([true, false]);
  expect(container.textContent).toBe('3333');
});
