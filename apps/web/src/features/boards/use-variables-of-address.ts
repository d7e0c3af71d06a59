import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { VariableChoices } from './board-context.ts';

/** How variables begin in an address. */
const PREFIX = 'v.';

/** What was chosen of variables, as it stands in the address. */
export function useVariablesOfAddress(): VariableChoices {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const text = JSON.stringify(
    Object.entries(search).flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), String(value)]] : [],
    ),
  );
  const chosen = useMemo(
    () => Object.fromEntries(JSON.parse(text) as [string, string][]) as Record<string, string>,
    [text],
  );
  const choose = useCallback(
    (key: string, value: string) =>
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => ({ ...old, [PREFIX + key]: value })) as never,
      }),
    [navigate],
  );
  return useMemo(() => ({ chosen, choose }), [chosen, choose]);
}
