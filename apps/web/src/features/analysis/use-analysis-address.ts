import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AnalysisAddress, readAddress, writeAddress } from './analysis-address.ts';

export type ChangeAddress = (change: Partial<AnalysisAddress>, isStep?: boolean) => void;

/** What the page shows, kept in the address. A zoom is a step that Back undoes; everything else is not. */
export function useAnalysisAddress(): [AnalysisAddress, ChangeAddress] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(search), [search]);
  const change = useCallback<ChangeAddress>(
    (part, isStep = false) => {
      void navigate({
        to: '.',
        replace: !isStep,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => writeAddress({ ...readAddress(old), ...part })) as never,
      });
    },
    [navigate],
  );
  return [address, change];
}
