import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** What is decoded twice passes the check that stood between. */
let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud({});
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

const TWICE = '%252e%252e%252fsecrets';

test('a part of a path is decoded once, and what is left is text', async () => {
  const { status, body } = await cloud.call('GET', `devices/main/${TWICE}`, { token });
  expect(status).toBe(404);
  expect(body.error).toBe('device.not_found');
  const table = await cloud.call('GET', 'telemetry/main/%2561larms/search', { token });
  expect(JSON.stringify(table.body)).not.toContain('alarms');
});

test('a text in a body, a query or a form stays as it is', async () => {
  const name = 'a%20b&amp;%3Cb%3E+\\u0041';
  const made = await cloud.call('POST', 'devices/main', { token, body: { name } });
  expect(made.body).toMatchObject({ name });
  const [found] = (await cloud.call('GET', 'devices/main', { token })).body as { name: string }[];
  expect(found?.name).toBe(name);
});

test.each([
  '/%252e%252e/%252e%252e/etc/passwd',
  '/assets/%252e%252e%252findex.html',
  '/..%2f..%2fetc/passwd',
])('no file outside of the web app is served for %s', async (path) => {
  const answer = await fetch(cloud.cloud.url + path);
  expect(await answer.text()).not.toMatch(/root:.*:0:0/);
});
