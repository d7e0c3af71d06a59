import { isInterval } from '@albedo/contract/telemetry/intervals';
import { SERIES_FUNCTIONS, type SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import { LAYOUTS, type Layout } from '../../app/series/chart-layout.ts';
import { COMPARISONS, type Comparison } from '../../app/series/earlier.ts';
import {
  rangeFromText,
  rangeToText,
  type TimeRange,
  type TimeRangeChoice,
} from '../../ui/time-range/time-range.ts';
import { type AnalysisLine, analysisLineFromText, analysisLineToText } from './analysis-lines.ts';

export const VIEWS = ['line', 'column', 'scatter', 'heat', 'distribution', 'duration'] as const;
export type View = (typeof VIEWS)[number];

/** What the analysis page shows. */
export interface AnalysisAddress {
  lines: AnalysisLine[];
  time: TimeRangeChoice;
  layout: Layout;
  view: View;
  /** Of a scatter chart: the line along its bottom, as a text; null for the first one. */
  x: string | null;
  /** `auto` shows what the pixels can, `raw` every value, `all` even very many; else a calendar interval. */
  interval: string;
  fn: SeriesFunction;
  compare: Comparison | null;
  /** Powers as a part of the rated power. */
  isNormalised: boolean;
  hasClearSky: boolean;
  /** What axes show at most, in base units. */
  min: number | null;
  max: number | null;
  dateField: string;
  /** Where the crosshair is pinned, epoch ms. */
  cursor: number | null;
  /** Gaps of the ledger and entries of the audit log stand in the charts. */
  hasMarks: boolean;
}

/** Lines of one request at most; the contract allows no more. */
export const MOST_LINES = 50;
export const FIRST_RANGE: TimeRange = { kind: 'preset', preset: 'last-day' };
export const EVENT_TIME = 'event_time';

/** What an address says; anything invalid falls back to its default. */
export function readAddress(search: Record<string, unknown>): AnalysisAddress {
  const texts = Array.isArray(search.line) ? search.line : [search.line];
  const lines = texts.map(analysisLineFromText).filter((line) => line !== null);
  const range = rangeFromText(search.range) ?? FIRST_RANGE;
  const { every } = search;
  const interval = typeof every === 'string' && (every === 'raw' || every === 'all' || isInterval(every));
  const cursor = typeof search.at === 'string' ? Date.parse(search.at) : Number.NaN;
  return {
    lines: lines.slice(0, MOST_LINES),
    time: {
      range,
      zone: typeof search.tz === 'string' ? search.tz : '',
      isRefreshing: search.live === true && range.kind !== 'absolute',
    },
    layout: oneOf(LAYOUTS, search.layout) ?? 'unit',
    view: oneOf(VIEWS, search.as) ?? 'line',
    x: analysisLineFromText(search.x) ? (search.x as string) : null,
    interval: interval ? (every as string) : 'auto',
    fn: oneOf(SERIES_FUNCTIONS, search.fn) ?? 'average',
    compare: oneOf(COMPARISONS, search.compare) ?? null,
    isNormalised: search.rated === true,
    hasClearSky: search.sky === true,
    min: numberIn(search.min),
    max: numberIn(search.max),
    dateField: typeof search.date === 'string' && search.date !== '' ? search.date : EVENT_TIME,
    cursor: Number.isFinite(cursor) ? cursor : null,
    hasMarks: search.marks !== false,
  };
}

/** The other way round; defaults are left out. */
export function writeAddress(address: AnalysisAddress): Record<string, unknown> {
  const { lines, time, layout, view, x, interval, fn, compare, min, max, dateField, cursor } = address;
  const range = rangeToText(time.range);
  return {
    ...(lines.length === 0 ? {} : { line: lines.map(analysisLineToText) }),
    ...(range === rangeToText(FIRST_RANGE) ? {} : { range }),
    ...(time.zone === '' ? {} : { tz: time.zone }),
    ...(time.isRefreshing ? { live: true } : {}),
    ...(layout === 'unit' ? {} : { layout }),
    ...(view === 'line' ? {} : { as: view }),
    ...(x === null ? {} : { x }),
    ...(interval === 'auto' ? {} : { every: interval }),
    ...(fn === 'average' ? {} : { fn }),
    ...(compare === null ? {} : { compare }),
    ...(address.isNormalised ? { rated: true } : {}),
    ...(address.hasClearSky ? { sky: true } : {}),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(dateField === EVENT_TIME ? {} : { date: dateField }),
    ...(cursor === null ? {} : { at: new Date(cursor).toISOString() }),
    ...(address.hasMarks ? {} : { marks: false }),
  };
}

const oneOf = <T extends string>(all: readonly T[], given: unknown): T | undefined =>
  all.find((one) => one === given);

const numberIn = (given: unknown): number | null =>
  typeof given === 'number' && Number.isFinite(given) ? given : null;
