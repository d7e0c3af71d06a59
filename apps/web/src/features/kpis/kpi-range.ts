import type { KpiQuestion } from '@albedo/contract/kpis/kpis.schema';
import { useState } from 'react';

export const RANGES = {
  week: { timeframe: 'last-7-days', interval: '1d' },
  month: { timeframe: 'last-30-days', interval: '1d' },
  year: { timeframe: 'last-12-months', interval: '1M' },
} as const;
export type RangeName = keyof typeof RANGES;

/** Whole days of the site, as everywhere where a timeframe has that name, up to now. */
export function useKpiQuestion(entity: string | null, range: RangeName, detail: boolean): KpiQuestion | null {
  const [timezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  return entity === null ? null : { entity, ...RANGES[range], timezone, detail };
}
