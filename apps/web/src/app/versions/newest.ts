import { historyApi } from '@albedo/contract/history/history.api';
import type { HistoryKind } from '@albedo/contract/history/history.schema';
import { call } from '../call.ts';

/** Who saved the newest version of a thing. */
export async function lastSavedBy(wg: string, thing: HistoryKind, id: string): Promise<string | null> {
  const [newest] = await call(historyApi.list, { params: { wg, thing, id } });
  return newest?.by || null;
}

/** The version of one item in a refetched list. */
export async function newestIn<T extends { _id: string }>(
  list: Promise<readonly T[]>,
  id: string,
): Promise<T> {
  const thing = (await list).find(({ _id }) => _id === id);
  if (!thing) throw new Error('It is not there any more.');
  return thing;
}
