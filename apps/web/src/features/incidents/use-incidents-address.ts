import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import {
  rangeFromText,
  rangeToText,
  type TimeRange,
  type TimeRangeChoice,
} from '../../ui/time-range/time-range.ts';

export const TABS = ['active', 'all', 'chart', 'load'] as const;
export type IncidentsTab = (typeof TABS)[number];

export interface IncidentsAddress {
  tab: IncidentsTab;
  /** Ids of the alerts that are ticked; none is all. */
  alerts: readonly string[];
  time: TimeRangeChoice;
  /** Id of the incident that is open. */
  incident: string | null;
  /** Silenced ones show too. */
  hasSilent: boolean;
}

const FIRST_RANGE: TimeRange = { kind: 'preset', preset: 'last-7-days' };

const textIn = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** What an address says; anything invalid falls back to its default. */
export function readIncidentsAddress(search: Record<string, unknown>): IncidentsAddress {
  const range = rangeFromText(search.range) ?? FIRST_RANGE;
  return {
    tab: TABS.find((one) => one === search.tab) ?? 'active',
    alerts: textIn(search.alerts).split(',').filter(Boolean),
    time: { range, zone: textIn(search.tz), isRefreshing: range.kind !== 'absolute' },
    incident: textIn(search.incident) || null,
    hasSilent: search.silent === true,
  };
}

function write({ tab, alerts, time, incident, hasSilent }: IncidentsAddress): Record<string, unknown> {
  const range = rangeToText(time.range);
  return {
    tab: tab === 'active' ? undefined : tab,
    alerts: alerts.length > 0 ? alerts.join(',') : undefined,
    range: range === rangeToText(FIRST_RANGE) ? undefined : range,
    tz: time.zone || undefined,
    incident: incident ?? undefined,
    silent: hasSilent || undefined,
  };
}

/** What the page shows, kept in its address; each change is a step that Back undoes. */
export function useIncidentsAddress(): [IncidentsAddress, (change: Partial<IncidentsAddress>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const changeSearch = useSearchChange();
  const address = useMemo(() => readIncidentsAddress(search), [search]);
  const change = useCallback(
    (part: Partial<IncidentsAddress>) => {
      const next = write({ ...address, ...part });
      // Another tab has other columns to sort by and find in.
      changeSearch(part.tab === undefined ? next : { ...next, sort: undefined, q: undefined });
    },
    [address, changeSearch],
  );
  return [address, change];
}
