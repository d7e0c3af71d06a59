import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export interface LiveAddress {
  table: string;
  source: string;
  fields: string[];
  windowS: number;
  isPaused: boolean;
}

/** What the live feed shows, kept in the address. */
export function useLiveAddress(): [LiveAddress, (change: Partial<LiveAddress>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address: LiveAddress = {
    table: asText(search.table),
    source: asText(search.source),
    fields: Array.isArray(search.fields) ? search.fields.map(asText).filter(Boolean) : [],
    windowS: typeof search.window === 'number' && search.window >= 10 ? search.window : 300,
    isPaused: search.paused === true,
  };
  const change = useCallback(
    (part: Partial<LiveAddress>) => {
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => ({
          ...old,
          ...(part.table === undefined ? {} : { table: part.table }),
          ...(part.source === undefined ? {} : { source: part.source }),
          ...(part.fields === undefined ? {} : { fields: part.fields.length > 0 ? part.fields : undefined }),
          ...(part.windowS === undefined ? {} : { window: part.windowS }),
          ...(part.isPaused === undefined ? {} : { paused: part.isPaused || undefined }),
        })) as never,
      });
    },
    [navigate],
  );
  return [address, change];
}

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
