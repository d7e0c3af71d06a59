import { Readable } from 'node:stream';
import type { Access, Who } from '@albedo/contract/access/access';
import { API_PREFIX, type Api, type Endpoint, type EndpointReply } from '@albedo/contract/http/endpoint';
import { demandedBody, demandedQuery } from '@albedo/contract/http/query';
import { IDLE_HEADER } from '@albedo/contract/sessions/idle';
import type { SessionClaims, TokenHolder } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { demandAccess, demandFresh } from '../access/check.ts';
import { type DeviceScope, NO_DEVICES } from '../access/device-scope.ts';
import { bearerToken, type DisplayCaller, type Guard } from '../access/guard.ts';
import { AppError } from '../errors/app-error.ts';
import { checkCsrf, checkFetchSite } from './csrf.ts';
import type { Settled } from './settled.ts';

declare module 'fastify' {
  interface FastifyInstance {
    guard: Guard;
    settled: Settled;
  }
  interface FastifyRequest {
    session: SessionClaims | null;
    holder: TokenHolder | null;
    /** Set with the session, where the path names a workgroup. */
    scope: DeviceScope | null;
    /** The display link that calls, where it is one. */
    display: DisplayCaller | null;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** The reply is answered as it is, without a pass through its schema. */
    trusted?: boolean;
  }
}

export type Parsed<E extends Endpoint, K extends keyof Endpoint['schema']> =
  E['schema'] extends Record<K, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

/** What a handler is given: everything checked. `workgroup` is empty where the path names none. */
export interface Call<E extends Endpoint = Endpoint> {
  params: Parsed<E, 'params'>;
  query: Parsed<E, 'querystring'>;
  /** Undefined where the endpoint takes a form, which `receiveForm` reads. */
  body: E extends { consumes: string } ? undefined : Parsed<E, 'body'>;
  session: SessionClaims | null;
  /** Whose token it is, also where the token is no session. */
  holder: TokenHolder | null;
  workgroup: string;
  /** The devices of the workgroup that exist for the caller; none where the call has no session or no workgroup. */
  scope: DeviceScope;
  /** Aborted when the client hangs up before the answer. */
  signal: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answer<E extends Endpoint> = E extends { produces: string }
  ? Readable | Buffer
  : EndpointReply<E> | Readable;

export type Handlers<A extends Api> = {
  [K in keyof A]: (call: Call<A[K]>) => Answer<A[K]> | Promise<Answer<A[K]>>;
};

/**
 * Registers the endpoints of a feature with their validation, access check and documentation.
 *
 * `trusted` names endpoints whose reply skips the schema on its way out (large lists; a test holds them to it).
 * Throws when an endpoint declares no access or has no handler.
 */
export function bind<A extends Api>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A>,
  { trusted = [] }: { trusted?: (keyof A)[] } = {},
): void {
  for (const [name, endpoint] of Object.entries(api) as [keyof A & string, A[keyof A]][]) {
    const handler = handlers[name] as unknown as ((call: Call) => unknown) | undefined;
    if (!handler) throw new Error(`The endpoint ${endpoint.method} ${endpoint.url} has no handler.`);
    app.route(routeOf(app, endpoint, handler, trusted.includes(name)));
  }
}

const WHO_KINDS: readonly Who['kind'][] = [
  'public',
  'signedIn',
  'member',
  'can',
  'commands',
  'staff',
  'addonManager',
  'apiToken',
  'enrolment',
  'display',
  'oneTimeCode',
  'enrolling',
];

function routeOf(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: (call: Call) => unknown,
  trusted: boolean,
): RouteOptions {
  const access: Access | undefined = endpoint.access;
  if (!access?.who || !WHO_KINDS.includes(access.who.kind)) {
    throw new Error(`The endpoint ${endpoint.method} ${endpoint.url} declares no access.`);
  }
  const query = demandedQuery(endpoint);
  const body = endpoint.consumes ? undefined : demandedBody(endpoint);
  return {
    method: endpoint.method,
    url: API_PREFIX + endpoint.url,
    ...(endpoint.bodyBytes === undefined ? {} : { bodyLimit: endpoint.bodyBytes }),
    schema: {
      ...withoutBody(endpoint.schema),
      ...(body ? { body } : {}),
      ...(query ? { querystring: query } : {}),
      summary: endpoint.summary,
    },
    config: {
      endpoint,
      trusted,
      ...(endpoint.ratePerMinute
        ? { rateLimit: { max: endpoint.ratePerMinute, timeWindow: 60_000, groupId: endpoint.url } }
        : {}),
    },
    // After the rate limit (an onRequest hook), before a byte of the body is read.
    preParsing: async (request, reply, payload) => {
      await authorize(app.guard, endpoint, request);
      demandQuota(app.guard, endpoint, request, reply);
      // A browser sends no pack token, API token or display token by itself, so nobody can forge a request with one.
      const isToken = access.who.kind === 'enrolment' || access.who.kind === 'display';
      const isForgeable = !isToken && !request.session?.apiToken;
      if (endpoint.method !== 'GET' && isForgeable && !endpoint.crossSite) checkCsrf(request);
      return payload;
    },
    preHandler: recheckAccess,
    handler: async (request, reply) => {
      const call: Call = {
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
        session: request.session,
        holder: request.holder,
        workgroup: workgroupOf(request) ?? '',
        scope: request.scope ?? NO_DEVICES,
        signal: hangUpSignal(reply),
        request,
        reply,
      };
      const result = await app.settled(() => handler(call));
      if (endpoint.produces && !reply.hasHeader('content-type')) reply.type(withCharset(endpoint.produces));
      if (result instanceof Readable) return reply.send(result);
      return trusted ? reply.type('application/json; charset=utf-8').send(JSON.stringify(result)) : result;
    },
  };
}

/** A media type of texts says how its characters are written. */
const withCharset = (type: string): string =>
  /^text\/|[+/]xml$/.test(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type;

/** The fields of a form arrive between its files, so they are checked when all of it is there. */
const withoutBody = ({ body: _body, ...schema }: Endpoint['schema']): Endpoint['schema'] => schema;

/**
 * The access check once more, for a request whose body took its time: what ended or narrowed the session meanwhile
 * counts. Forms are read by their handlers, which ask for it themselves. Throws as the first check did.
 */
export async function recheckAccess(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  // A one-time token is taken where it is used.
  if (!endpoint || endpoint.method === 'GET' || endpoint.access.who.kind === 'enrolment') return;
  await authorize(request.server.guard, endpoint, request);
}

/** Sets `request.session` and `request.holder`; throws when the caller may not use the endpoint. */
async function authorize(guard: Guard, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const { access } = endpoint;
  const { kind } = access.who;
  if (kind === 'public') return;
  checkFetchSite(request);
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw new AppError('request.unauthorized');
  if (kind === 'enrolment') return guard.enrolment(token);
  if (kind === 'display') {
    request.display = await guard.display(token, request.ip);
    return;
  }
  if (kind === 'oneTimeCode' || kind === 'enrolling') {
    const holder = await guard[kind](token);
    request.holder = holder;
    demandOwnSignIn(endpoint, request);
    // A token that is good for nothing else was made for a password a few minutes ago.
    if ('scopes' in holder) demandFresh(access, holder, request.body);
    return;
  }

  request.session = await guard.session(token);
  request.holder = request.session;
  const { ip: address, headers } = request;
  const use = { address, agent: headers['user-agent'] ?? '', isByHand: headers[IDLE_HEADER] === undefined };
  await guard.use(request.session, use);
  demandOwnSignIn(endpoint, request);
  const { params, body, session } = request;
  request.scope = await demandAccess(guard, access, {
    session,
    workgroup: workgroupOf(request),
    params,
    body,
    device: (params as { device?: string }).device,
  });
}

/** Counts the request, and one that keeps the engine busy until it is answered. Throws `request.quota`. */
function demandQuota(
  { quotas }: Guard,
  { isQuery }: Endpoint,
  request: FastifyRequest,
  { raw }: FastifyReply,
): void {
  // What a display asks counts for whoever made its link.
  const session = request.session ?? request.display?.session;
  if (!session) return;
  const workgroup = request.display?.workgroup ?? workgroupOf(request);
  quotas.request(session, workgroup);
  if (isQuery) raw.once('close', quotas.hold('queries', session, workgroup));
}

/** Throws `session.from_provider` for what only the person may do, not the operator of the identity provider. */
function demandOwnSignIn({ method, url, evenBySso }: Endpoint, { holder }: FastifyRequest): void {
  const isBySso = holder !== null && 'idpId' in holder && holder.idpId !== undefined;
  if (isBySso && method !== 'GET' && url.startsWith('/me/') && !evenBySso)
    throw new AppError('session.from_provider');
}

function workgroupOf(request: FastifyRequest): string | null {
  return (request.params as { wg?: string } | undefined)?.wg ?? null;
}

function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
