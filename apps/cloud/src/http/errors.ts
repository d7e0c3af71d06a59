import { speakPlainly } from '@albedo/contract/http/issues';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError } from '../errors/app-error.ts';
import { pathForLog } from '../errors/plain.ts';
import { eachKey, invalid, ownFailure, requestIssues } from '../errors/request-issues.ts';

// Before the first request: people read what schemas find wrong.
speakPlainly();

/** The one place that turns failures into HTTP answers: `{code, message, error}`. */
export function handleError(failure: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(failure, request);
  const log = { err: failure, error: known.error, facts: known.facts };
  if (hasLeft(failure, request)) request.log.debug(log, 'left before the answer was there');
  else if (known.error === 'server.failed') request.log.error(log, 'request failed');
  else if (known.status >= 500) request.log.warn(log, known.message);
  else if (known.status === 400)
    request.log.info({ error: known.error, facts: known.facts, ...whoAsked(request) }, 'refused input');
  else if (REFUSALS.has(known.status)) request.log.info({ ...log, ...whoAsked(request) }, known.message);
  else request.log.debug(log, known.message);

  const { retryAfterS } = known.facts;
  if (typeof retryAfterS === 'number') reply.header('retry-after', Math.ceil(retryAfterS));
  return reply.status(known.status).type('application/json; charset=utf-8').send(JSON.stringify(known.body));
}

/** Whoever asked is gone, which ends what was being read for them: no failure of ours. */
const hasLeft = (failure: unknown, { raw }: FastifyRequest): boolean =>
  raw.socket?.destroyed &&
  failure instanceof Error &&
  /\babort|premature close/i.test(`${failure.name} ${failure.message}`);

/** Who is not let in, may not do something, or tries too often: somebody may want to know. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

const whoAsked = (request: FastifyRequest) => ({
  method: request.method,
  url: pathForLog(request.url),
  address: request.ip,
  userId: request.session?._id,
});

/** An address that the router cannot read never comes to a route, and is answered as everything else. */
export function refuseAddress(failure: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const isLong = failure.code === 'FST_ERR_MAX_PARAM_LENGTH';
  handleError(isLong ? new AppError('request.not_found') : invalid('issue.address'), request, reply);
}

/** The failure as one of the catalogue; whatever is unknown becomes a bare `server.failed`. */
export function toAppError(failure: unknown, { routeOptions }: FastifyRequest): AppError {
  if (failure instanceof AppError) return failure;
  if (hasZodFastifySchemaValidationErrors(failure)) {
    const found = issuesIn(failure);
    return (
      ownFailure(found) ??
      new AppError('request.invalid', { what: invalidText(failure) }, requestIssues(found))
    );
  }
  const { code, statusCode = 500, message } = failure as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = `${Math.round((routeOptions.bodyLimit ?? 0) / 1e6)} MB`;
    return new AppError('request.too_large', { limit });
  }
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || failure instanceof SyntaxError) {
    return invalid('issue.body_json');
  }
  if (isBrokenForm(failure)) return invalid('issue.no_form');
  if (statusCode === 404) return new AppError('request.not_found');
  if (statusCode === 503) return new AppError('server.busy');
  if (statusCode >= 400 && statusCode < 500) return new AppError('request.invalid', { what: message });
  return new AppError('server.failed');
}

/** What the parser says of a form that it cannot begin to read, or that ends in the middle. It has no codes for that. */
function isBrokenForm(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    /^(?:Multipart: |Malformed |Unexpected end of |Part terminated |The needle |Unsupported content type|Missing Content-Type)/.test(
      failure.message,
    )
  );
}

interface Refused {
  validation: { keyword: string; instancePath: string; message?: string; params: object }[];
  validationContext?: string;
}

const PLACES: Record<string, string> = {
  body: 'the body',
  params: 'the address',
  querystring: 'the query',
  headers: 'the headers',
};

/** As zod found them. */
const issuesIn = ({ validation }: Refused) =>
  validation.map(({ keyword: code, instancePath, message = 'is not valid', params }) => ({
    ...params,
    code,
    message,
    path: instancePath.split('/').filter(Boolean),
  }));

/** A sentence that names each refused field, such as `name: A device needs a name.` */
function invalidText(refused: Refused): string {
  const place = PLACES[refused.validationContext ?? ''] ?? 'the request';
  const faults = eachKey(issuesIn(refused)).map(({ path, message }) => {
    const field = path.join('.');
    return `${field ? `${field} in ${place}` : place}: ${message}`;
  });
  const text = [...new Set(faults)].join('; ');
  return text.charAt(0).toUpperCase() === text.charAt(0) ? text : `Not accepted: ${text}`;
}
