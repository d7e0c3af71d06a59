import { BULK_MAX, type BulkReply } from '@albedo/contract/http/bulk';
import { t } from 'i18next';
import { messageOf } from '../ui/message-of.ts';
import { failureInWords } from './i18n.ts';

/**
 * Does something with all of them, in as few calls as there may be; one that fails does not hold the others up, a call
 * that fails is the last one. `work` is one call with so many ids. Throws a sentence that says how many failed, and why
 * the first of them did.
 */
export async function runBulk<T extends { _id: string }>(
  items: readonly T[],
  nameOf: (item: T) => string,
  work: (ids: string[]) => Promise<BulkReply>,
): Promise<void> {
  const failed: string[] = [];
  let first = '';
  for (let from = 0; from < items.length; from += BULK_MAX) {
    const part = items.slice(from, from + BULK_MAX);
    try {
      const reply = await work(part.map(({ _id }) => _id));
      const [one] = reply.failed;
      failed.push(...reply.failed.map(({ id }) => id));
      const item = part.find(({ _id }) => _id === one?.id);
      if (one && item) first ||= `${nameOf(item)}: ${await failureInWords(one)}`;
    } catch (error) {
      failed.push(...items.slice(from).map(({ _id }) => _id));
      const [item] = part;
      if (item) first ||= `${nameOf(item)}: ${messageOf(error)}`;
      break;
    }
  }
  if (failed.length > 0)
    throw new Error(t('table.someFailed', { failed: failed.length, all: items.length, first }));
}
