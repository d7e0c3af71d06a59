import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reportError, reportView } from '../diagnostics/diagnostics.queries.ts';

/** Counts the pages that are looked at, and tells of failures that nothing else caught. */
export function useDiagnostics(): void {
  // The page that is there: neither an address that only leads on, nor one that is refused.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => void (pathname !== undefined && reportView(pathname)), [pathname]);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('error', ({ error, message }) => void reportError(error ?? message, 'window'), {
      signal,
    });
    window.addEventListener(
      'unhandledrejection',
      ({ reason }) => void (isOurs(reason) && reportError(reason, 'promise')),
      { signal },
    );
    return () => stop.abort();
  }, []);
}

/** What was given up on purpose is no failure. */
const isOurs = (reason: unknown): boolean => !(reason instanceof Error && reason.name === 'AbortError');
