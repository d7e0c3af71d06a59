import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSearchChange, useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { ApiError } from '../call.ts';

/** Which rows a list shows, chosen at its head; the first value is the one that needs no word in the address. */
export interface ListFilter<T, V extends string> {
  /** Parameter of the address. */
  param: string;
  values: readonly [V, ...V[]];
  matches: (row: T, value: V) => boolean;
}

interface ListSpec<T, K extends QueryKey, V extends string> {
  /** Asked again by itself when the server says that the list is another one now (`followList` beside the query). */
  query: UseQueryOptions<T[], Error, T[], K>;
  /** Column that it is sorted by at first, with a minus in front for descending; without one it is as it came. */
  sort?: string;
  /** Has to be the same over time. */
  filter?: ListFilter<T, V>;
}

/** A list of the server as a screen shows it; sorting, search and filter stand in the address of the page. */
export function useList<T, K extends QueryKey, V extends string = never>({
  query,
  sort,
  filter,
}: ListSpec<T, K, V>) {
  const address = useTableAddress(sort ?? null);
  const changeSearch = useSearchChange();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { data: all, error, refetch } = useQuery(query);
  const first = filter?.values[0];
  const shown = filter ? (filter.values.find((value) => value === search[filter.param]) ?? first) : undefined;
  const rows = useMemo(
    () => (filter && shown ? all?.filter((row) => filter.matches(row, shown)) : all),
    [all, filter, shown],
  );
  return {
    /** All rows, and those that the filter lets through; undefined while they are not there yet. */
    all,
    rows,
    /** Why there is nothing to show: an answer of before stays where the way to the server is what failed. */
    error: error && (!all || isRefusal(error)) ? error : null,
    retry: (): void => void refetch(),
    address,
    /** The value of the filter. */
    shown: shown as V,
    choose: (value: V) => filter && changeSearch({ [filter.param]: value === first ? undefined : value }),
    count: (value: V): number => all?.filter((row) => filter?.matches(row, value)).length ?? 0,
  };
}

export type List<T, V extends string = string> = Omit<
  ReturnType<typeof useList<T, QueryKey, V>>,
  'choose' | 'count' | 'shown'
>;

const isRefusal = (error: Error): boolean =>
  error instanceof ApiError && error.code >= 400 && error.code < 500;
