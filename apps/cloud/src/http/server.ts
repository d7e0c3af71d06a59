import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { FRONTEND_VERSION, FRONTEND_VERSION_HEADER } from '@albedo/contract/product';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import type { Guard } from '../access/guard.ts';
import { demandPlain, pathForLog } from '../errors/plain.ts';
import type { ScanFile } from '../files/virus-scan.ts';
import { refuseBroken } from './broken-request.ts';
import { handleError, refuseAddress } from './errors.ts';
import { describeApi } from './openapi.ts';
import { limitRate } from './rate-limit.ts';
import { atOnce, type Settled } from './settled.ts';
import { boundBodies } from './slow-bodies.ts';

/** What the browser may load: only from here, but for the styles that Mantine writes and the workers of MapLibre. */
const CONTENT_SECURITY_POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
};

/** A proxy on this machine may tell the client's address, and those that the configuration names; nobody else may. */
export const trustedProxies = (named: readonly string[]): string[] => ['loopback', ...named];

/** Of every form, whatever its endpoint allows: what is no file is kept in memory. */
const FORM_LIMITS = { fields: 50, fieldNameSize: 100, fieldSize: 100_000, parts: 100, headerPairs: 20 };

export interface HttpOptions {
  log: Logger;
  guard: Guard;
  /** Ends what somebody waits for once it may be answered. */
  settled?: Settled;
  csrfSecret: Buffer;
  /** How long a browser counts as known after a sign-in, seconds; half a year where nobody says. */
  knownBrowserS?: number;
  redis: RedisClientType | null;
  /** Looks for viruses in the files that come in. */
  scanFile?: ScanFile | null;
  /** True where the public address is https. */
  isHttps: boolean;
  /** Addresses and networks of proxies on other machines. */
  trustedProxies: readonly string[];
}

/** The HTTP server with everything that holds for all routes; features bind their endpoints to it. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log as never,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(options.trustedProxies),
    bodyLimit: 1024 * 1024,
    // A search for some thousand devices stands in its address.
    http: { maxHeaderSize: 512 * 1024 },
    clientErrorHandler: refuseBroken,
    frameworkErrors: refuseAddress as never,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;

  boundBodies(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorate('guard', options.guard);
  app.decorate('settled', options.settled ?? atOnce);
  app.decorate('csrfSecret', options.csrfSecret);
  app.decorate('knownBrowserS', options.knownBrowserS ?? 180 * 86_400);
  app.decorate('scanFile', options.scanFile ?? null);
  app.decorateRequest('session', null);
  app.decorateRequest('holder', null);
  app.decorateRequest('scope', null);
  app.decorateRequest('display', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith(API_PREFIX)) {
      reply.header(FRONTEND_VERSION_HEADER, FRONTEND_VERSION).header('cache-control', 'no-store');
    }
  });
  app.addHook('preValidation', async ({ params, query, body }) => {
    for (const given of [params, query, body]) demandPlain(given);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        method: request.method,
        url: pathForLog(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });

  await app.register(fastifyCookie);
  await app.register(fastifyMultipart, { throwFileSizeLimit: false, limits: FORM_LIMITS });
  await limitRate(app, options.redis);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    strictTransportSecurity: options.isHttps,
    referrerPolicy: { policy: 'same-origin' },
  });
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // The quickest settings: replies are made once and read once. Lists of numbers come out no larger than with quality 3.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  });
  await describeApi(app);
  return app;
}
