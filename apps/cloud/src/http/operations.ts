import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bearerToken } from '../access/guard.ts';
import { AppError } from '../errors/app-error.ts';
import { type Check, Impaired } from '../metrics/check.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What proxies add to a request; who asks from this machine itself sends none of it. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

const CHECK_TIMEOUT_MS = 3000;
/** How long what it says is good, ms. */
const SECURITY_TEXT_MS = 180 * 86_400_000;

/**
 * What machines ask: `/healthz` (the process answers), `/readyz` (every engine answers too; 200 with `impaired` where it serves,
 * but people have to know something), `/metrics`.
 *
 * Metrics are for the bearer of `ALBEDO_METRICS_TOKEN`. A server that is reached from this machine alone (not
 * `isPublic`) needs none: behind a proxy that tells nothing of its clients, everybody would seem to be here.
 */
export function operationsRoutes(
  app: FastifyInstance,
  options: {
    checks: Record<string, Check>;
    metrics: Metrics;
    metricsToken: string | null;
    isPublic: boolean;
    /** Whom to tell of a weakness, as `/.well-known/security.txt` says (RFC 9116). */
    securityContact: string;
  },
): void {
  const { checks, metrics, metricsToken, isPublic, securityContact } = options;
  const mayKnow = (request: FastifyRequest) =>
    bears(request, metricsToken) || (!isPublic && isLocal(request));
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    const labels = { method: endpoint.method, route: endpoint.url, status: reply.statusCode };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
  });

  app.get('/.well-known/security.txt', QUIET, async (_request, reply) => {
    const expires = new Date(Date.now() + SECURITY_TEXT_MS).toISOString();
    const lines = [
      `Contact: mailto:${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en, de, es',
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });

  app.get('/healthz', QUIET, async () => ({ status: 'ok' }));

  app.get('/readyz', QUIET, async (request, reply) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ({ name, ...(await stateOf(check)) })),
    );
    const worst = states.some(({ state }) => state === 'failed')
      ? 'not ready'
      : states.some(({ state }) => state === 'impaired')
        ? 'impaired'
        : 'ready';
    // What an engine says of its fault names machines and accounts.
    const isTold = mayKnow(request);
    return reply.status(worst === 'not ready' ? 503 : 200).send({
      status: worst,
      checks: Object.fromEntries(states.map(({ name, state, says }) => [name, isTold ? says : state])),
    });
  });

  app.get('/metrics', QUIET, async (request, reply) => {
    if (!mayKnow(request)) throw new AppError('request.unauthorized');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const QUIET = { config: { rateLimit: false } } as const;

interface State {
  state: 'ok' | 'impaired' | 'failed';
  says: string;
}

async function stateOf(check: Check): Promise<State> {
  const late = new Promise<State>((resolve) => {
    const says = `no answer within ${CHECK_TIMEOUT_MS / 1000} s`;
    setTimeout(() => resolve({ state: 'failed', says }), CHECK_TIMEOUT_MS).unref();
  });
  try {
    return await Promise.race([
      Promise.resolve(check()).then((): State => ({ state: 'ok', says: 'ok' })),
      late,
    ]);
  } catch (error) {
    return { state: error instanceof Impaired ? 'impaired' : 'failed', says: (error as Error).message };
  }
}

/** Asked from this machine itself and not by a proxy here, whatever that tells. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const ip = socket.remoteAddress ?? '';
  return (
    (ip === '::1' || /^(::ffff:)?127\./.test(ip)) && OF_PROXIES.every((name) => headers[name] === undefined)
  );
}

function bears(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(bearerToken(request.headers.authorization) ?? '');
  const wanted = Buffer.from(token ?? '');
  return token !== null && given.length === wanted.length && timingSafeEqual(given, wanted);
}
