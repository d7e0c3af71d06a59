import type { BoardHead } from '@albedo/contract/boards/boards.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import type { MenuMore } from '../../app/feature.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';

const NONE: readonly BoardHead[] = [];

/** The dashboards in the menu; where there are none, the way to make one, or a word that there are none. */
export function useBoardLines(): readonly MenuMore[] {
  const { t } = useTranslation();
  const { data } = useQuery(boardsQuery(useWorkgroup()));
  const canConfigure = usePermission('coordinate');
  return useMemo(() => {
    if (!data) return [];
    const group = 'boards.title';
    if (data.length === 0)
      return [
        canConfigure
          ? { to: '/admin/entities/dashboards', name: t('boards.configure'), group }
          : { to: '/entities/dash3', name: t('boards.none'), group },
      ];
    return data.map(({ _id, name }) => ({ to: `/entities/dash3/${_id}`, name, group }));
  }, [data, canConfigure, t]);
}

/** The dashboards for the global search. */
export function useBoardItems(): { items: readonly { id: string; title: string }[]; error: Error | null } {
  const { data = NONE, error } = useQuery(boardsQuery(useWorkgroup()));
  const items = useMemo(() => data.map(({ _id, name }) => ({ id: _id, title: name })), [data]);
  return { items, error };
}
