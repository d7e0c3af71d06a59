import { installation } from '@albedo/contract/installation/installation.schema';
import { expect, test } from 'vitest';
import { startTestCloud } from '../testing/test-cloud.ts';

test('members read where their data lies, and the staff which plans there are', async () => {
  const cloud = await startTestCloud({
    ALBEDO_REGION: 'Frankfurt, Germany',
    ALBEDO_PLANS: 'Small,Very large',
    ALBEDO_STAFF_DOMAINS: 'provider.example',
  });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const { body } = await cloud.call('GET', 'cloud', { token: reader });
  expect(installation.parse(body)).toMatchObject({
    region: 'Frankfurt, Germany',
    url: expect.stringContaining('http'),
  });
  expect((await cloud.call('GET', 'cloud')).status).toBe(401);
  expect((await cloud.call('GET', 'plans', { token: reader })).status).toBe(403);
  await cloud.stop();
});
