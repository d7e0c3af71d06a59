import { useMemo, useState } from 'react';
import {
  refreshIntervalMs,
  resolveRange,
  type Span,
  type TimeRangeChoice,
  untilNow,
} from '../../ui/time-range/time-range.ts';
import { useNow } from '../now.ts';

/** The instants of the range; one that follows the clock is recomputed at its own pace, others when they change. */
export function useSpan(time: TimeRangeChoice, zone: string): Span {
  const length = useMemo(() => resolveRange(time.range, Date.now(), zone), [time.range, zone]);
  const tick = useNow(time.isRefreshing ? refreshIntervalMs(length) : 3_600_000);
  const anchor = time.isRefreshing ? tick : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock counts only while the range follows it.
  return useMemo(() => {
    const now = Date.now();
    return untilNow(resolveRange(time.range, now, zone), now);
  }, [time.range, zone, anchor]);
}

export interface Zoom {
  zoom: (to: Span) => void;
  /** Back to the range before, or to one twice as long. */
  zoomOut: () => void;
  canZoomOut: boolean;
}

/** Leads from range to range and back. */
export function useZoom(time: TimeRangeChoice, span: Span, onTime: (time: TimeRangeChoice) => void): Zoom {
  const [history, setHistory] = useState<TimeRangeChoice[]>([]);
  const show = ({ from, to }: Span) =>
    onTime({ ...time, range: { kind: 'absolute', from, to }, isRefreshing: false });
  return {
    zoom: (to) => {
      setHistory([...history, time]);
      show(to);
    },
    zoomOut: () => {
      const before = history.at(-1);
      if (before) {
        setHistory(history.slice(0, -1));
        return onTime(before);
      }
      const half = (span.to - span.from) / 2;
      show({ from: span.from - half, to: Math.min(span.to + half, Date.now()) });
    },
    canZoomOut: history.length > 0 || time.range.kind === 'absolute',
  };
}
