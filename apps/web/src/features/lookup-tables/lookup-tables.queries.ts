import { lookupTablesApi } from '@albedo/contract/lookup-tables/lookup-tables.api';
import type { LookupTable, NewLookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { type Words, wordsOf } from './words.ts';

export { type Words, wordsOf } from './words.ts';

followList('lookup-tables', ['lookup-tables']);

const keyOf = (wg: string) => ['lookup-tables', wg] as const;

/** The lookup tables of a workgroup with their values, by name. */
export const lookupTablesQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(lookupTablesApi.list, { params: { wg } }, signal),
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });

/** Makes the table, or with an id puts it in the place of that one. */
export async function saveLookupTable(
  wg: string,
  id: string | null,
  body: NewLookupTable,
): Promise<LookupTable> {
  const saved =
    id === null
      ? await call(lookupTablesApi.create, { params: { wg }, body })
      : await call(lookupTablesApi.update, { params: { wg, lookupTable: id }, body });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return saved;
}

export async function removeLookupTable(wg: string, id: string): Promise<void> {
  await call(lookupTablesApi.remove, { params: { wg, lookupTable: id } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}

/** What stored codes mean, in the user's language; nothing until the tables are there. */
export function useWords(wg: string): Words {
  const { i18n } = useTranslation();
  const { data } = useQuery(lookupTablesQuery(wg));
  return useMemo(() => wordsOf(data ?? [], i18n.language), [data, i18n.language]);
}
