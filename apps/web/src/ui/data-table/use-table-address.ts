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
  const wasEmpty = search.q === undefined;
  return {
    sort: typeof search.sort === 'string' ? search.sort : defaultSort,
    q: search.q === undefined ? '' : String(search.q),
    setSort: useCallback((sort) => change({ sort: sort ?? undefined }), [change]),
    // The first letter is a step of its own in the history, the next ones are not.
    setQ: useCallback(
      (q) => change({ q: q === '' ? undefined : q }, { isStep: wasEmpty !== (q === '') }),
      [change, wasEmpty],
    ),
  };
}

/**
 * Changes some search parameters of the page and keeps the others; undefined takes one away. Each change is a step that
 * Back undoes, except those that say they are none.
 */
export function useSearchChange(): (patch: Record<string, unknown>, how?: { isStep: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (patch, { isStep } = { isStep: true }) => {
      const search = (old: Record<string, unknown>) => ({ ...old, ...patch });
      // The page knows its parameters, this hook only carries them; hence the loose type.
      void navigate({ to: '.', search: search as never, replace: !isStep, resetScroll: false });
    },
    [navigate],
  );
}
