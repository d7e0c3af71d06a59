import { type CsvStyle, csvStyle } from '@albedo/contract/csv/csv-style.schema';
import type { NewSearch, SavedSearch, SearchContent } from '@albedo/contract/searches/searches.schema';
import { ANALYSIS_FUNCTIONS, searchContent } from '@albedo/contract/searches/searches.schema';
import type { SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { FIRST_INSTANT, LAST_INSTANT, toInstant } from '@albedo/contract/time/instants';
import {
  anyRangeFromText,
  rangeToText,
  type TimeRange,
  type TimeRangeChoice,
} from '../../ui/time-range/time-range.ts';
import { resolveZone } from '../../ui/time-range/time-zone.ts';

export const TABS = ['table', 'charts', 'analysis', 'csv'] as const;
export type Tab = (typeof TABS)[number];

export type Analysis = SearchContent['analysis'];

/** What somebody looks for, as the page holds it: all of it stands in the address. */
export interface SearchDraft {
  table: string | null;
  time: TimeRangeChoice;
  dateField: string;
  filters: SearchFilter[];
  filterOperator: 'AND' | 'OR';
  sort: string;
  /** Columns of the table, in order; where there is none, all. */
  fields: string[];
  charts: { enabled: boolean; fields: string[] };
  analysis: Analysis;
  /** `style` is that of the files that are mailed. */
  csv: { enabled: boolean; fields: string[]; style: CsvStyle | null };
  tab: Tab;
}

const FIRST_RANGE: TimeRange = { kind: 'preset', preset: 'last-7-days' };
const FIRST_SORT = '-event_time';
const FIRST_ANALYSIS: Analysis = {
  enabled: false,
  field: null,
  interval: 'day',
  type: 'average',
  isPerDevice: false,
};

export const NO_DRAFT: SearchDraft = {
  table: null,
  time: { range: FIRST_RANGE, zone: '', isRefreshing: false },
  dateField: 'event_time',
  filters: [],
  filterOperator: 'AND',
  sort: FIRST_SORT,
  fields: [],
  charts: { enabled: false, fields: [] },
  analysis: FIRST_ANALYSIS,
  csv: { enabled: false, fields: [], style: null },
  tab: 'table',
};

const textIn = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String).slice(0, 200);

/** True where an address says what is looked for, rather than which kept search it is. */
export const isDraftAddress = (search: Record<string, unknown>): boolean => search.table !== undefined;

/** What an address says; anything invalid falls back to its default. */
export function readDraft(search: Record<string, unknown>): SearchDraft {
  const range = anyRangeFromText(search.range) ?? FIRST_RANGE;
  const on = textsIn(search.on);
  const filters = Array.isArray(search.f) ? search.f.filter(isFilterLike) : [];
  return {
    table: textIn(search.table) || null,
    time: {
      range,
      zone: textIn(search.tz),
      isRefreshing: search.live === true && range.kind !== 'absolute',
    },
    dateField: textIn(search.date) || 'event_time',
    filters,
    filterOperator: search.match === 'or' ? 'OR' : 'AND',
    sort: textIn(search.sort) || FIRST_SORT,
    fields: textsIn(search.cols),
    charts: { enabled: on.includes('charts'), fields: textsIn(search.draw) },
    analysis: readAnalysis(search, on.includes('analysis')),
    csv: {
      enabled: on.includes('csv'),
      fields: textsIn(search.csv),
      style: search.file === undefined ? null : (csvStyle.safeParse(search.file).data ?? null),
    },
    tab: TABS.find((one) => one === search.tab) ?? 'table',
  };
}

function readAnalysis(search: Record<string, unknown>, enabled: boolean): Analysis {
  return {
    enabled,
    field: textIn(search.of) || null,
    interval: search.by === 'hour' ? 'hour' : 'day',
    type: ANALYSIS_FUNCTIONS.find((one) => one === search.fn) ?? 'average',
    isPerDevice: search.each === true,
  };
}

/** What is no filter at all is left out; one that is not complete yet stays. */
function isFilterLike(given: unknown): given is SearchFilter {
  if (typeof given !== 'object' || given === null) return false;
  const { field, operator, filters } = given as Record<string, unknown>;
  if (Array.isArray(filters)) return (operator === 'AND' || operator === 'OR') && filters.every(isFilterLike);
  return typeof operator === 'string' && typeof field === 'string';
}

const unless = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);
const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** The other way round; defaults are left out. */
export function writeDraft(draft: SearchDraft): Record<string, unknown> {
  const { time, analysis, charts, csv } = draft;
  const on = (['charts', 'analysis', 'csv'] as const).filter((one) => draft[one].enabled);
  return {
    table: draft.table ?? undefined,
    range: unless(rangeToText(time.range), rangeToText(FIRST_RANGE)),
    tz: time.zone || undefined,
    live: time.isRefreshing || undefined,
    date: unless(draft.dateField, 'event_time'),
    f: some(draft.filters),
    match: draft.filterOperator === 'OR' ? 'or' : undefined,
    sort: unless(draft.sort, FIRST_SORT),
    cols: some(draft.fields),
    on: some(on),
    draw: some(charts.fields),
    of: analysis.field ?? undefined,
    by: unless(analysis.interval, 'day'),
    fn: unless(analysis.type, 'average'),
    each: analysis.isPerDevice || undefined,
    csv: some(csv.fields),
    file: csv.style ?? undefined,
    tab: unless(draft.tab, 'table'),
  };
}

/** As a search is kept. */
export function toNewSearch(draft: SearchDraft, name: string): NewSearch {
  const { time, tab: _tab, charts: visualisation, ...rest } = draft;
  return {
    ...rest,
    name,
    table: draft.table ?? '',
    timeframe: timeframeOf(time.range),
    timezone: zoneKept(time.zone),
    visualisation,
  };
}

/** A kept search as the page holds it. */
export function fromSaved(saved: SavedSearch): SearchDraft {
  const { visualisation: charts, timeframe, timezone, ...kept } = searchContent.parse(saved);
  return {
    ...NO_DRAFT,
    ...kept,
    charts,
    time: { range: rangeOf(timeframe), zone: timezone ?? '', isRefreshing: false },
  };
}

/** A zone that means the same for everybody; null for that of whoever looks. */
const zoneKept = (zone: string): string | null => (zone === '' ? null : resolveZone(zone));

/** As the server takes it: names are cut anew at each run. */
export const timeframeOf = (range: TimeRange): NonNullable<SearchContent['timeframe']> =>
  range.kind === 'absolute' ? { from: range.from, to: range.to } : rangeToText(range);

function rangeOf(timeframe: SearchContent['timeframe']): TimeRange {
  if (timeframe === undefined || typeof timeframe === 'string')
    return anyRangeFromText(timeframe) ?? { kind: 'all' };
  const from = timeframe.from === null ? FIRST_INSTANT : toInstant(timeframe.from, 'UTC');
  const to = timeframe.to === null ? LAST_INSTANT : toInstant(timeframe.to, 'UTC');
  return from === null || to === null ? { kind: 'all' } : { kind: 'absolute', from, to };
}

/** The part that decides which records are found; another tab, column or live view finds no others. */
export const signatureOf = ({
  table,
  time,
  dateField,
  filters,
  filterOperator,
  charts,
  analysis,
}: SearchDraft) =>
  JSON.stringify([
    table,
    rangeToText(time.range),
    time.zone,
    dateField,
    filters,
    filterOperator,
    charts.enabled ? charts.fields : null,
    analysis.enabled ? analysis : null,
  ]);

/** Whether a draft looks for something else, or shows it otherwise, than what is kept. */
export const isChanged = (draft: SearchDraft, saved: SavedSearch): boolean =>
  JSON.stringify(keptPart(draft)) !== JSON.stringify(keptPart(fromSaved(saved)));

const keptPart = (draft: SearchDraft) => toNewSearch(draft, '');
