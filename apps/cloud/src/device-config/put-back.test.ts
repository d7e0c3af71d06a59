import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

test('what a device has put back is told with its reason, and stands in the audit log once', async () => {
  const agent = await connectAgent(cloud, 'main', 'Roof');
  const hash = 'a'.repeat(64);
  const wentBack = { kind: 'config', name: '/etc/albedo/albedo.yaml', hash, at: 1000, why: 'no connection' };
  const status = {
    ...{ at: Date.now(), version: '2.5.0', outbox: 'a', os: 'Debian 12', sourceLastDataAt: null },
    ...{ pendingEvents: 0, pendingBytes: 0, outboxLimitBytes: 1e6, unreadBytes: 0, droppedEvents: 0 },
    ...{ lastMsgId: 0, streams: [] },
  };
  const factsOf = async () => {
    const { body } = await cloud.call('GET', `devices/main/${agent.id}`, { token: await cloud.owner() });
    return body.facts;
  };
  for (let times = 0; times < 3; times++) await agent.publish('status', { ...status, wentBack });
  await expect.poll(async () => (await factsOf()).wentBack).toEqual(wentBack);
  await agent.publish('status', { ...status, pendingEvents: 7 });
  await expect.poll(async () => (await factsOf()).pendingEvents).toBe(7);
  expect((await factsOf()).wentBack).toBeNull();
  const entries = (await auditOf(cloud, 'main')).filter(({ action }) => action === 'put_back');
  expect(entries).toMatchObject([
    { device: agent.id, controller: 'device_config', old_value: hash, new_value: 'no connection' },
  ]);
});
