import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { DEFAULT_QUOTAS, Quotas } from './quotas.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({
    ALBEDO_QUOTAS:
      'sockets-per-person=2, sockets-per-workgroup=3, requests-per-person=20, queries-per-person=0',
  });
});
afterAll(() => cloud.stop());

const reader = () => cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
const connect = (token: string) => new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
const refused = (quota: string) => ({ data: { code: 429, error: 'request.quota', facts: { quota } } });

test('a person and a workgroup have so many sockets, and one that closes makes room', async () => {
  const [ann, ben] = [await reader(), await reader()];
  const first = await connect(ann);
  const second = await connect(ann);
  await expect(connect(ann)).rejects.toMatchObject(refused('sockets-per-person'));
  const third = await connect(ben);
  await expect(connect(ben)).rejects.toMatchObject(refused('sockets-per-workgroup'));
  first.close();
  await expect
    .poll(() =>
      connect(ben).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  for (const socket of [second, third]) socket.close();
});

test('a person has so many requests a minute, and hears when to come again', async () => {
  const token = await reader();
  for (let request = 0; request < 20; request++)
    expect((await cloud.call('GET', 'me', { token })).status).toBe(200);
  const reply = await cloud.call('GET', 'me', { token });
  expect(reply).toMatchObject({ status: 429, body: { error: 'request.quota' } });
  expect(reply.body.message).toContain('requests-per-person');
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await cloud.call('GET', 'me', { token: await reader() })).status).toBe(200);
});

test('queries have a quota of their own', async () => {
  const token = await reader();
  const reply = await cloud.call('GET', 'tables/main/data/search', { token });
  expect(reply.body).toMatchObject({ error: 'request.quota', facts: { quota: 'queries-per-person' } });
});

test('windows of requests begin anew, and a place is given back once', () => {
  let now = 0;
  const quotas = new Quotas(
    { ...DEFAULT_QUOTAS, 'requests-per-person': 1, 'queries-per-person': 1 },
    () => now,
  );
  const session = { _id: 'ann' } as Parameters<Quotas['request']>[0];
  quotas.request(session, 'main');
  expect(() => quotas.request(session, null)).toThrow('requests-per-person');
  now = 60_000;
  quotas.request(session, null);
  const release = quotas.hold('queries', session, 'main');
  release();
  release();
  quotas.hold('queries', session, 'main');
  expect(() => quotas.hold('queries', session, 'main')).toThrow('queries-per-person');
});
