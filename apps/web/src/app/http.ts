import { API_PREFIX } from '@albedo/contract/http/endpoint';

/** An unsuccessful answer; `data` is its body, parsed if it is JSON, undefined if it is empty. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly response: Response;
  readonly data: unknown;

  constructor(response: Response, data: unknown) {
    super(`Request failed with status code ${response.status}`);
    this.response = response;
    this.data = data;
  }
}

/** No answer came in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  search?: URLSearchParams;
  json?: unknown;
  form?: FormData;
  signal?: AbortSignal;
  /** How long one attempt may take, ms; false for no limit. */
  timeout?: number | false;
  /** Further attempts; the longest pause before one, ms. */
  retry?: { limit: number; backoffLimit: number };
}

/** Numbers of the specification, document 1, section 9. */
const TIMEOUT_MS = 10_000;
/** The longest timeout of a browser, ms; a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647;
const AGAIN = { limit: 2, backoffLimit: Number.POSITIVE_INFINITY };
const FIRST_PAUSE_MS = 300;
const SAFE_TO_REPEAT = new Set(['GET', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);
const BUSY = new Set([408, 413, 429, 500, 502, 503, 504]);
/** Statuses that may name a time to retry; a 413 is only retried if it does. */
const NAMES_TIME = new Set([413, 429, 503]);

/**
 * Calls the server's API, and retries if the server was busy or unreachable and a second call does no harm.
 *
 * Errors: `HttpError`, `TimedOut`, the reason of the signal, and what `fetch` throws if the server cannot be reached.
 */
export async function http(path: string, request: Asking = {}): Promise<Response> {
  const { limit, backoffLimit } = request.retry ?? AGAIN;
  const isSafe = SAFE_TO_REPEAT.has(request.method ?? 'GET');
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(path, request);
    } catch (error) {
      const pauseMs = attempt <= limit && isSafe ? pauseBefore(attempt, error, backoffLimit) : null;
      if (pauseMs === null) throw error;
      await wait(pauseMs, request.signal);
    }
  }
}

async function once(path: string, request: Asking): Promise<Response> {
  const { method = 'GET', headers, search, json, form, signal, timeout = TIMEOUT_MS } = request;
  const url = new URL(`${API_PREFIX}/${path}`, window.location.origin);
  if (search) url.search = search.toString();
  const stop = new AbortController();
  const sent = new Request(url, {
    method,
    headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    body: json === undefined ? (form ?? null) : JSON.stringify(json),
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
  });
  let isLate = false;
  const end = () => {
    isLate = true;
    stop.abort();
  };
  const timer = timeout === false ? undefined : setTimeout(end, Math.min(timeout, LONGEST_MS));
  try {
    const response = await fetch(sent);
    if (response.ok) return response;
    throw new HttpError(response, await dataOf(response));
  } catch (error) {
    throw isLate ? new TimedOut() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The body of a failed answer; undefined if it breaks off. */
async function dataOf(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '');
  if (text === '' || !/\bjson\b/.test(response.headers.get('content-type') ?? '')) return text || undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How long to wait before the next attempt, ms; null for no further attempt. */
function pauseBefore(attempt: number, error: unknown, longestMs: number): number | null {
  const usual = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), longestMs);
  if (!(error instanceof HttpError)) return error instanceof TypeError ? usual : null;
  const { status, headers } = error.response;
  if (!BUSY.has(status)) return null;
  const pause = NAMES_TIME.has(status) ? timeIn(headers.get('retry-after')) : null;
  if (pause === null) return status === 413 ? null : usual;
  // Nobody waits longer for a retry than for an answer: a longer pause shows the failure at once.
  return pause > TIMEOUT_MS ? null : Math.max(0, pause);
}

/** The delay that the server names, ms; null if it names none. */
function timeIn(text: string | null): number | null {
  if (text === null) return null;
  const pause = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(pause) ? null : pause;
}

function wait(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give);
      resolve();
    }, pauseMs);
    if (signal?.aborted) give();
    signal?.addEventListener('abort', give, { once: true });
  });
}
