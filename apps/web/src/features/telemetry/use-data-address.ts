import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { LAYOUTS, type Layout } from '../../app/series/chart-layout.ts';
import { type ChartLine, lineFromText, lineToText } from '../../app/series/chart-lines.ts';
import {
  rangeFromText,
  rangeToText,
  type TimeRange,
  type TimeRangeChoice,
} from '../../ui/time-range/time-range.ts';

export interface DataAddress {
  /** Null until somebody chooses: then the page draws what it finds most telling. */
  lines: ChartLine[] | null;
  time: TimeRangeChoice;
  layout: Layout;
  isTable: boolean;
}

/** Lines of one request at most; the contract allows no more. */
export const MOST_LINES = 50;

export const FIRST_RANGE: TimeRange = { kind: 'preset', preset: 'last-day' };

/** What the data tab shows, kept in the address. A zoom is a step that Back undoes; everything else is not. */
export function useDataAddress(): [DataAddress, (change: Partial<DataAddress>, isStep?: boolean) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(search), [search]);
  const change = useCallback(
    (part: Partial<DataAddress>, isStep = false) => {
      void navigate({
        to: '.',
        replace: !isStep,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => writeAddress({ ...readAddress(old), ...part })) as never,
      });
    },
    [navigate],
  );
  return [address, change];
}

/** What an address says; anything invalid falls back to its default. */
export function readAddress(search: Record<string, unknown>): DataAddress {
  const texts = Array.isArray(search.line) ? search.line : [search.line];
  const lines = texts.map(lineFromText).filter((line) => line !== null);
  const range = rangeFromText(search.range) ?? FIRST_RANGE;
  const layout = LAYOUTS.find((one) => one === search.layout) ?? 'unit';
  return {
    lines: search.line === undefined ? null : lines.slice(0, MOST_LINES),
    time: {
      range,
      zone: typeof search.tz === 'string' ? search.tz : '',
      isRefreshing: search.live === true && range.kind !== 'absolute',
    },
    layout,
    isTable: search.table === true,
  };
}

/** The other way round; defaults are left out. */
export function writeAddress({ lines, time, layout, isTable }: DataAddress): Record<string, unknown> {
  const range = rangeToText(time.range);
  return {
    ...(lines === null ? {} : { line: lines.map(lineToText) }),
    ...(range === rangeToText(FIRST_RANGE) ? {} : { range }),
    ...(time.zone === '' ? {} : { tz: time.zone }),
    ...(time.isRefreshing ? { live: true } : {}),
    ...(layout === 'unit' ? {} : { layout }),
    ...(isTable ? { table: true } : {}),
  };
}
