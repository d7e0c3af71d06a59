import type { KpiFigure } from '@albedo/contract/boards/widgets/parts';
import type { Kpi, KpiQuestion } from '@albedo/contract/kpis/kpis.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rangeFromText, rangeToText } from '../../../../ui/time-range/time-range.ts';
import { kpisQuery } from '../../../kpis/kpis.queries.ts';
import { useBoard } from '../../board-context.ts';
import { useOwnSpan } from '../../use-figures.ts';

const DAY = 86_400_000;
/** Ranges without days of their own move on in such steps: each new question is computed anew, ms. */
const STEP_MS = 5 * 60_000;
/** Less than this share of the range known is said, since the figure may be far too low. */
export const ENOUGH = 0.995;

/** What boards know of a KPI; a display knows no more. */
export type NamedKpi = Pick<Kpi, '_id' | 'name' | 'version'> & {
  values: Readonly<Record<string, { displayName: string }>>;
};

/** The KPI of a widget, as far as it is known: of the workgroup, or of what a display shows. */
export function useKpi(figure: KpiFigure | undefined) {
  const { wg, kpis: ofDisplay } = useBoard();
  const { data, error, refetch } = useQuery({
    ...kpisQuery(wg),
    enabled: figure !== undefined && ofDisplay === undefined,
  });
  const all: readonly NamedKpi[] | undefined = ofDisplay?.all ?? data;
  const kpi = all?.find(({ _id }) => _id === figure?.kpi);
  return { kpi, isGone: all !== undefined && !kpi, error, refetch };
}

type KpiRange = Pick<KpiQuestion, 'from' | 'to' | 'timeframe' | 'timezone'>;

/**
 * Whole days of each site where the range has days; `interval` is that of so many pieces as show how it went, and `text` the
 * range as displays ask for it, which know no instants.
 */
export function useKpiRange(ownRange: string | undefined) {
  const { range: chosen, zone } = useBoard();
  const span = useOwnSpan(ownRange);
  const range = rangeFromText(ownRange) ?? chosen;
  const text = rangeToText(range);
  const timeframe = range.kind === 'preset' ? range.preset : undefined;
  const [from, to] = [floor(span.from), Math.max(floor(span.from) + STEP_MS, floor(span.to))];
  return useMemo(() => {
    const days = (to - from) / DAY;
    const interval: '1h' | '1d' | '1M' = days <= 2.5 ? '1h' : days <= 100 ? '1d' : '1M';
    const what = timeframe === undefined ? { from, to } : { timeframe };
    const asked: KpiRange = { ...what, timezone: zone };
    return { range: asked, text, interval };
  }, [timeframe, from, to, zone, text]);
}

const floor = (at: number) => Math.floor(at / STEP_MS) * STEP_MS;
