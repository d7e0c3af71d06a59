import { externalSourcesApi } from '@albedo/contract/external-sources/external-sources.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { ExternalSourcesStore } from './external-sources.store.ts';
import { isVisible } from './visible-sources.ts';

/** External sources whose last run failed. */
export const externalSourcesFindings = (store: Pick<ExternalSourcesStore, 'list'>): FindingSource => ({
  kind: 'external-sources',
  access: externalSourcesApi.list.access,
  find: async ({ workgroup, scope }) =>
    foundOf(
      'danger',
      (await store.list(workgroup)).flatMap(({ name, device, isEnabled, lastError, lastRunAt }) =>
        isEnabled && lastError !== null && isVisible({ device }, scope)
          ? [{ name, text: lastError, at: lastRunAt?.getTime() ?? null }]
          : [],
      ),
    ),
});
