import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entitiesQuery } from '../../app/entity-query.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';

/** The entities for the global search of those who may open their page. */
export function useEntityItems(): { items: readonly { id: string; title: string }[]; error: Error | null } {
  const mayOpen = usePermission('coordinate');
  const { data, error } = useQuery({ ...entitiesQuery(useWorkgroup()), enabled: mayOpen });
  const items = useMemo(
    () => (data ?? []).flatMap(({ _id, name, isNameOnly }) => (isNameOnly ? [] : [{ id: _id, title: name }])),
    [data],
  );
  return { items, error };
}
