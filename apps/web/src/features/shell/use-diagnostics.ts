import { type AnyRouteMatch, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LONGEST_STAY_S, reportError, reportStay, reportView } from '../diagnostics/diagnostics.queries.ts';

/** Counts the pages that are looked at, and tells of failures that nothing else caught. */
export function useDiagnostics(): void {
  // The page that is there: neither an address that only leads on, nor one that is refused.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const router = useRouter();
  useEffect(() => {
    if (pathname !== undefined) void reportView(pathname, pageOf(router.state.matches.at(-1)) ?? pathname);
  }, [pathname, router]);
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
    document.addEventListener('visibilitychange', () => reportStay(), { signal });
    const timer = setInterval(() => reportStay(), LONGEST_STAY_S * 1000);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, []);
}

/** What was given up on purpose is no failure. */
const isOurs = (reason: unknown): boolean => !(reason instanceof Error && reason.name === 'AbortError');

/** The address of the page without ids, but with its tab. */
function pageOf(match: AnyRouteMatch | undefined): string | undefined {
  const { tab } = (match?.params ?? {}) as { tab?: string };
  return match?.fullPath.replace(/\$tab\b/, tab ?? '$tab');
}
