import { QueryClient } from '@tanstack/react-query';
import { onSignOut } from './session.ts';

/**
 * The cache of everything that comes from the server. Socket events write into it, so data stays fresh without being
 * asked for again; `call()` has its own retries.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 60_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

// Nothing of one person stays for the next.
onSignOut(() => queryClient.clear());
