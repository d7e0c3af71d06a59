import fastify from 'fastify';
import type { RedisClientType } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { limitRate } from './rate-limit.ts';

/** What becomes of four requests to a route that takes two a minute. */
async function statusesWith(redis: Partial<Record<keyof RedisClientType, unknown>>): Promise<number[]> {
  const app = fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof AppError ? error.status : 500).send(),
  );
  await limitRate(app as never, redis as never);
  app.get('/', { config: { rateLimit: { max: 2, timeWindow: 60_000 } } }, async () => 'let in');
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) statuses.push((await app.inject('/')).statusCode);
  return statuses;
}

/** A Redis whose commands end as `exec` says. */
function redisOf(exec: () => Promise<unknown>) {
  const multi = { incr: () => multi, pExpire: () => multi, pTTL: () => multi, exec };
  return { isReady: true, multi: () => multi };
}

test('requests are counted in Redis', async () => {
  let count = 0;
  const redis = redisOf(async () => [++count, 1, 60_000]);
  expect(await statusesWith(redis)).toEqual([200, 200, 429, 429]);
  expect(count).toBe(4);
});

test('requests stay limited while Redis is away, fails or says nothing', async () => {
  expect(await statusesWith({ isReady: false })).toEqual([200, 200, 429, 429]);
  expect(await statusesWith(redisOf(() => Promise.reject(new Error('broken'))))).toEqual([
    200, 200, 429, 429,
  ]);
  expect(await statusesWith(redisOf(() => new Promise(() => {})))).toEqual([200, 200, 429, 429]);
});
