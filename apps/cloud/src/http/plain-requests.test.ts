import { expect, onTestFinished, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const FROM_AFAR = { 'x-forwarded-for': '198.51.100.7' };
const OVER_TLS = { ...FROM_AFAR, 'x-forwarded-proto': 'https' };

async function cloudWith(env: Record<string, string>): Promise<TestCloud> {
  const cloud = await startTestCloud(env);
  onTestFinished(() => cloud.stop());
  return cloud;
}

test('where nothing may do without TLS, requests and sockets from other machines need https', async () => {
  const cloud = await cloudWith({ ALBEDO_PLAIN_CONNECTIONS: 'none' });
  const refused = await cloud.call('GET', 'version', { headers: FROM_AFAR });
  expect(refused).toMatchObject({
    status: 403,
    body: { error: 'request.plain', message: 'This server can be used over https only.' },
  });
  expect((await cloud.call('GET', '/', { headers: FROM_AFAR })).status).toBe(403);
  expect((await cloud.call('GET', 'version', { headers: OVER_TLS })).status).toBe(200);
  const forged = { ...FROM_AFAR, 'x-forwarded-proto': 'https, http' };
  expect((await cloud.call('GET', 'version', { headers: forged })).status).toBe(403);
  expect((await cloud.call('GET', '/readyz', { headers: FROM_AFAR })).status).toBe(200);
  expect((await cloud.call('GET', 'version')).status).toBe(200);

  const token = await cloud.owner();
  const connect = (headers: Record<string, string>) => {
    const socket = new BrowserSocket(cloud, { token, orgName: 'main' }, headers);
    onTestFinished(() => socket.close());
    return socket.connected();
  };
  await expect(connect(FROM_AFAR)).rejects.toThrow();
  await connect(OVER_TLS);
});

test('otherwise they are answered, and the staff read that it happened, once', async () => {
  const cloud = await cloudWith({});
  for (let at = 0; at < 3; at++)
    expect((await cloud.call('GET', 'version', { headers: FROM_AFAR })).status).toBe(200);
  const told = (await auditOf(cloud, PROVIDER_LOG)).filter(({ attribute }) => attribute === 'without https');
  expect(told).toHaveLength(1);
});
