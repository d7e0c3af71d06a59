import type { CsvStyle } from '@albedo/contract/csv/csv-style.schema';
import { searchesApi } from '@albedo/contract/searches/searches.api';
import type { NewSchedule, NewSearch, SavedSearch } from '@albedo/contract/searches/searches.schema';
import type { SearchResult } from '@albedo/contract/telemetry/search.schema';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError, call, download } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { saveFile } from '../../ui/data-table/csv.ts';

followList('searches', ['searches', 'searches-overview']);

const keyOf = (wg: string) => ['searches', wg] as const;

/** Those that are shared and the user's own, by name. */
export const searchesQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(searchesApi.list, { params: { wg } }, signal),
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });

export const savedSearchQuery = (wg: string, search: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), search],
    queryFn: ({ signal }) => call(searchesApi.get, { params: { wg, search } }, signal),
  });

/** Null where the search is not mailed for the user. */
export const scheduleQuery = (wg: string, search: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), search, 'schedule'],
    queryFn: async ({ signal }) => {
      try {
        return await call(searchesApi.schedule, { params: { wg, search } }, signal);
      } catch (error) {
        if (error instanceof ApiError && error.error === 'search_schedule.none') return null;
        throw error;
      }
    },
  });

export const overviewQuery = (wg: string) =>
  queryOptions({
    queryKey: ['searches-overview', wg],
    queryFn: ({ signal }) => call(searchesApi.overview, { params: { wg } }, signal),
  });

/** A table begins with its first record, at any time. */
const TABLES_FRESH_MS = 10_000;

/** Names of the tables that hold something for the user. */
export const tablesQuery = (wg: string) =>
  queryOptions({
    queryKey: ['tables', wg],
    queryFn: ({ signal }) => call(telemetryApi.tables, { params: { wg } }, signal),
    staleTime: TABLES_FRESH_MS,
  });

type SearchParams = NonNullable<Parameters<typeof call<typeof telemetryApi.search>>[1]['query']>;

export type { SearchParams };

/** A search waits as long as the server works on it. Source: specification 2, section 7. */
const PATIENCE = { timeout: false, retry: { limit: 3, backoffLimit: 3000 } } as const;

/** Records and aggregations of a table; `run` is another number whenever the user asks anew. */
export const recordsQuery = (wg: string, table: string, query: SearchParams, run: number) =>
  queryOptions({
    queryKey: ['search', wg, table, query, run],
    queryFn: ({ signal }): Promise<SearchResult> =>
      call(telemetryApi.search, { params: { wg, table }, query }, signal, PATIENCE),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });

/** Values of a field with how often they stand in the table, the most frequent first. */
export const valuesQuery = (wg: string, table: string, field: string, query: SearchParams) =>
  queryOptions<string[], Error, string[], readonly unknown[]>({
    queryKey: ['search-values', wg, table, field, query],
    queryFn: async ({ signal }) => {
      const aggs = [{ name: 'frequency', type: 'count', groupBy: [field] }];
      const asked = { ...query, rows: 0, aggs } as unknown as SearchParams;
      const { aggregations } = await call(
        telemetryApi.search,
        { params: { wg, table }, query: asked },
        signal,
      );
      return (aggregations.frequency?.buckets ?? [])
        .filter(({ key }) => key !== null && key !== '')
        .toSorted((a, b) => b.doc_count - a.doc_count)
        .slice(0, MOST_VALUES)
        .map(({ key }) => String(key));
    },
    staleTime: 60_000,
    retry: false,
  });

const MOST_VALUES = 200;

/** A search as it is now. */
export const newestSearch = (wg: string, search: string): Promise<SavedSearch> =>
  queryClient.fetchQuery({ ...savedSearchQuery(wg, search), staleTime: 0 });

/** Makes the search, or puts it in the place of one; with a version, only over that one. */
export async function saveSearch(
  wg: string,
  over: { id: string; version?: number } | null,
  body: NewSearch,
): Promise<SavedSearch> {
  const saved =
    over === null
      ? await call(searchesApi.create, { params: { wg }, body })
      : await call(searchesApi.update, {
          params: { wg, search: over.id },
          body: { ...body, version: over.version },
        });
  await refresh(wg);
  return saved;
}

export async function removeSearch(wg: string, search: string): Promise<void> {
  await call(searchesApi.remove, { params: { wg, search } });
  await refresh(wg);
}

export async function shareSearch(wg: string, search: string, isShared: boolean): Promise<void> {
  const on = { params: { wg, search } };
  await (isShared ? call(searchesApi.share, on) : call(searchesApi.unshare, on));
  await refresh(wg);
}

export async function saveSchedule(wg: string, search: string, body: NewSchedule): Promise<void> {
  await call(searchesApi.setSchedule, { params: { wg, search }, body });
  await refresh(wg);
}

export async function removeSchedule(wg: string, search: string): Promise<void> {
  await call(searchesApi.removeSchedule, { params: { wg, search } });
  await refresh(wg);
}

/** Of anybody, by those who manage access. */
export async function removeAnySearch(wg: string, search: string): Promise<void> {
  await call(searchesApi.removeAny, { params: { wg, search } });
  await refresh(wg);
}

export async function endSchedules(wg: string, search: string): Promise<void> {
  await call(searchesApi.removeSchedules, { params: { wg, search } });
  await refresh(wg);
}

/** The first records as a file of CSV. */
export async function downloadSample(
  wg: string,
  table: string,
  query: SearchParams,
  style: CsvStyle,
): Promise<void> {
  const { rows, ...all } = query;
  const asked = { ...all, csvScroll: 'true', csvRows: rows, csvStyle: style } as unknown as SearchParams;
  const { blob } = await download(telemetryApi.search, { params: { wg, table }, query: asked });
  saveFile(`${table}.csv`, blob);
}

async function refresh(wg: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(wg) }),
    queryClient.invalidateQueries({ queryKey: ['searches-overview', wg] }),
  ]);
}
