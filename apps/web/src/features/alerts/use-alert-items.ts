import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useWorkgroup } from '../../app/session.ts';
import { alertsQuery } from './alerts.queries.ts';

/** The alerts for the global search; `error` says that they are missing. */
export function useAlertItems(): { items: readonly { id: string; title: string }[]; error: Error | null } {
  const { data, error } = useQuery(alertsQuery(useWorkgroup()));
  const items = useMemo(() => (data ?? []).map(({ _id, name }) => ({ id: _id, title: name })), [data]);
  return { items, error: data ? null : error };
}
