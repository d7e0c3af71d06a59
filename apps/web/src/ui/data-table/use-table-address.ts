import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What a table keeps in the address of the page, so that a link shows somebody else the same thing. */
export interface TableAddress {
  /** Column id, with a minus in front for descending. */
  sort: string | null;
  /** What is searched for. */
  q: string;
  setSort: (sort: string | null) => void;
  setQ: (q: string) => void;
}

/** Sorting and search text of the one table of a page, in the parameters `sort` and `q`. */
export function useTableAddress(defaultSort: string | null = null): TableAddress {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const change = useSearchChange();
  return {
    sort: typeof search.sort === 'string' ? search.sort : defaultSort,
    q: search.q === undefined ? '' : String(search.q),
    setSort: useCallback((sort) => change({ sort: sort ?? undefined }), [change]),
    setQ: useCallback((q) => change({ q: q === '' ? undefined : q }), [change]),
  };
}

/** Changes some search parameters of the page and keeps the others; undefined takes one away. */
export function useSearchChange(): (patch: Record<string, unknown>) => void {
  const navigate = useNavigate();
  return useCallback(
    (patch) => {
      const search = (old: Record<string, unknown>) => ({ ...old, ...patch });
      // The page knows its parameters, this hook only carries them; hence the loose type.
      void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
    },
    [navigate],
  );
}
