import { auditApi } from '@albedo/contract/audit/audit.api';
import type { AuditPage } from '@albedo/contract/audit/audit.schema';
import type { EndpointInput } from '@albedo/contract/http/endpoint';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, download } from '../../app/call.ts';

export type AuditAsked = NonNullable<EndpointInput<typeof auditApi.list>['query']>;

/** Between two looks at the newest entries, ms. */
const FRESH_MS = 10_000;

const pageOf = (wg: string | null, query: AuditAsked, signal?: AbortSignal): Promise<AuditPage> =>
  wg === null
    ? call(auditApi.provider, { query }, signal)
    : call(auditApi.list, { params: { wg }, query }, signal);

/**
 * A page of the audit log of a workgroup, or (null) of the provider. `ask` is called again at each look, so that a
 * range that follows the clock stays current.
 */
export const auditQuery = (wg: string | null, key: readonly unknown[], ask: () => AuditAsked) =>
  queryOptions({
    queryKey: ['audit', wg, ...key],
    queryFn: ({ signal }) => pageOf(wg, ask(), signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH_MS,
  });

/** What there is to filter by. */
export const auditChoicesQuery = (wg: string | null) =>
  queryOptions({
    queryKey: ['audit-choices', wg],
    queryFn: ({ signal }) =>
      wg === null
        ? call(auditApi.providerChoices, {}, signal)
        : call(auditApi.choices, { params: { wg } }, signal),
    staleTime: 60_000,
  });

/** Entries that one file has at most. */
export const MOST_EXPORTED = 50_000;

/** Everything that is found, newest first, page by page. */
export async function allEntries(wg: string | null, asked: AuditAsked): Promise<AuditPage['entries']> {
  const entries: AuditPage['entries'] = [];
  let before: string | null = null;
  do {
    const page: AuditPage = await pageOf(wg, { ...asked, rows: 1000, ...(before ? { before } : {}) });
    entries.push(...page.entries);
    before = page.next;
  } while (before !== null && entries.length < MOST_EXPORTED);
  return entries;
}

/** The whole log of a workgroup, or (null) of the provider, signed by the server. */
export const signedLog = (wg: string | null): Promise<{ blob: Blob; name: string | null }> =>
  wg === null ? download(auditApi.providerExport, {}) : download(auditApi.export, { params: { wg } });
