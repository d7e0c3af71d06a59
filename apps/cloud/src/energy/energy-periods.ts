import type { ReportGranularity } from '@albedo/contract/energy/energy.names';
import { dayAfter } from './energy-calendar.ts';
import type { Span } from './energy-reports.store.ts';

const DAY_MS = 86_400_000;

/** First day of the period that a day lies in; weeks begin on Mondays. */
export function periodOf(day: string, granularity: ReportGranularity): string {
  if (granularity === 'day') return day;
  if (granularity === 'month') return `${day.slice(0, 7)}-01`;
  if (granularity === 'year') return `${day.slice(0, 4)}-01-01`;
  const weekday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  return dayAfter(day, -weekday);
}

/** The first days of all periods that a span touches. */
export function periodsOf({ from, to }: Span, granularity: ReportGranularity): string[] {
  const periods: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) {
    const period = periodOf(day, granularity);
    if (periods.at(-1) !== period) periods.push(period);
  }
  return periods;
}

export const daysOf = ({ from, to }: Span): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** What of a month lies within a span, by period: months are spread evenly over their days. */
export function spreadMonth(
  month: string,
  energyKWh: number,
  span: Span,
  granularity: ReportGranularity,
): Map<string, number> {
  const first = `${month.slice(0, 7)}-01`;
  const [year = 1970, of = 1] = first.split('-').map(Number);
  const count = new Date(Date.UTC(year, of, 0)).getUTCDate();
  const parts = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const day = dayAfter(first, i);
    if (day < span.from || day > span.to) continue;
    const period = periodOf(day, granularity);
    parts.set(period, (parts.get(period) ?? 0) + energyKWh / count);
  }
  return parts;
}

/** The time that a span is compared with: as long, right before it, or a year earlier. */
export function comparedWith({ from, to }: Span, compare: 'before' | 'yearBefore'): Span {
  if (compare === 'before') {
    const days = daysOf({ from, to });
    return { from: dayAfter(from, -days), to: dayAfter(from, -1) };
  }
  const back = (day: string) => {
    const [year = 1970, month = 1, of = 1] = day.split('-').map(Number);
    const last = new Date(Date.UTC(year - 1, month, 0)).getUTCDate();
    return new Date(Date.UTC(year - 1, month - 1, Math.min(of, last))).toISOString().slice(0, 10);
  };
  return { from: back(from), to: back(to) };
}
