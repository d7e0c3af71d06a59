import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { type SearchDraft, timeframeOf } from './search-draft.ts';
import type { SearchParams } from './searches.queries.ts';

/** A record as the server answers it. */
export type Found = Record<string, string | number | null>;

/** The zone that the times of a search are read and shown in. */
export const zoneOf = ({ time }: Pick<SearchDraft, 'time'>): string => resolveZone(time.zone);

/** The part of a question that says which records are meant. */
export function baseQuery(draft: SearchDraft): SearchParams {
  const { filters, filterOperator, dateField, time } = draft;
  const timeframe = timeframeOf(time.range);
  return {
    filters,
    filterOperator,
    dateField,
    timezone: zoneOf(draft),
    timeframe: typeof timeframe === 'string' ? timeframe : JSON.stringify(timeframe),
  };
}

/** What identifies a record among all of its table. */
export const recordId = ({ device, source, event_time, msg_id }: Found): string =>
  JSON.stringify([device, source, event_time, msg_id]);

const NUMBERS: readonly string[] = ['decimal', 'integer', 'bool'];

/** Names of the fields that can be drawn. */
export const numericFields = (info: TableInfo | undefined): string[] =>
  (info?.fields ?? [])
    .filter(({ name, type }) => NUMBERS.includes(type) && name !== 'msg_id')
    .map(({ name }) => name);

/** Names of the fields that hold instants; those that the cloud writes come last. */
export const dateFields = (info: TableInfo | undefined): string[] =>
  (info?.fields ?? []).filter(({ type }) => type === 'date').map(({ name }) => name);
