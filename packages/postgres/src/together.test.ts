import { expect, test } from 'vitest';
import type { Postgres } from './connection.ts';
import { together, whenHeld } from './together.ts';

const postgres = { db: { transaction: (task: (tx: unknown) => unknown) => task({}) } } as unknown as Postgres;

test('all is told of what is kept, also after one that fails, and the first failure is thrown then', async () => {
  const told: number[] = [];
  const tell = (n: number, trouble?: string) =>
    whenHeld(() => {
      told.push(n);
      if (trouble) throw new Error(trouble);
    });
  const task = async () => {
    tell(1, 'first');
    tell(2, 'second');
    tell(3);
  };
  await expect(together(postgres, task)).rejects.toThrow('first');
  expect(told).toEqual([1, 2, 3]);
});
