import { SEVERITIES } from '@albedo/contract/alerts/alerts.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import { useMemo } from 'react';
import type { ShownSeverity } from '../../ui/status/severity-mark.tsx';
import { useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';

export interface Severity extends ShownSeverity {
  id: string;
}

/** The severities of the workgroup, the gravest first; those of the product where it set none. */
export function useSeverities() {
  const { severity } = useWorkgroupSettings();
  return useMemo(() => {
    const all = severitiesIn(severity);
    const of = (id: string): Severity =>
      all.find((one) => one.id === id) ?? { id, name: id, color: '', rank: all.length };
    return { all, of, rankOf: (id: string) => of(id).rank };
  }, [severity]);
}

export function severitiesIn(setting: unknown): Severity[] {
  const { data = [] } = WORKGROUP_SETTINGS.severity.safeParse(setting);
  const list = data.length > 0 ? data : SEVERITIES;
  return list.map(({ id, name, color }, rank) => ({ id, name, color, rank }));
}

/** Names of the categories of the workgroup. */
export function useCategories(): readonly string[] {
  const { categories } = useWorkgroupSettings();
  return useMemo(() => WORKGROUP_SETTINGS.categories.safeParse(categories).data ?? [], [categories]);
}
