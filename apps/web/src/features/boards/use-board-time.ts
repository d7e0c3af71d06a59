import type { Board } from '@albedo/contract/boards/boards.schema';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { rangeFromText, rangeToText, type TimeRangeChoice } from '../../ui/time-range/time-range.ts';

/** What the board shows first: what it says itself, else today, following the clock. */
const firstOf = ({ range, zone, isLive }: Pick<Board, 'range' | 'zone' | 'isLive'>): TimeRangeChoice => ({
  range: rangeFromText(range) ?? { kind: 'preset', preset: 'today' },
  zone: zone ?? '',
  isRefreshing: isLive ?? true,
});

/** The time range of a board; what differs from what it shows first stands in the address. A zoom is a step that Back undoes. */
export function useBoardTime(
  board: Pick<Board, 'range' | 'zone' | 'isLive'>,
): [TimeRangeChoice, (time: TimeRangeChoice) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const { range, zone, isLive } = board;
  const first = useMemo(() => firstOf({ range, zone, isLive }), [range, zone, isLive]);
  const time = useMemo((): TimeRangeChoice => {
    const own = rangeFromText(search.range) ?? first.range;
    const isRefreshing = typeof search.live === 'boolean' ? search.live : first.isRefreshing;
    return {
      range: own,
      zone: typeof search.tz === 'string' ? search.tz : first.zone,
      isRefreshing: isRefreshing && own.kind !== 'absolute',
    };
  }, [search.range, search.live, search.tz, first]);
  const change = useCallback(
    (next: TimeRangeChoice) => {
      const text = rangeToText(next.range);
      const parts = {
        range: text === rangeToText(first.range) ? undefined : text,
        tz: next.zone === first.zone ? undefined : next.zone,
        live:
          next.isRefreshing === first.isRefreshing || next.range.kind === 'absolute'
            ? undefined
            : next.isRefreshing,
      };
      void navigate({
        to: '.',
        resetScroll: false,
        search: ((old: Record<string, unknown>) => ({ ...old, ...parts })) as never,
      });
    },
    [navigate, first],
  );
  return [time, change];
}
