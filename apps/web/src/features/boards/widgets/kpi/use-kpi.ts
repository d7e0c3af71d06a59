import type { KpiQuestion } from '@albedo/contract/kpis/kpis.schema';
import { useMemo } from 'react';
import { rangeFromText } from '../../../../ui/time-range/time-range.ts';
import { useBoard } from '../../board-context.ts';
import { useOwnSpan } from '../../use-figures.ts';

const DAY = 86_400_000;
/** Ranges without days of their own move on in such steps: each new question is computed anew, ms. */
const STEP_MS = 5 * 60_000;
/** Less than this share of the range known is said, since the figure may be far too low. */
export const ENOUGH = 0.995;

type KpiRange = Pick<KpiQuestion, 'from' | 'to' | 'timeframe' | 'timezone'>;

/** Whole days of each site where the range has days; `interval` is that of so many pieces as show how it went. */
export function useKpiRange(ownRange: string | undefined): { range: KpiRange; interval: string } {
  const { range: chosen, zone } = useBoard();
  const span = useOwnSpan(ownRange);
  const range = rangeFromText(ownRange) ?? chosen;
  const timeframe = range.kind === 'preset' ? range.preset : undefined;
  const [from, to] = [floor(span.from), Math.max(floor(span.from) + STEP_MS, floor(span.to))];
  return useMemo(() => {
    const days = (to - from) / DAY;
    const interval = days <= 2.5 ? '1h' : days <= 100 ? '1d' : '1M';
    const what = timeframe === undefined ? { from, to } : { timeframe };
    return { range: { ...what, timezone: zone }, interval };
  }, [timeframe, from, to, zone]);
}

/** What a KPI is asked for the entity of the board. */
export function useKpiQuestion(ownRange: string | undefined): KpiQuestion {
  const { entityId } = useBoard();
  const { range, interval } = useKpiRange(ownRange);
  return useMemo(
    () => ({ ...range, entity: entityId, interval, detail: false }),
    [range, interval, entityId],
  );
}

const floor = (at: number) => Math.floor(at / STEP_MS) * STEP_MS;
