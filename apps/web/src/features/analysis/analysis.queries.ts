import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { FormulaText, SeriesFunction, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import { analysisLineToText, type StreamLine } from './analysis-lines.ts';

export interface AnalysisRequest {
  wg: string;
  streams: readonly StreamLine[];
  /** By the text of their line. */
  formulas: readonly { key: string; of: FormulaText }[];
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
      const { wg, streams, formulas, span, earlier, maxPoints, interval, timezone, fn, dateField } = asked;
      const twice = <T extends object>(all: readonly T[]) => [
        ...all,
        ...(earlier ? all.map((one) => ({ ...one, span: earlier })) : []),
      ];
      const body = {
        ...span,
        series: twice(streams),
        formulas: twice(formulas.map(({ of }) => of)),
        maxPoints,
        ...(interval === null ? {} : { interval }),
        timezone,
        function: fn,
        dateField,
      };
      const points = await call(telemetryApi.series, { params: { wg }, body }, signal, PATIENCE);
      const rounds = earlier ? 2 : 1;
      const keys = [
        ...streams.map((line, i) => [analysisLineToText(line), i, i + streams.length] as const),
        ...formulas.map(({ key }, i) => {
          const first = rounds * streams.length + i;
          return [key, first, first + formulas.length] as const;
        }),
      ];
      const byLine = keys.map(([key, now, before]) => {
        const pair = { now: points[now] ?? NO_POINTS, before: earlier ? (points[before] ?? null) : null };
        return [key, pair] as const;
      });
      return { span, earlier, points: new Map(byLine) };
    },
    enabled: streamsOf(asked) > 0,
    structuralSharing: false,
    gcTime: 2 * 60_000,
    // The points of the last range stay while new ones come.
    placeholderData: keepPreviousData,
  });

const streamsOf = ({ streams, formulas }: AnalysisRequest) => streams.length + formulas.length;

const NO_STATS = { count: 0, min: null, avg: null, max: null, last: null };
export const NO_POINTS: SeriesPoints = { stepMs: 0, times: [], min: [], avg: [], max: [], stats: NO_STATS };
