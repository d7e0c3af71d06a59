import { QueryClient } from '@tanstack/react-query';
import { forgetPerson } from './kept-here.ts';
import { onPersonGone } from './session.ts';

/**
 * The cache of everything that comes from the server. Socket events write into it, so data stays fresh without being
 * asked for again; `call()` has its own retries. Without a network a query fails and says so: one that waited for it
 * would leave old data under a new question.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// Nothing of one person stays for the next.
onPersonGone(() => {
  queryClient.clear();
  forgetPerson();
});
