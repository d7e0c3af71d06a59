import type { z } from 'zod';
import type { Access } from '../access/access.ts';

/** All endpoints lie below this path. */
export const API_PREFIX = '/api/v1';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How many files a form may bring, and how large each and all of them may be, in bytes. */
export interface FileLimits {
  readonly count: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

/** The field of a form that has the file, or the files. Source: specification 2, section 7: one stands in `file`. */
export const fileField = ({ count }: Pick<FileLimits, 'count'>): 'file' | 'files' =>
  count === 1 ? 'file' : 'files';

/**
 * One HTTP endpoint, declared once: the Fastify route, the OpenAPI document, the typed web client and the access
 * tests are made from it. `url` has Fastify's parameter syntax and is relative to `API_PREFIX`.
 *
 * An endpoint without a `response` schema answers a file; `produces` then names its media type. One that `consumes`
 * a form takes the fields of its `body` as text, and files in the field that `fileField` names.
 */
export interface Endpoint {
  readonly method: HttpMethod;
  readonly url: string;
  readonly access: Access;
  /** One sentence for people: what it does. */
  readonly summary: string;
  readonly schema: {
    readonly params?: z.ZodType;
    readonly querystring?: z.ZodType;
    readonly body?: z.ZodType;
    readonly response?: { readonly 200: z.ZodType };
  };
  /** A good request, for the documentation and for tests: what has a body shows one. */
  readonly example?: { readonly query?: unknown; readonly body?: unknown };
  readonly produces?: string;
  /** How long the body may be, where that is more than usual. */
  readonly bodyBytes?: number;
  readonly consumes?: 'multipart/form-data';
  readonly files?: FileLimits;
  /** Requests a minute and client address, where that is fewer than the general limit. */
  readonly ratePerMinute?: number;
  /** Other sites post here through the browser, so no anti-forgery token is asked for; the handler must know why it may. */
  readonly crossSite?: true;
  /** Keeps the telemetry engine busy: so many of a person and a workgroup run at the same time. */
  readonly isQuery?: true;
  /**
   * Changes something of the caller's own account (below `/me/`) that an identity provider may change on its word.
   * Everything else there is refused to the sessions it makes, so that it cannot take over the account.
   */
  readonly evenBySso?: true;
}

type SchemaOf<E extends Endpoint, K extends keyof Endpoint['schema']> = E['schema'][K] extends z.ZodType
  ? E['schema'][K]
  : undefined;

/** What a caller hands over: parameters, query and body as they go in. */
export type EndpointInput<E extends Endpoint> = (SchemaOf<E, 'params'> extends z.ZodType
  ? { params: z.input<SchemaOf<E, 'params'>> }
  : { params?: undefined }) &
  (SchemaOf<E, 'querystring'> extends z.ZodType
    ? { query?: z.input<SchemaOf<E, 'querystring'>> }
    : { query?: undefined }) &
  (SchemaOf<E, 'body'> extends z.ZodType ? { body: z.input<SchemaOf<E, 'body'>> } : { body?: undefined });

/** What the endpoint answers with status 200. */
export type EndpointReply<E extends Endpoint> = E['schema']['response'] extends { readonly 200: infer R }
  ? R extends z.ZodType
    ? z.output<R>
    : never
  : never;

/** A feature's endpoints by name. */
export type Api = Readonly<Record<string, Endpoint>>;
