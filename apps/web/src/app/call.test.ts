import { devicesApi } from '@albedo/contract/devices/devices.api';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import { beforeEach, expect, test } from 'vitest';
import { ApiError, call } from './call.ts';
import { getSession } from './session.ts';
import { buildToken, fakeNetwork, signInAs } from './test-screen.tsx';

const device = '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=; max-age=0';
});

test('a call carries the bearer token and fills the parameters into the path', async () => {
  signInAs();
  const asked = fakeNetwork(() => ({ body: { id: device } }));
  await call(devicesApi.get, { params: { wg: 'demo', device } });
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /api/v1/devices/demo/${device}`,
  ]);
  expect(asked[0]?.headers.get('authorization')).toBe(`Bearer ${getSession()?.token}`);
});

test('a change fetches the anti-forgery cookie first when it is missing, and repeats it in the header', async () => {
  const asked = fakeNetwork(({ path }) => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    if (path.endsWith('/version')) document.cookie = 'XSRF-TOKEN=one';
    return { body: { token: buildToken() } };
  });
  await call(sessionsApi.login, { body: { email: 'a@b.cd', password: 'x' } });
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/version', '/api/v1/auth/local']);
  expect(asked[1]?.headers.get('x-xsrf-token')).toBe('one');
});

test('a refused anti-forgery token is renewed and the call made once more', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=stale';
  const asked = fakeNetwork(({ path, headers }) => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    if (path.endsWith('/version')) document.cookie = 'XSRF-TOKEN=fresh';
    const isRefused = path.endsWith('/local') && headers.get('x-xsrf-token') !== 'fresh';
    return isRefused
      ? { status: 403, body: { code: 403, message: 'Invalid CSRF token' } }
      : { body: { token: 't' } };
  });
  await call(sessionsApi.login, { body: { email: 'a@b.cd', password: 'x' } });
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['local', 'version', 'local']);
});

test('a 401 ends the session, except at the sign-in', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  signInAs();
  fakeNetwork(() => ({ status: 401, body: { code: 401, message: 'Unauthorized' } }));
  await expect(call(sessionsApi.login, { body: { email: 'a@b.cd', password: 'x' } })).rejects.toThrow();
  expect(getSession()).not.toBeNull();
  await expect(call(devicesApi.list, { params: { wg: 'demo' } })).rejects.toThrow('Unauthorized');
  expect(getSession()).toBeNull();
});

test('a failure without a message of the server gets the word for its status', async () => {
  fakeNetwork(() => ({ status: 404, body: 'gone' }));
  const failure = await call(devicesApi.list, { params: { wg: 'demo' } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ code: 404, message: 'Not found' });
});

test('a busy server is asked again, an unwilling one is not', async () => {
  let answers = 0;
  const asked = fakeNetwork(() => (++answers < 3 ? { status: 502 } : { body: [] }));
  expect(await call(devicesApi.list, { params: { wg: 'demo' } })).toEqual([]);
  expect(asked).toHaveLength(3);
  const refused = fakeNetwork(() => ({ status: 403, body: { code: 403, message: 'Forbidden' } }));
  await expect(call(devicesApi.list, { params: { wg: 'demo' } })).rejects.toThrow('Forbidden');
  expect(refused).toHaveLength(1);
});

test('a call that changes nothing carries the anti-forgery token too, and does not wait for one', async () => {
  const without = fakeNetwork(() => ({ body: [] }));
  await call(devicesApi.list, { params: { wg: 'demo' } });
  expect(without.map(({ headers }) => headers.get('x-xsrf-token'))).toEqual([null]);
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  const asked = fakeNetwork(() => ({ body: [] }));
  await call(devicesApi.list, { params: { wg: 'demo' } });
  expect(asked[0]?.headers.get('x-xsrf-token')).toBe('one');
});

test('objects of a query travel as JSON and lists as repeated parameters', async () => {
  let search = '';
  globalThis.fetch = async (input) => {
    search = new URL((input as Request).url).search;
    return Response.json({});
  };
  await call(telemetryApi.search, {
    params: { wg: 'demo', table: 'solar' },
    query: {
      filters: [],
      aggs: [],
      fields: ['a', 'b'],
      rows: 5,
      timeframe: JSON.stringify({ from: 1, to: 2 }),
    },
  });
  expect(new URLSearchParams(search).getAll('fields')).toEqual(['a', 'b']);
  expect(new URLSearchParams(search).get('timeframe')).toBe('{"from":1,"to":2}');
});
