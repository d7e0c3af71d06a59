import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { historyImportsApi } from '@albedo/contract/history-imports/history-imports.api';
import type { HistoryImport } from '@albedo/contract/history-imports/history-imports.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { type FindingSource, foundOf } from '../house/finding.ts';

/** History imports of the last days that failed. */
export const historyImportsFindings = (
  list: (workgroup: string, scope: DeviceScope) => Promise<HistoryImport[]>,
): FindingSource => ({
  kind: 'history-imports',
  access: historyImportsApi.list.access,
  find: async ({ workgroup, scope, now }) =>
    foundOf(
      'warning',
      (await list(workgroup, scope)).flatMap(({ name, state, error, createdAt: at }) =>
        state === 'failed' && at > now - FINDING_DAYS * 86_400_000 ? [{ name, text: error, at }] : [],
      ),
    ),
});
