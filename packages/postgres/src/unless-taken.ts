import { sqlStateOf } from './sql-state.ts';

/** SQLSTATEs of a duplicate key, and of a key that refers to no row. */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * What the change gives, or `taken` where another row has its key. A look before the change does not see what somebody
 * else writes at the same instant; the unique key does.
 */
export const unlessTaken = <T, const N>(change: PromiseLike<T>, taken: N): Promise<T | N> =>
  unless(UNIQUE_VIOLATION, change, taken);

/** What the change gives, or `gone` where a row that it refers to was deleted since somebody looked. */
export const unlessGone = <T, const N>(change: PromiseLike<T>, gone: N): Promise<T | N> =>
  unless(FOREIGN_KEY_VIOLATION, change, gone);

async function unless<T, N>(code: string, change: PromiseLike<T>, otherwise: N): Promise<T | N> {
  try {
    return await change;
  } catch (error) {
    if (sqlStateOf(error) === code) return otherwise;
    throw error;
  }
}
