import type { KpiQuestion } from '@albedo/contract/kpis/kpis.schema';
import { useMemo } from 'react';
import { rangeFromText } from '../../../../ui/time-range/time-range.ts';
import { useBoard } from '../../board-context.ts';
import { useOwnSpan } from '../../use-figures.ts';

const DAY = 86_400_000;
/** Ranges without days of their own move on in such steps: each new question is computed anew, ms. */
const STEP_MS = 5 * 60_000;

/** What a KPI is asked: whole days of the site where the range has days, and how it went in so many pieces. */
export function useKpiQuestion(ownRange: string | undefined): KpiQuestion {
  const { entityId, range: chosen, zone } = useBoard();
  const span = useOwnSpan(ownRange);
  const range = rangeFromText(ownRange) ?? chosen;
  const timeframe = range.kind === 'preset' ? range.preset : undefined;
  const [from, to] = [floor(span.from), Math.max(floor(span.from) + STEP_MS, floor(span.to))];
  return useMemo(() => {
    const days = (to - from) / DAY;
    const interval = days <= 2.5 ? '1h' : days <= 100 ? '1d' : '1M';
    const what = timeframe === undefined ? { from, to } : { timeframe };
    return { entity: entityId, ...what, interval, timezone: zone, detail: false };
  }, [entityId, timeframe, from, to, zone]);
}

const floor = (at: number) => Math.floor(at / STEP_MS) * STEP_MS;
