import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signOut } from '../../app/session.ts';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { isLocalHost, reportError, reportView } from './diagnostics.queries.ts';

let asked: ReturnType<typeof fakeNetwork>;
const sent = () => asked.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store
  document.cookie = 'XSRF-TOKEN=x';
  asked = fakeNetwork(() => ({}));
});

afterEach(() => {
  vi.unstubAllGlobals();
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

test('the same page twice is one view, until another page or another person comes in between', async () => {
  signInAs();
  for (const path of ['/devices', '/devices', '/', '/devices']) await reportView(path);
  expect(sent()).toHaveLength(2);
  signOut('asked');
  signInAs();
  await reportView('/devices');
  expect(sent()).toHaveLength(3);
});

test('elsewhere a failure is sent once with what is known of it, however often it repeats', async () => {
  vi.stubGlobal('location', new URL('https://albedo.example/devices?q=secret'));
  const error = new Error('boom');
  // Without a workgroup nothing is sent, and nothing is remembered.
  await reportError(error, 'promise');
  expect(sent()).toEqual([]);
  signInAs();
  expect(await reportError(error, 'promise')).toBe(1);
  expect(await reportError(error, 'promise')).toBe(2);
  await reportError(new Error('bang'), 'window');
  expect(sent()).toEqual([
    [
      '/api/v1/diagnostics/demo/frontendError',
      {
        location: '/devices',
        message: 'boom',
        stack: error.stack,
        context: { source: 'promise', version: '1.6.96' },
      },
    ],
    ['/api/v1/diagnostics/demo/frontendError', expect.objectContaining({ message: 'bang' })],
  ]);
});

test('local hosts are known by name', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'albedo.localhost'])
    expect(isLocalHost(host)).toBe(true);
  for (const host of ['albedo.example', '10.0.0.1', 'localhost.example'])
    expect(isLocalHost(host)).toBe(false);
});
