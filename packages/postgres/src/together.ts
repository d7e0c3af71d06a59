import { AsyncLocalStorage } from 'node:async_hooks';
import type { Postgres, Transaction } from './connection.ts';

interface Together {
  tx: Transaction;
  /** False once it has ended: what was begun in it and lives on stands by itself. */
  isOpen: boolean;
  effects: (() => unknown)[];
}

const current = new AsyncLocalStorage<Together>();

const open = (): Together | undefined => {
  const one = current.getStore();
  return one?.isOpen ? one : undefined;
};

/** The transaction in which everything happens that the caller does. */
export const transactionNow = (): Transaction | undefined => open()?.tx;

/**
 * What is told to others about a change: at once, with what it answers, or when the transaction around it holds; then in
 * order.
 */
export function whenHeld(effect: () => unknown): unknown {
  const around = open();
  if (!around) return effect();
  around.effects.push(effect);
  return undefined;
}

/** Ends a trial: everything was tried, nothing is kept. */
class Tried extends Error {}

/**
 * All that the task writes, through whichever stores, is kept together or not at all; what it tells others (`whenHeld`)
 * is told once it is kept. With `isTrial` nothing is kept and nothing told: the answer is what would have happened.
 */
export async function together<T>(
  postgres: Pick<Postgres, 'db'>,
  task: () => Promise<T>,
  { isTrial = false } = {},
): Promise<T> {
  if (open()) return task();
  const effects: Together['effects'] = [];
  let result: { value: T } | undefined;
  try {
    await postgres.db.transaction(async (tx) => {
      const around: Together = { tx, isOpen: true, effects };
      try {
        result = { value: await current.run(around, task) };
      } finally {
        around.isOpen = false;
      }
      if (isTrial) throw new Tried('A trial ends.');
    });
  } catch (error) {
    if (!(error instanceof Tried) || !result) throw error;
    return result.value;
  }
  for (const effect of effects) await effect();
  return (result as unknown as { value: T }).value;
}
