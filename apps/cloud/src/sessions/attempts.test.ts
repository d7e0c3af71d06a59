import { expect, test } from 'vitest';
import { Attempts } from './attempts.ts';

test('after the limit a key waits until its oldest failure is a window old', () => {
  const attempts = new Attempts(3, 1000);
  for (const at of [0, 100, 200]) {
    expect(attempts.waitMs('a', at)).toBe(0);
    attempts.fail('a', at);
  }
  expect(attempts.waitMs('a', 300)).toBe(700);
  expect(attempts.waitMs('a', 1001)).toBe(0);
  expect(attempts.waitMs('b', 300)).toBe(0);
});

test('a success forgets the failures before it', () => {
  const attempts = new Attempts(1, 1000);
  attempts.fail('a', 0);
  attempts.succeed('a');
  expect(attempts.waitMs('a', 1)).toBe(0);
});
