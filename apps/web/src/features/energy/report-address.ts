import type { EnergyReportName, ReportGranularity } from '@albedo/contract/energy/energy.names';
import { REPORT_GRANULARITIES } from '@albedo/contract/energy/energy.names';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type DayRange, dayRangeFromText, dayRangeToText } from './day-range.ts';
import type { Question } from './energy.queries.ts';

export const COMPARISONS = ['before', 'yearBefore', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const CHART_STYLES = ['line', 'column'] as const;
export type ChartStyle = (typeof CHART_STYLES)[number];
/** How the days of a report stand below its chart. */
export const VIEWS = ['table', 'matrix', 'calendar'] as const;
export type View = (typeof VIEWS)[number];

/** What somebody looks at in a report; all of it stands in the address. */
export interface ReportAddress {
  range: DayRange;
  granularity: ReportGranularity;
  scope: string;
  compare: Comparison;
  style: ChartStyle;
  /** Columns that are drawn; null for those that a report begins with. */
  drawn: readonly string[] | null;
  view: View;
}

export const PORTFOLIO = 'portfolio';
const FIRST_RANGE: DayRange = { kind: 'preset', preset: 'last-month' };
const OWN = ['range', 'by', 'scope', 'compare', 'as', 'draw', 'view', 'sort', 'q'];

/** True where an address says anything of what is looked at. */
export const isChosen = (search: Record<string, unknown>): boolean =>
  OWN.some((key) => search[key] !== undefined);

/** What an address says; anything invalid falls back to its default. */
export function readAddress(search: Record<string, unknown>): ReportAddress {
  const scope = typeof search.scope === 'string' ? search.scope : PORTFOLIO;
  return {
    range: dayRangeFromText(search.range) ?? FIRST_RANGE,
    granularity: oneOf(REPORT_GRANULARITIES, search.by) ?? 'day',
    scope: /^(site|device|source):./.test(scope) ? scope : PORTFOLIO,
    compare: oneOf(COMPARISONS, search.compare) ?? 'before',
    style: oneOf(CHART_STYLES, search.as) ?? 'line',
    drawn: Array.isArray(search.draw) ? search.draw.map(String) : null,
    view: oneOf(VIEWS, search.view) ?? 'table',
  };
}

/** The other way round; defaults are left out. */
export function writeAddress(address: ReportAddress): Record<string, unknown> {
  const { range, granularity, scope, compare, style, drawn, view } = address;
  const text = dayRangeToText(range);
  return {
    range: text === dayRangeToText(FIRST_RANGE) ? undefined : text,
    by: granularity === 'day' ? undefined : granularity,
    scope: scope === PORTFOLIO ? undefined : scope,
    compare: compare === 'before' ? undefined : compare,
    as: style === 'line' ? undefined : style,
    draw: drawn ?? undefined,
    view: view === 'table' ? undefined : view,
  };
}

export type ChangeAddress = (part: Partial<ReportAddress>) => void;

/** What the report shows. Each change is a step that Back undoes; how the table is sorted stays as long as the scope does. */
export function useReportAddress(): [ReportAddress, ChangeAddress] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(search), [search]);
  const change = useCallback<ChangeAddress>(
    (part) => {
      const next = (old: Record<string, unknown>) => ({
        ...(part.scope === undefined ? old : { ...old, sort: undefined, q: undefined }),
        ...writeAddress({ ...readAddress(old), ...part }),
      });
      void navigate({ to: '.', search: next as never, resetScroll: false });
    },
    [navigate],
  );
  return [address, change];
}

/** What the server is asked. */
export const questionOf = (
  { granularity, scope, compare }: ReportAddress,
  days: { from: string; to: string },
): Question => ({ ...days, granularity, scope, compare });

/** The scope of a source, whose table and name may have any signs. */
export const sourceScope = (of: { deviceId: string; table: string; source: string }): string =>
  `source:${of.deviceId}/${encodeURIComponent(of.table)}/${encodeURIComponent(of.source)}`;

/** Reports of which single days can be compared device by device. */
export const hasDays = (report: EnergyReportName): boolean => report === 'daily-energy';

const oneOf = <T extends string>(all: readonly T[], given: unknown): T | undefined =>
  all.find((one) => one === given);
