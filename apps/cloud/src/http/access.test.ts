import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { CALLERS, endpoints, newDevice, pathOf, tryEveryEndpoint } from '../testing/access-matrix.ts';
import { IDENTITIES_ENV, identitiesOf } from '../testing/identities.ts';
import { auditOf, buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { bind } from './bind.ts';

/** Whoever may do much; the other `access.*.test.ts` beside this one try the rest of the identities. */
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
  buildAgent(cloud);
});
afterAll(() => cloud.stop());

tryEveryEndpoint(() => cloud, ['the owner', 'the owner, who confirmed an hour ago', 'an API token']);

test('everybody who may come is among the identities', () => {
  expect(Object.keys(CALLERS)).toEqual(expect.arrayContaining(Object.keys(identitiesOf(() => cloud))));
});

test('a device of another workgroup does not exist, whatever is asked of it', async () => {
  const device = await newDevice(cloud);
  const token = await cloud.newUser({ other: { role: 'owner' } });
  const ofDevices = endpoints.filter(({ url }) => url.includes(':device'));
  expect(ofDevices.length).toBeGreaterThan(10);
  const ask = async (endpoint: Endpoint) => {
    const path = pathOf(endpoint, { wg: 'other', device });
    const { status, body } = await cloud.call(endpoint.method, path, { token, body: endpoint.example?.body });
    return [endpoint.url, status, body.error];
  };
  for (const endpoint of ofDevices)
    expect(await ask(endpoint)).toEqual([endpoint.url, 404, 'device.not_found']);
});

test('whatever somebody of them did is in the log with where it came from', async () => {
  const log = [...(await auditOf(cloud, 'main')), ...(await auditOf(cloud, PROVIDER_LOG))];
  const done = log.filter(({ user_id }) => Boolean(user_id));
  expect(new Set(done.map(({ controller }) => controller)).size).toBeGreaterThan(8);
  const unplaced = done.filter(({ address }) => !address);
  expect(unplaced.map(({ controller, action }) => `${controller} ${action}`)).toEqual([]);
});

test('what ended while the body was on its way counts before the handler runs', async () => {
  const token = await identitiesOf(() => cloud)['an API token']?.();
  const { sessions } = cloud.cloud.features;
  const session = await sessions.verify(token ?? '');
  const name = 'Made too late';
  const parts = async function* () {
    yield Buffer.from('{"name":');
    await setTimeout(300);
    await sessions.revoke(session);
    yield Buffer.from(`"${name}"}`);
  };
  const reply = await fetch(`${cloud.cloud.url}/api/v1/devices/main`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Readable.from(parts()),
    duplex: 'half',
  } as unknown as RequestInit);
  expect(reply.status).toBe(401);
  const { body } = await cloud.call('GET', 'devices/main', { token: await cloud.owner() });
  expect(JSON.stringify(body)).not.toContain(name);
});

test('a route without declared access cannot be registered', () => {
  const api = { list: { ...workgroupsApi.list, access: undefined } };
  expect(() => bind(fastify(), api as never, { list: () => [] } as never)).toThrow(
    'GET /orgs declares no access',
  );
});

test('an endpoint without a handler cannot be registered', () => {
  expect(() => bind(fastify(), workgroupsApi, {} as never)).toThrow('GET /orgs has no handler');
});
