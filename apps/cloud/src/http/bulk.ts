import type { BulkReply } from '@albedo/contract/http/bulk';
import { AppError } from '../errors/app-error.ts';

/**
 * Does something with each id once, one after the other. Expected failures are told with the reply and do not hold up
 * the others; anything else is thrown.
 */
export async function withEach(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<BulkReply> {
  const failed: BulkReply['failed'] = [];
  for (const id of new Set(ids)) {
    try {
      await work(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ id, ...error.body });
    }
  }
  return { failed };
}
