import { createHmac, timingSafeEqual } from 'node:crypto';
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

/** Who a scroll is for: nobody else can go on with it, or learn from its id what it found. */
export interface ScrollOwner {
  workgroup: string;
  /** The user, or the API token. */
  who: string;
}

/** Characters that the content of an id may have: a search with every limit used. */
const LARGEST = 4_000_000;
/** What is signed says so, since the same secret signs other things. */
const MARK = 'albedo-scroll:1';

/**
 * Pages as the texts that name them. Any process that has the secret can continue a scroll, since everything is in its id;
 * what the caller may see is checked at each page all the same.
 */
export class Scrolls {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  idOf({ query, ...rest }: Omit<ScrollPage, 'query'> & { query: ResolvedQuery }, owner: ScrollOwner): string {
    const { filters, filterOperator, range, dateField, timezone, fields, sort } = query;
    const timeframe = range.from === null && range.to === null ? ALL_TIME : range;
    const kept = { filters, filterOperator, timeframe, dateField, timezone, fields, sort };
    const content = JSON.stringify({ ...rest, query: kept, expiresAt: Date.now() + SCROLL_MS });
    const body = deflateRawSync(content).toString('base64url');
    return `${this.#signature(body, owner).toString('base64url')}.${body}`;
  }

  /** Throws `search.scroll_expired` for an id that is too old, of another table or for somebody else, or none of ours. */
  read(id: string, table: string, owner: ScrollOwner): ScrollPage & { query: SearchQuery } {
    const [signature = '', body = '', ...more] = id.split('.');
    const [given, wanted] = [Buffer.from(signature, 'base64url'), this.#signature(body, owner)];
    const isOurs = more.length === 0 && given.length === wanted.length && timingSafeEqual(given, wanted);
    if (!isOurs) throw new AppError('search.scroll_expired');
    const bytes = inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: LARGEST });
    const read = page.safeParse(JSON.parse(bytes.toString()));
    if (!read.success || read.data.table !== table || read.data.expiresAt < Date.now())
      throw new AppError('search.scroll_expired');
    return read.data;
  }

  #signature(body: string, { workgroup, who }: ScrollOwner): Buffer {
    const signed = JSON.stringify([MARK, workgroup, who, body]);
    return createHmac('sha256', this.#secret).update(signed).digest();
  }
}
