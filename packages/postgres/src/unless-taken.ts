/** SQLSTATE of a duplicate key. */
const UNIQUE_VIOLATION = '23505';

/**
 * What the change gives, or `taken` where another row has its key. A look before the change does not see what somebody
 * else writes at the same instant; the unique key does.
 */
export async function unlessTaken<T, const N>(change: PromiseLike<T>, taken: N): Promise<T | N> {
  try {
    return await change;
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code === UNIQUE_VIOLATION) return taken;
    throw error;
  }
}
