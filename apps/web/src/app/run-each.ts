import { t } from 'i18next';

/**
 * Does something with each, one after the other; one that fails does not hold the others up. Throws a sentence that
 * tells how many failed, and why the first of them did.
 */
export async function runEach<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let [failed, first] = [0, ''];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failed += 1;
      first ||= `${nameOf(item)}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  if (failed > 0) throw new Error(t('table.someFailed', { failed, all: items.length, first }));
}
