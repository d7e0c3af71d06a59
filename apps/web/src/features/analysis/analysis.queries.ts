import type { SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { CombinedSeries, FormulaText, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import { analysisLineToText, type StreamLine } from './analysis-lines.ts';

export interface AnalysisRequest {
  wg: string;
  streams: readonly StreamLine[];
  /** By the text of their line. */
  formulas: readonly { key: string; of: FormulaText }[];
  /** Of entities, by the text of their line. */
  combined: readonly { key: string; of: Pick<CombinedSeries, 'streams' | 'combine'> }[];
  span: Span;
  /** The range to compare with. */
  earlier: Span | null;
  maxPoints: number;
  interval: string | null;
  timezone: string;
  fn: SeriesFunction;
  dateField: string;
}

export interface AnalysisAnswer {
  span: Span;
  earlier: Span | null;
  /** Points by the text of their line, those of the range and of the earlier one. */
  points: ReadonlyMap<string, { now: SeriesPoints; before: SeriesPoints | null }>;
}

/** A question to the store may take 20 s, and a formula asks several; ms. */
const PATIENCE = { timeout: 60_000 };

/** The points of everything that the page draws, in one request. */
export const analysisQuery = (asked: AnalysisRequest) =>
  queryOptions({
    queryKey: ['series', asked.wg, asked],
    queryFn: async ({ signal }): Promise<AnalysisAnswer> => {
      const { wg, streams, formulas, combined, span, earlier, maxPoints, interval, timezone, fn, dateField } =
        asked;
      const twice = <T extends object>(all: readonly T[]) => [
        ...all,
        ...(earlier ? all.map((one) => ({ ...one, span: earlier })) : []),
      ];
      const body = {
        ...span,
        series: twice(streams),
        formulas: twice(formulas.map(({ of }) => of)),
        combined: twice(combined.map(({ of }) => of)),
        maxPoints,
        ...(interval === null ? {} : { interval }),
        timezone,
        function: fn,
        dateField,
      };
      const points = await call(telemetryApi.series, { params: { wg }, body }, signal, PATIENCE);
      const byLine = new Map<string, { now: SeriesPoints; before: SeriesPoints | null }>();
      let at = 0;
      // The answer has each kind of line behind the other, and of each those of the range before the earlier ones.
      for (const keys of [streams.map(analysisLineToText), formulas.map(keyOf), combined.map(keyOf)]) {
        for (const [i, key] of keys.entries()) {
          const before = earlier ? (points[at + keys.length + i] ?? null) : null;
          byLine.set(key, { now: points[at + i] ?? NO_POINTS, before });
        }
        at += keys.length * (earlier ? 2 : 1);
      }
      return { span, earlier, points: byLine };
    },
    enabled: asked.streams.length + asked.formulas.length + asked.combined.length > 0,
    structuralSharing: false,
    gcTime: 2 * 60_000,
    // The points of the last range stay while new ones come.
    placeholderData: keepPreviousData,
  });

const keyOf = ({ key }: { key: string }) => key;

const NO_STATS = { count: 0, min: null, avg: null, max: null, last: null };
export const NO_POINTS: SeriesPoints = { stepMs: 0, times: [], min: [], avg: [], max: [], stats: NO_STATS };
