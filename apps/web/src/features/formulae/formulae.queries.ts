import { formulaeApi } from '@albedo/contract/formulae/formulae.api';
import type { NewFormula } from '@albedo/contract/formulae/formulae.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

/** The formulas that the user may see, by title. */
export const formulaeQuery = (wg: string) =>
  queryOptions({
    queryKey: ['formulae', wg],
    queryFn: ({ signal }) => call(formulaeApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(60_000),
  });

const listAgain = (wg: string) => queryClient.invalidateQueries({ queryKey: formulaeQuery(wg).queryKey });

/** Saves a new formula, or with an id a changed one. */
export async function saveFormula(wg: string, id: string | null, body: NewFormula) {
  const saved =
    id === null
      ? await call(formulaeApi.create, { params: { wg }, body })
      : await call(formulaeApi.update, { params: { wg, formula: id }, body });
  await listAgain(wg);
  return saved;
}

export async function removeFormula(wg: string, formula: string): Promise<void> {
  await call(formulaeApi.remove, { params: { wg, formula } });
  await listAgain(wg);
}

export async function shareFormula(wg: string, formula: string, isShared: boolean): Promise<void> {
  await call(isShared ? formulaeApi.share : formulaeApi.unshare, { params: { wg, formula } });
  await listAgain(wg);
}
