import { apiTokensApi } from '@albedo/contract/api-tokens/api-tokens.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { ApiTokensStore } from './api-tokens.store.ts';
import { dueWarnings } from './expiry.ts';

/** Tokens that expire soon enough for their owners to be warned, soonest first. */
export const apiTokensFindings = (store: Pick<ApiTokensStore, 'list'>): FindingSource => ({
  kind: 'api-tokens',
  access: apiTokensApi.list.access,
  find: async ({ workgroup, now }) =>
    foundOf(
      'warning',
      (await store.list(workgroup))
        .filter((row) => row.revokedAt === null && row.expiresAt.getTime() > now)
        .filter((row) => dueWarnings.of(row, new Date(now)).length > 0)
        .map(({ owner, expiresAt }) => ({ name: owner, at: expiresAt.getTime() }))
        .sort((a, b) => a.at - b.at),
    ),
});
