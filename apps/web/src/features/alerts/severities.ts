import { SEVERITIES } from '@albedo/contract/alerts/severities';
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

/** The server has checked what was set: the schemas need not be loaded for that. */
function severitiesIn(setting: unknown): Severity[] {
  const set = Array.isArray(setting) ? (setting as readonly Omit<Severity, 'rank'>[]) : [];
  const list = set.length > 0 ? set : SEVERITIES;
  return list.map(({ id, name, color }, rank) => ({ id, name, color, rank }));
}

/** Names of the categories of the workgroup. */
export function useCategories(): readonly string[] {
  const { categories } = useWorkgroupSettings();
  return Array.isArray(categories) ? (categories as readonly string[]) : NONE;
}

const NONE: readonly string[] = [];
