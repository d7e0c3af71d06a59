import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { AppError } from '../errors/app-error.ts';
import { Metrics } from '../metrics/metrics.ts';
import { operationsRoutes } from './operations.ts';

test('what an engine says of its fault is for this machine and the bearer of the token', async () => {
  const app = fastify();
  const checks = {
    records: () => {
      throw new Error('password authentication failed for user bob');
    },
    telemetry: () => {},
  };
  operationsRoutes(app, {
    checks,
    metrics: new Metrics(),
    metricsToken: 'a-token-of-letters',
    isPublic: false,
    securityContact: 'x@example.org',
  });
  const ready = async (remoteAddress: string, headers = {}) =>
    (await app.inject({ url: '/readyz', remoteAddress, headers })).json().checks;
  expect(await ready('203.0.113.7')).toEqual({ records: 'failed', telemetry: 'ok' });
  const told = { records: 'password authentication failed for user bob', telemetry: 'ok' };
  expect(await ready('127.0.0.1')).toEqual(told);
  expect(await ready('203.0.113.7', { authorization: 'bearer a-token-of-letters' })).toEqual(told);
  await app.close();
});

test.each([
  ['this machine alone', false, {}, 200],
  ['this machine alone, by a proxy here', false, { 'x-forwarded-for': '127.0.0.1' }, 401],
  ['this machine alone, by a proxy here that hides the client', false, { 'x-real-ip': '203.0.113.7' }, 401],
  ['everybody, perhaps by a proxy here that tells nothing', true, {}, 401],
  ['everybody, with the token', true, { authorization: 'bearer a-token-of-letters' }, 200],
  ['everybody, with another token', true, { authorization: 'bearer a-token-of-numbers' }, 401],
])('metrics of a server that is reached by %s', async (_who, isPublic, headers, status) => {
  const app = fastify({ trustProxy: 'loopback' });
  operationsRoutes(app, {
    checks: {},
    metrics: new Metrics(),
    metricsToken: 'a-token-of-letters',
    isPublic,
    securityContact: 'x@example.org',
  });
  app.setErrorHandler((error: AppError, _request, reply) => reply.status(error.status).send());
  const reply = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers });
  expect(reply.statusCode).toBe(status);
  await app.close();
});

test('a public server without a token tells nobody its metrics', async () => {
  const app = fastify();
  operationsRoutes(app, {
    checks: {},
    metrics: new Metrics(),
    metricsToken: null,
    isPublic: true,
    securityContact: 'x@example.org',
  });
  app.setErrorHandler((error: AppError, _request, reply) => reply.status(error.status).send());
  for (const headers of [{}, { authorization: 'bearer ' }, { authorization: 'bearer null' }])
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(401);
  await app.close();
});

test('whoever finds a weakness is told whom to write to', async () => {
  const app = fastify();
  const of = { checks: {}, metrics: new Metrics(), metricsToken: null, isPublic: true };
  operationsRoutes(app, { ...of, securityContact: 'safe@example.org' });
  const { body, headers } = await app.inject({ url: '/.well-known/security.txt' });
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toContain('Contact: mailto:safe@example.org\n');
  expect(Date.parse(/Expires: (.*)/.exec(body)?.[1] ?? '')).toBeGreaterThan(Date.now());
  await app.close();
});
