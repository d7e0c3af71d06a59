import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { RedisClientType } from 'redis';
import { AppError } from '../errors/app-error.ts';
import { networkOf } from './client-network.ts';

/** Requests a minute and client address; a page with many charts and its assets stays far below it. */
const GENERAL_LIMIT = 6000;

/**
 * Limits every route by client address (of IPv6: its /64); counted in Redis when several processes answer, and by this
 * process alone while Redis is away.
 */
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
    // The store answers without Redis, too; should it fail all the same, nobody is let through uncounted.
    skipOnError: false,
    ...(redis ? { store: redisStore(redis) } : {}),
  });
}

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** How long an answer of Redis may take, ms: a request waits for it. */
const PATIENCE_MS = 500;

function redisStore(redis: RedisClientType) {
  const alone = new OwnCounts();
  return class RedisStore {
    incr(key: string, done: Counted, windowMs = 60_000): void {
      const here = () => done(null, alone.count(key, windowMs));
      // Commands wait for a connection that is away.
      if (!redis.isReady) {
        here();
        return;
      }
      const name = `albedo:rate:${key}`;
      const late = new Promise<never>((_, fail) => {
        setTimeout(() => fail(new Error('Redis is late')), PATIENCE_MS).unref();
      });
      const counted = redis.multi().incr(name).pExpire(name, windowMs, 'NX').pTTL(name).exec();
      Promise.race([counted, late]).then(
        ([current, , ttl]) => done(null, { current: Number(current), ttl: Math.max(0, Number(ttl)) }),
        here,
      );
      // What comes after its time fails for nobody.
      counted.catch(() => {});
    }

    child(): RedisStore {
      return this;
    }
  };
}

/** Counts of this process; it simply starts over when it is full. */
class OwnCounts {
  readonly #counts = new Map<string, { current: number; endsAt: number }>();

  count(key: string, windowMs: number, now = Date.now()): { current: number; ttl: number } {
    const known = this.#counts.get(key);
    if (known && known.endsAt > now) {
      known.current++;
      return { current: known.current, ttl: known.endsAt - now };
    }
    if (this.#counts.size >= 50_000) this.#counts.clear();
    this.#counts.set(key, { current: 1, endsAt: now + windowMs });
    return { current: 1, ttl: windowMs };
  }
}
