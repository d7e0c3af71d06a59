import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const failure = {
  location: '/devices',
  message: 'x is not a function',
  stack: 'TypeError: x is not a function\n  at y',
  context: { source: 'window', version: '1.6.96' },
};

async function count(name: string): Promise<number> {
  const { body } = await cloud.call('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(String(body))?.[1]);
}

test('a page view is counted', async () => {
  const before = await count('albedo_page_views_total');
  const { status } = await cloud.call('POST', 'diagnostics/main/frontendAnalytics', {
    token,
    body: { location: '/devices' },
  });
  expect(status).toBe(200);
  expect(await count('albedo_page_views_total')).toBe(before + 1);
});

test('a failure of a browser is counted', async () => {
  const before = await count('albedo_frontend_errors_total');
  const { status } = await cloud.call('POST', 'diagnostics/main/frontendError', { token, body: failure });
  expect(status).toBe(200);
  expect(await count('albedo_frontend_errors_total')).toBe(before + 1);
});

test('queries, long texts and other workgroups are refused', async () => {
  const view = (body: object) => cloud.call('POST', 'diagnostics/main/frontendAnalytics', { token, body });
  expect((await view({ location: '/devices?q=secret' })).status).toBe(400);
  expect((await view({ location: 'https://example.org/' })).status).toBe(400);
  const long = { ...failure, stack: 'x'.repeat(8001) };
  expect((await cloud.call('POST', 'diagnostics/main/frontendError', { token, body: long })).status).toBe(
    400,
  );
  const foreign = await cloud.newUser({ other: { role: 'owner' } });
  const refused = await cloud.call('POST', 'diagnostics/main/frontendError', {
    token: foreign,
    body: failure,
  });
  expect(refused.status).toBe(403);
});

test('a browser that fails in a loop is slowed down', async () => {
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      cloud.call('POST', 'diagnostics/main/frontendError', { token, body: failure }),
    ),
  );
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});
