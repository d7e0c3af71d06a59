import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import type { Postgres, Transaction } from './connection.ts';

interface Together {
  tx: Transaction;
  /** False once it has ended: what was begun in it and lives on stands by itself. */
  isOpen: boolean;
  effects: (() => unknown)[];
  /** What is written last, by who writes it. */
  last: Map<object, { items: unknown[]; write: (items: never[]) => Promise<unknown> }>;
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

/**
 * Has `by` write the item with the others of the transaction around it, as the last that happens in it; false where there is
 * none, and nothing is written then.
 */
export function writtenLast<T>(by: object, item: T, write: (items: T[]) => Promise<unknown>): boolean {
  const around = open();
  if (!around) return false;
  const known = around.last.get(by);
  if (known) known.items.push(item);
  else around.last.set(by, { items: [item], write });
  return true;
}

/** Ends a trial: everything was tried, nothing is kept. */
class Tried extends Error {}

/**
 * All that the task writes, through whichever stores, is kept together or not at all; what it tells others (`whenHeld`)
 * is told once it is kept. With `isTrial` nothing is kept and nothing told: the answer is what would have happened. Throws
 * the first failure of what is told, after all was told.
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
      const around: Together = { tx, isOpen: true, effects, last: new Map() };
      try {
        result = { value: await current.run(around, task) };
        for (const { items, write } of isTrial ? [] : around.last.values())
          await current.run(around, () => write(items as never[]));
      } finally {
        around.isOpen = false;
      }
      if (isTrial) throw new Tried('A trial ends.');
    });
  } catch (error) {
    if (!(error instanceof Tried) || !result) throw error;
    return result.value;
  }
  await tellAll(effects);
  return (result as unknown as { value: T }).value;
}

/** One that fails keeps nothing from the others: what they tell of is kept. */
async function tellAll(effects: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * As `together`, one after the other of all who name the same thing, in every process: what is read inside is what is written
 * over. Where there is a transaction already, the thing is held until that ends.
 */
export function oneByOne<T>(
  postgres: Pick<Postgres, 'db'>,
  thing: string,
  task: () => Promise<T>,
): Promise<T> {
  return together(postgres, async () => {
    await transactionNow()?.execute(sql`select pg_advisory_xact_lock(hashtextextended(${thing}, 0))`);
    return task();
  });
}
