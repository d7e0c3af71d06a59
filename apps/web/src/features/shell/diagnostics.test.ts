import { beforeEach, expect, test } from 'vitest';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { isLocalHost, reportError, reportView } from './diagnostics.queries.ts';

let asked: ReturnType<typeof fakeNetwork>;
const sent = () => asked.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store
  document.cookie = 'XSRF-TOKEN=x';
  asked = fakeNetwork(() => ({}));
});

test('a page view of a signed-in user is sent, but not the start and not reports', async () => {
  await reportView('/devices');
  expect(sent()).toEqual([]);
  signInAs();
  for (const path of ['/', '/report', '/report/energy', '/devices']) await reportView(path);
  expect(sent()).toEqual([['/api/v1/diagnostics/demo/frontendAnalytics', { location: '/devices' }]]);
});

test('a failure on a local host is counted and not sent', async () => {
  signInAs();
  const error = new Error('boom');
  expect(await reportError(error, 'window')).toBe(1);
  expect(await reportError(error, 'window')).toBe(2);
  expect(sent()).toEqual([]);
});

test('local hosts are known by name', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'albedo.localhost'])
    expect(isLocalHost(host)).toBe(true);
  for (const host of ['albedo.example', '10.0.0.1', 'localhost.example'])
    expect(isLocalHost(host)).toBe(false);
});
