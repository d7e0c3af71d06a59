import type { SavedSearch } from '@albedo/contract/searches/searches.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MenuMore } from '../../app/feature.ts';
import { useWorkgroup } from '../../app/session.ts';
import { searchesQuery } from './searches.queries.ts';

const NONE: readonly SavedSearch[] = [];

/** The kept searches in the menu: those of all first, then the user's own. */
export function useSearchLines(): readonly MenuMore[] {
  const { data = NONE } = useQuery(searchesQuery(useWorkgroup()));
  return useMemo(() => {
    const lines = (all: readonly SavedSearch[], group: string) =>
      all.map(({ _id, name }) => ({ to: `/search/${_id}`, name, group }));
    return [
      ...lines(
        data.filter(({ orgRef }) => orgRef !== undefined),
        'searches.shared',
      ),
      ...lines(
        data.filter(({ orgRef }) => orgRef === undefined),
        'searches.personal',
      ),
    ];
  }, [data]);
}

/** The kept searches for the global search. */
export function useSearchItems(): { items: readonly { id: string; title: string }[]; error: Error | null } {
  const { data = NONE, error } = useQuery(searchesQuery(useWorkgroup()));
  const items = useMemo(() => data.map(({ _id, name }) => ({ id: _id, title: name })), [data]);
  return { items, error };
}
