import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { rangeFromText, rangeToText, type TimeRangeChoice } from '../../ui/time-range/time-range.ts';

export interface AuditAddress {
  time: TimeRangeChoice;
  by: string;
  action: string | null;
  controller: string | null;
  q: string;
  /** Where the page begins; null for the newest. */
  before: string | null;
}

const FIRST_RANGE = rangeFromText('last-7-days') as TimeRangeChoice['range'];

const textIn = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** What an address says; anything invalid falls back to its default. */
export function readAuditAddress(search: Record<string, unknown>): AuditAddress {
  const before = textIn(search.before);
  return {
    time: {
      range: rangeFromText(search.range) ?? FIRST_RANGE,
      zone: textIn(search.tz),
      isRefreshing: false,
    },
    by: textIn(search.by),
    action: textIn(search.action) || null,
    controller: textIn(search.controller) || null,
    q: textIn(search.q),
    before: /^\d{1,16}_\d{1,20}$/.test(before) ? before : null,
  };
}

function write({ time, by, action, controller, q, before }: AuditAddress): Record<string, unknown> {
  const range = rangeToText(time.range);
  return {
    range: range === rangeToText(FIRST_RANGE) ? undefined : range,
    tz: time.zone || undefined,
    by: by || undefined,
    action: action ?? undefined,
    controller: controller ?? undefined,
    q: q || undefined,
    before: before ?? undefined,
  };
}

/** What the log shows, kept in the address. Turning a page is a step that Back undoes; another filter starts over. */
export function useAuditAddress(): [AuditAddress, (change: Partial<AuditAddress>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address = useMemo(() => readAuditAddress(search), [search]);
  const change = useCallback(
    (part: Partial<AuditAddress>) => {
      void navigate({
        to: '.',
        replace: !('before' in part),
        resetScroll: false,
        search: ((old: Record<string, unknown>) => ({
          ...old,
          ...write({ ...readAuditAddress(old), before: null, ...part }),
        })) as never,
      });
    },
    [navigate],
  );
  return [address, change];
}
