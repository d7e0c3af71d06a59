import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { isDraftAddress, readDraft, type SearchDraft, writeDraft } from './search-draft.ts';

/**
 * What the page looks for, kept in its address. `kept` is where it begins: a search that is saved, as long as the address
 * says nothing else.
 */
export function useDraft(kept: SearchDraft): [SearchDraft, (change: Partial<SearchDraft>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const draft = useMemo(() => draftIn(search, kept), [search, kept]);
  const change = useCallback(
    (part: Partial<SearchDraft>) => {
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => writeDraft({ ...draftIn(old, kept), ...part })) as never,
      });
    },
    [navigate, kept],
  );
  return [draft, change];
}

const draftIn = (search: Record<string, unknown>, kept: SearchDraft): SearchDraft =>
  isDraftAddress(search) ? readDraft(search) : { ...kept, tab: readDraft(search).tab };
