import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import { AppError } from './app-error.ts';
import { bearerToken } from './guard.ts';

/** Throws (or rejects) when the engine does not work. */
export type Check = () => unknown;

const CHECK_TIMEOUT_MS = 3000;

/**
 * What machines ask: `/healthz` (the process answers), `/readyz` (every engine answers too), `/metrics`.
 *
 * Metrics are for this machine, and elsewhere for the bearer of `ALBEDO_METRICS_TOKEN`.
 */
export function operationsRoutes(
  app: FastifyInstance,
  options: { checks: Record<string, Check>; metrics: Metrics; metricsToken: string | null },
): void {
  const { checks, metrics, metricsToken } = options;
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    const labels = { method: endpoint.method, route: endpoint.url, status: reply.statusCode };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
  });

  app.get('/healthz', QUIET, async () => ({ status: 'ok' }));

  app.get('/readyz', QUIET, async (request, reply) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as [string, string]),
    );
    const isReady = states.every(([, state]) => state === 'ok');
    // What an engine says of its fault names machines and accounts.
    const mayKnow = isLocal(request) || bears(request, metricsToken);
    if (!mayKnow) for (const one of states) one[1] = one[1] === 'ok' ? 'ok' : 'failed';
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(states) });
  });

  app.get('/metrics', QUIET, async (request, reply) => {
    if (!isLocal(request) && !bears(request, metricsToken)) throw new AppError('request.unauthorized');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const QUIET = { config: { rateLimit: false } } as const;

async function stateOf(check: Check): Promise<string> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve(`no answer within ${CHECK_TIMEOUT_MS / 1000} s`), CHECK_TIMEOUT_MS).unref();
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => 'ok'), late]);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Asked from this machine itself; a proxy here tells its client's address, so that one does not count. */
function isLocal({ ip }: FastifyRequest): boolean {
  return isIP(ip) !== 0 && (ip === '::1' || /^(::ffff:)?127\./.test(ip));
}

function bears(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(bearerToken(request.headers.authorization) ?? '');
  const wanted = Buffer.from(token ?? '');
  return token !== null && given.length === wanted.length && timingSafeEqual(given, wanted);
}
