import fastify from 'fastify';
import { expect, test } from 'vitest';
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
  operationsRoutes(app, { checks, metrics: new Metrics(), metricsToken: 'a-token-of-letters' });
  const ready = async (remoteAddress: string, headers = {}) =>
    (await app.inject({ url: '/readyz', remoteAddress, headers })).json().checks;
  expect(await ready('203.0.113.7')).toEqual({ records: 'failed', telemetry: 'ok' });
  const told = { records: 'password authentication failed for user bob', telemetry: 'ok' };
  expect(await ready('127.0.0.1')).toEqual(told);
  expect(await ready('203.0.113.7', { authorization: 'bearer a-token-of-letters' })).toEqual(told);
  await app.close();
});
