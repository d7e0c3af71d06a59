import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ALL_TIME, SCROLL_MS, type SearchQuery, searchQuery } from '@albedo/contract/telemetry/search.schema';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import type { ResolvedQuery } from './telemetry.query.ts';

const page = z.object({
  table: z.string(),
  query: searchQuery,
  rows: z.number().int().min(1).max(10_000),
  from: z.array(z.union([z.string(), z.number(), z.null()])),
  totalRecords: z.number(),
  expiresAt: z.number(),
});

/** The next page of a search. */
export type ScrollPage = Omit<z.output<typeof page>, 'expiresAt'>;

/**
 * The page as the text that names it. Any process can continue a scroll, since everything is in its id; what the caller
 * may see is checked at each page, so an id that somebody wrote themselves opens nothing.
 */
export function scrollId({ query, ...rest }: Omit<ScrollPage, 'query'> & { query: ResolvedQuery }): string {
  const { filters, filterOperator, range, dateField, timezone, fields, sort } = query;
  const timeframe = range.from === null && range.to === null ? ALL_TIME : range;
  const kept = { filters, filterOperator, timeframe, dateField, timezone, fields, sort };
  const content = JSON.stringify({ ...rest, query: kept, expiresAt: Date.now() + SCROLL_MS });
  return deflateRawSync(content).toString('base64url');
}

/** Characters that the content of an id may have: a search with every limit used. */
const LARGEST = 4_000_000;

/** Throws `search.scroll_expired` for an id that is too old, of another table, or none. */
export function readScrollId(id: string, table: string): ScrollPage & { query: SearchQuery } {
  let content: unknown;
  try {
    const bytes = inflateRawSync(Buffer.from(id, 'base64url'), { maxOutputLength: LARGEST });
    content = JSON.parse(bytes.toString());
  } catch {
    // Not one of ours.
    throw new AppError('search.scroll_expired');
  }
  const read = page.safeParse(content);
  if (!read.success || read.data.table !== table || read.data.expiresAt < Date.now()) {
    throw new AppError('search.scroll_expired');
  }
  return read.data;
}
