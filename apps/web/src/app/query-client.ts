import { QueryClient } from '@tanstack/react-query';

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
