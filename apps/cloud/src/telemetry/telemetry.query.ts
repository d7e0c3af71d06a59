import { ALL_TIME, type SearchQuery } from '@albedo/contract/telemetry/search.schema';
import { toInstant } from '@albedo/contract/time/instants';
import { spanOf } from '@albedo/contract/time/presets';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import { invalid } from '../errors/request-issues.ts';

/** Epoch ms; `from` is included, `to` is not; null for an open end. */
export interface Range {
  from: number | null;
  to: number | null;
}

/** What a search asks for, with its timeframe as instants. */
export interface ResolvedQuery extends Omit<SearchQuery, 'timeframe'> {
  range: Range;
}

/** Throws `request.invalid` for a zone that does not exist, and for a timeframe that is none or is reversed. */
export function resolveQuery({ timeframe, ...query }: SearchQuery, now = Date.now()): ResolvedQuery {
  const { timezone } = query;
  if (!isTimeZone(timezone)) throw invalid('issue.zone_unknown', { zone: timezone }, 'timezone');
  return { ...query, range: rangeOf(timeframe, now, timezone) };
}

function rangeOf(timeframe: SearchQuery['timeframe'], now: number, zone: string): Range {
  if (timeframe === undefined || timeframe === ALL_TIME) return { from: null, to: null };
  if (typeof timeframe === 'string') return spanOf(timeframe, now, zone) ?? { from: null, to: null };
  const { from, to } = { from: endOf(timeframe.from, 'from', zone), to: endOf(timeframe.to, 'to', zone) };
  if (from !== null && to !== null && from >= to) throw invalid('issue.end_first', {}, 'timeframe');
  return { from, to };
}

function endOf(given: string | number | null, name: string, zone: string): number | null {
  if (given === null) return null;
  const at = toInstant(given, zone);
  if (at === null)
    throw invalid('issue.instant', { value: String(given).slice(0, 100) }, `timeframe.${name}`);
  return at;
}
