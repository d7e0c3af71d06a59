import { diagnosticsApi } from '@albedo/contract/diagnostics/diagnostics.api';
import type { ListName } from '@albedo/contract/lists/lists.socket';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import type { MenuBadge } from '../../app/feature.ts';
import { followList } from '../../app/live-list.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { formatWhole } from '../../ui/units/numbers.ts';

/** Lists that findings come from. Other findings, such as gaps, are not announced and are polled for. */
const LISTS: readonly ListName[] = [
  'calculations',
  'external-sources',
  'history-imports',
  'notify-channels',
  'api-tokens',
];
for (const list of LISTS) followList(list, ['findings']);

const LOOK_MS = 30_000;

/** What needs attention in the workgroup. */
export const findingsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['findings', wg],
    queryFn: ({ signal }) => call(diagnosticsApi.findings, { params: { wg } }, signal),
    refetchInterval: LOOK_MS,
  });

/** How many kinds of findings there are, for coordinators. */
export function useFindingsBadge(): MenuBadge | null {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayLook = usePermission('coordinate');
  const { data } = useQuery({ ...findingsQuery(wg), enabled: mayLook });
  const count = data?.findings.length ?? 0;
  if (count === 0) return null;
  return { text: formatWhole(count), title: t('diagnostics.found', { count }), isQuiet: true };
}
