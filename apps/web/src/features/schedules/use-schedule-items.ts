import type { Schedule } from '@albedo/contract/schedules/schedules.schema';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useHasControl } from './use-has-control.ts';

const NONE: readonly Schedule[] = [];

/** Shared schedules for the global search. */
export function useScheduleItems(): { items: readonly { id: string; title: string }[]; error: Error | null } {
  const isOn = useHasControl();
  const wg = useWorkgroup();
  const { data = NONE, error } = useQuery({
    queryKey: ['shared-schedules', wg, 'titles'],
    // The search is on every page; what asks for schedules comes once somebody has them.
    queryFn: async () => {
      const { sharedSchedulesQuery } = await import('./schedules.queries.ts');
      return queryClient.ensureQueryData(sharedSchedulesQuery(wg));
    },
    enabled: isOn,
  });
  const items = useMemo(() => data.map(({ _id, name }) => ({ id: _id, title: name })), [data]);
  return { items, error };
}

/** A new shared schedule, from anywhere. */
export function useScheduleCommands(): readonly Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isOn, mayShare, isUnbound] = [useHasControl(), usePermission('coordinate'), useIsUnbound()];
  const isOffered = isOn && mayShare && isUnbound;
  return useMemo(
    () =>
      isOffered
        ? [
            {
              id: 'new-shared-schedule',
              title: t('schedules.shared.create'),
              group: 'do',
              run: () =>
                void navigate({ to: '/control/schedules/$schedule', params: { schedule: 'new' } as never }),
            },
          ]
        : [],
    [isOffered, navigate, t],
  );
}
