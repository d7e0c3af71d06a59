import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { RedisClientType } from 'redis';
import { AppError } from '../errors/app-error.ts';
import { networkOf } from './client-network.ts';

/** Requests a minute and client address; a page with many charts and its assets stays far below it. */
const GENERAL_LIMIT = 6000;

/** Limits every route by client address (of IPv6: its /64); counted in Redis when several processes answer. */
export async function limitRate(app: FastifyInstance, redis: RedisClientType | null): Promise<void> {
  await app.register(fastifyRateLimit, {
    global: true,
    max: GENERAL_LIMIT,
    timeWindow: 60_000,
    keyGenerator: (request) => networkOf(request.ip),
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, context) =>
      new AppError('request.too_many', { retryAfterS: Math.max(1, context.ttl / 1000) }),
    skipOnError: true,
    ...(redis ? { store: redisStore(redis) } : {}),
  });
}

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void;

function redisStore(redis: RedisClientType) {
  return class RedisStore {
    incr(key: string, done: Counted, windowMs = 60_000): void {
      const name = `albedo:rate:${key}`;
      redis
        .multi()
        .incr(name)
        .pExpire(name, windowMs, 'NX')
        .pTTL(name)
        .exec()
        .then(([current, , ttl]) => done(null, { current: Number(current), ttl: Math.max(0, Number(ttl)) }))
        .catch((error: Error) => done(error));
    }

    child(): RedisStore {
      return this;
    }
  };
}
