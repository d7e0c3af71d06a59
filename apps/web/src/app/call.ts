import {
  type Endpoint,
  type EndpointInput,
  type EndpointReply,
  fileField,
} from '@albedo/contract/http/endpoint';
import type { RequestIssue } from '@albedo/contract/http/issues';
import { XSRF_COOKIE, XSRF_HEADER } from '@albedo/contract/http/xsrf';
import { FRONTEND_VERSION, FRONTEND_VERSION_HEADER } from '@albedo/contract/product';
import { IDLE_HEADER } from '@albedo/contract/sessions/idle';
import type { ConfirmFactor } from '@albedo/contract/sessions/sessions.schema';
import { isIdle } from './activity.ts';
import { readCookie } from './cookies.ts';
import { demandDeclared } from './declared-bodies.ts';
import { type Asking, HttpError, http, TimedOut } from './http.ts';
import { failureInWords } from './i18n.ts';
import { doubtReach } from './reach.ts';
import { readRefusal } from './refusal.ts';
import { bearerToken, signOut } from './session.ts';
import { requireUpdate } from './update.ts';

/** What went wrong with a call: the HTTP status (-1 where there is none) and a sentence for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  /** Stable name of the failure from the contract's catalogue, where the server gave one. */
  readonly error: string | null;
  /** What the sentence names. */
  readonly facts: Readonly<Record<string, string>>;
  /** What is wrong with which field. */
  readonly issues: readonly RequestIssue[];
  /** The sentence is the server's, not one of ours for a server that said nothing. */
  readonly isOfServer: boolean;

  constructor(
    code: number,
    message: string,
    error: string | null = null,
    facts: Readonly<Record<string, string>> = {},
    issues: readonly RequestIssue[] = [],
    isOfServer = false,
  ) {
    super(message);
    this.code = code;
    this.error = error;
    this.facts = facts;
    this.issues = issues;
    this.isOfServer = isOfServer;
  }
}

const SIGN_IN_URL = '/auth/local';
const STATUS_TEXTS: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
};

/** Names, for other languages, of what fails without a name from the server. */
export const NAMELESS_FAILURES: Readonly<Record<string, string>> = {
  Unauthorized: 'request.unauthorized',
  Forbidden: 'request.forbidden',
  'Not found': 'request.not_found',
  Conflict: 'request.conflict',
  'Request timed out': 'client.timed_out',
  'The server cannot be reached. Check the connection and try again.': 'client.unreachable',
  'Unknown error': 'client.unknown',
  'Could not reset password.': 'client.reset_failed',
  'Request failed with status code {status}': 'client.status',
};

/**
 * Calls an endpoint of the contract and answers its reply.
 *
 * Errors: every failure is an `ApiError`, except an abort through `signal`. A 401 from anything but the sign-in ends
 * the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
  patience?: Patience,
): Promise<EndpointReply<E>> {
  const response = await send(endpoint, input, signal, patience);
  return read<EndpointReply<E>>(() => response.json());
}

/** How long a call waits for its answer, where that is not as usual. */
export interface Patience extends Pick<Asking, 'timeout' | 'retry'> {
  /** The call is made with this token, not with that of the session. */
  token?: string;
}

/** Calls an endpoint that answers a file; `name` is the one the server suggests. */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
): Promise<{ blob: Blob; name: string | null }> {
  const response = await send(endpoint, input, signal, LONG);
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
  return { blob: await read(() => response.blob()), name };
}

/** Calls an endpoint that takes a form: the fields of its body, and files. Takes as long as the connection needs. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  files: readonly File[],
  signal?: AbortSignal,
): Promise<EndpointReply<E>> {
  const { body, ...address } = input as LooseInput;
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {}))
    if (value !== undefined && value !== null) form.append(name, String(value));
  const field = fileField(endpoint.files ?? { count: files.length });
  for (const file of files) form.append(field, file, file.name);
  const response = await send(endpoint, { ...address, form }, signal, LONG);
  return read<EndpointReply<E>>(() => response.json());
}

/** Files take as long as the line needs. */
const LONG: Patience = { timeout: 300_000 };

async function send(
  endpoint: Endpoint,
  input: LooseInput,
  signal?: AbortSignal,
  patience?: Patience,
): Promise<Response> {
  try {
    return await attemptTwice(endpoint, input, signal, patience);
  } catch (error) {
    if (error instanceof ApiError && error.error === 'approval.needed') {
      if (hearOfApproval) hearOfApproval({ endpoint, input });
      else if (isAskerComing) unheard = { endpoint, input };
    }
    throw await inUsersLanguage(error);
  }
}

/** Asks the person to confirm that it is them, with one of these where not all will do; false when they do not. */
type Confirm = (only?: readonly ConfirmFactor[]) => Promise<boolean>;

/** Refusals that a confirmation mends, with what it takes. */
const MENDED_BY = new Map<string, readonly ConfirmFactor[] | undefined>([
  ['session.not_fresh', undefined],
  ['shell.second_factor_needed', ['totp', 'passkey', 'sso']],
  ['shell.passkey_needed', ['passkey']],
]);

let askToConfirm: Confirm | null = null;
let asking: Promise<boolean> | null = null;

/** Those who ask come after the first screen. A call that is refused before that waits for them no longer than this, ms. */
const ASKER_LATEST_MS = 15_000;
let isAskerComing = false;
let awaiting: ((ask: Confirm) => void)[] = [];
let unheard: RefusedCall | null = null;

/** Says that those who ask (`onNotFresh`, `onApprovalNeeded`) are on their way. The answer takes it back. */
export function expectAsker(): () => void {
  isAskerComing = true;
  return () => {
    isAskerComing = false;
    unheard = null;
  };
}

function asker(): Promise<Confirm | null> | Confirm | null {
  if (askToConfirm || !isAskerComing) return askToConfirm;
  return new Promise((resolve) => {
    awaiting.push(resolve);
    setTimeout(() => resolve(null), ASKER_LATEST_MS);
  });
}

/**
 * Sets what asks when the server wants the second factor or the password again (`session.not_fresh`); the call is
 * made again afterwards. The answer stops it.
 */
export function onNotFresh(ask: Confirm): () => void {
  askToConfirm = ask;
  for (const resolve of awaiting) resolve(ask);
  awaiting = [];
  return () => {
    if (askToConfirm === ask) askToConfirm = null;
  };
}

/** A call that the server refused, with what it was given. */
export interface RefusedCall {
  endpoint: Endpoint;
  input: LooseInput;
}

let hearOfApproval: ((refused: RefusedCall) => void) | null = null;

/** Sets who hears of calls that wait for the approval of a second person (`approval.needed`). The answer stops it. */
export function onApprovalNeeded(hear: (refused: RefusedCall) => void): () => void {
  hearOfApproval = hear;
  if (unheard) hear(unheard);
  unheard = null;
  return () => {
    if (hearOfApproval === hear) hearOfApproval = null;
  };
}

const confirm = async (only?: readonly ConfirmFactor[]) => (await (await asker())?.(only)) ?? false;

/** Calls that are refused at the same time wait for the same answer. */
function isConfirmed(only?: readonly ConfirmFactor[]): Promise<boolean> {
  asking ??= confirm(only).finally(() => {
    asking = null;
  });
  return asking;
}

/** What was confirmed may not be enough: then what will do is asked for. */
async function attemptTwice(...call: Parameters<typeof attempt>): Promise<Response> {
  try {
    return await attempt(...call);
  } catch (error) {
    const name = error instanceof ApiError ? (error.error ?? '') : '';
    if (MENDED_BY.has(name) && (await isConfirmed(MENDED_BY.get(name)))) {
      try {
        return await attempt(...call);
      } catch (again) {
        const only = again instanceof ApiError ? MENDED_BY.get(again.error ?? '') : undefined;
        if (!only || !(await isConfirmed(only))) throw again;
        return attempt(...call);
      }
    }
    if (!(error instanceof ApiError && error.code === 403 && /csrf/i.test(error.message))) throw error;
    await fetchXsrfCookie();
    return attempt(...call);
  }
}

/** The body of an answer, which may break off or come from another server. */
async function read<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw await inUsersLanguage(await toApiError(error));
  }
}

/** The same failure, with its sentence in the user's language where there is one. */
async function inUsersLanguage(failure: unknown): Promise<unknown> {
  if (!(failure instanceof ApiError)) return failure;
  const { message, facts, issues } = failure;
  const error = failure.error ?? NAMELESS_FAILURES[message];
  failure.message = await failureInWords({ message, error, facts, issues });
  return failure;
}

async function attempt(
  endpoint: Endpoint,
  input: LooseInput,
  signal: AbortSignal | undefined,
  patience: Patience | undefined,
): Promise<Response> {
  const changes = endpoint.method !== 'GET';
  if (changes && readCookie(XSRF_COOKIE) === null) await fetchXsrfCookie();
  if (import.meta.env.DEV) demandDeclared(endpoint, input.body);
  const headers: Record<string, string> = {};
  const { token = bearerToken(), ...how } = patience ?? {};
  if (token) headers.authorization = `Bearer ${token}`;
  if (isIdle()) headers[IDLE_HEADER] = '1';
  const antiForgery = readCookie(XSRF_COOKIE);
  if (antiForgery !== null) headers[XSRF_HEADER] = antiForgery;
  try {
    const response = await http(pathOf(endpoint, input.params), {
      method: endpoint.method,
      headers,
      ...(input.query === undefined ? {} : { search: searchOf(input.query) }),
      ...(input.body === undefined ? {} : { json: input.body }),
      ...(input.form ? { form: input.form } : {}),
      ...(signal ? { signal } : {}),
      ...how,
    });
    noticeVersion(response);
    return response;
  } catch (error) {
    throw await toApiError(error, endpoint, token);
  }
}

interface LooseInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  form?: FormData;
}

function pathOf(endpoint: Endpoint, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return path.slice(1);
}

/** Objects travel as JSON, lists as the same parameter several times, undefined not at all. */
function searchOf(query: unknown): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, unknown>))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  return search;
}

async function fetchXsrfCookie(): Promise<void> {
  try {
    noticeVersion(await http('version'));
  } catch (error) {
    throw await toApiError(error);
  }
}

/** `token` is the one that a call of an endpoint carried. */
async function toApiError(
  error: unknown,
  endpoint: Endpoint | null = null,
  token: string | null = null,
): Promise<unknown> {
  if (error instanceof HttpError) {
    noticeVersion(error.response);
    const failure = failureOf(error.response.status, error.data);
    // A late answer to an earlier token says nothing about the person who signed in since.
    const isOfNow = token === bearerToken();
    if (failure.code === 401 && endpoint && endpoint.url !== SIGN_IN_URL && isOfNow) signOut('expired');
    return failure;
  }
  if (error instanceof TimedOut) return new ApiError(-1, 'Request timed out');
  if (error instanceof Error && error.name === 'AbortError') return error;
  if (error instanceof ApiError) return error;
  if (error instanceof SyntaxError) return new ApiError(-1, 'Unknown error');
  void doubtReach();
  const failure = new ApiError(-1, 'The server cannot be reached. Check the connection and try again.');
  failure.cause = error;
  return failure;
}

/** Source of the words: specification 1, section 8. */
function failureOf(status: number, data: unknown): ApiError {
  const refusal = readRefusal(data);
  const isNamed = refusal !== null && typeof data === 'object';
  if (isNamed)
    return new ApiError(status, refusal.message, refusal.error, refusal.facts, refusal.issues, true);
  const known = STATUS_TEXTS[status];
  if (known) return new ApiError(status, known);
  const code = status === 500 ? 500 : -1;
  const facts = { status: String(status) };
  if (data === undefined || data === null || data === '')
    return new ApiError(code, `Request failed with status code ${status}`, 'client.status', facts);
  if (refusal === null) return new ApiError(code, 'Unknown error', null, facts);
  return new ApiError(code, refusal.message, null, facts, [], true);
}

function noticeVersion(response: Response): void {
  const version = response.headers.get(FRONTEND_VERSION_HEADER);
  if (version !== null && version !== FRONTEND_VERSION) requireUpdate();
}
