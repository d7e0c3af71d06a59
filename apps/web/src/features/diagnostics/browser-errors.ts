import { diagnosticsApi } from '@albedo/contract/diagnostics/diagnostics.api';
import type { BrowserErrorDetail } from '@albedo/contract/diagnostics/diagnostics.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('browser-errors', ['browser-errors', 'browser-error']);

/** Reported errors, of one version or workgroup or of all; for the staff. */
export const browserErrorsQuery = (version: string | null, ofWorkgroup: string | null) =>
  queryOptions({
    queryKey: ['browser-errors', version, ofWorkgroup],
    queryFn: ({ signal }) =>
      call(
        diagnosticsApi.errors,
        { query: { ...(version ? { version } : {}), ...(ofWorkgroup ? { ofWorkgroup } : {}) } },
        signal,
      ),
    refetchInterval: unlessTold(30_000),
  });

export const browserErrorQuery = (browserError: string) =>
  queryOptions({
    queryKey: ['browser-error', browserError],
    queryFn: ({ signal }) => call(diagnosticsApi.error, { params: { browserError } }, signal),
  });

export async function setResolved(browserError: string, isResolved: boolean): Promise<void> {
  const detail: BrowserErrorDetail = await call(diagnosticsApi.setResolved, {
    params: { browserError },
    body: { isResolved },
  });
  queryClient.setQueryData(browserErrorQuery(browserError).queryKey, detail);
  await queryClient.invalidateQueries({ queryKey: ['browser-errors'] });
}

/** Which pages are used; for the staff. */
export const pagesQuery = (days: '7' | '30' | '90', ofWorkgroup: string | null) =>
  queryOptions({
    queryKey: ['pages-by-use', days, ofWorkgroup],
    queryFn: ({ signal }) =>
      call(diagnosticsApi.pages, { query: { days, ...(ofWorkgroup ? { ofWorkgroup } : {}) } }, signal),
    refetchInterval: 60_000,
  });
