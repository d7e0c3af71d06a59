import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, call, expectAsker, onApprovalNeeded, onNotFresh } from './call.ts';
import { getSession } from './session.ts';
import { buildToken, fakeNetwork, signInAs } from './test-screen.tsx';

const device = '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=; max-age=0';
});

afterEach(() => {
  vi.useRealTimers();
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

test('a parameter stays in its place in the path, whatever is in it', async () => {
  const asked = fakeNetwork(() => ({ body: { id: device } }));
  await call(devicesApi.get, { params: { wg: 'demo', device: '../../me?a#b' } });
  expect(asked[0]?.path).toBe('/api/v1/devices/demo/..%2F..%2Fme%3Fa%23b');
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

test.each([
  [
    'the sign-in',
    '/api/v1/auth/local',
    () => call(sessionsApi.login, { body: { email: 'a@b.cd', password: 'x' } }),
  ],
  ['a forgotten password', '/api/v1/forgot', () => call(accountsApi.forgot, { body: { email: 'a@b.cd' } })],
])('a refused anti-forgery token of %s is renewed and the call made once more', async (_what, url, ask) => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=stale';
  let isLenient = true;
  const asked = fakeNetwork(({ path, headers }) => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    if (path.endsWith('/version')) document.cookie = 'XSRF-TOKEN=fresh';
    const isRefused = path === url && !(isLenient && headers.get('x-xsrf-token') === 'fresh');
    return isRefused
      ? { status: 403, body: { code: 403, message: 'Invalid CSRF token' } }
      : { body: { token: 't' } };
  });
  await ask();
  expect(asked.map(({ path }) => path)).toEqual([url, '/api/v1/version', url]);
  isLenient = false;
  asked.length = 0;
  await expect(ask()).rejects.toThrow('Invalid CSRF token');
  expect(asked.map(({ path }) => path)).toEqual([url, '/api/v1/version', url]);
});

test('a 403 for another reason is not tried again', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  const asked = fakeNetwork(() => ({ status: 403, body: { code: 403, message: 'Forbidden' } }));
  await expect(call(accountsApi.forgot, { body: { email: 'a@b.cd' } })).rejects.toThrow('Forbidden');
  expect(asked).toHaveLength(1);
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

test('a late 401 to the token of before leaves the new session alone', async () => {
  signInAs();
  const before = getSession()?.token;
  fakeNetwork(() => {
    signInAs({ jti: 'b' });
    return { status: 401, body: { code: 401, message: 'Unauthorized' } };
  });
  await expect(call(devicesApi.list, { params: { wg: 'demo' } })).rejects.toThrow('Unauthorized');
  expect(getSession()?.token).toBeTypeOf('string');
  expect(getSession()?.token).not.toBe(before);
});

test.each([
  [401, 'gone', 401, 'Unauthorized'],
  [403, 'gone', 403, 'Forbidden'],
  [404, 'gone', 404, 'Not found'],
  [409, 'gone', 409, 'Conflict'],
  [500, 'out of paper', 500, 'out of paper'],
  [418, 'a teapot', -1, 'a teapot'],
  [418, '', -1, 'Request failed with status code 418'],
  [500, '', 500, 'Request failed with status code 500'],
  [502, '<html>\r\n<head><title>502 Bad Gateway</title></head></html>', -1, 'Unknown error'],
  [500, '\n <!DOCTYPE html><h1>Oops</h1>', 500, 'Unknown error'],
  [500, 'nginx: <h1>Oops</h1>', 500, 'Unknown error'],
  [500, 'a < b', 500, 'a < b'],
  [500, '{"error":{"message":"Out of paper."}}', 500, 'Out of paper.'],
  [500, '{"message":"<html>Oops</html>"}', 500, 'Unknown error'],
  [500, '{"error":"E_PAPER"}', 500, 'Unknown error'],
  [418, '{"error":"The pot is empty."}', -1, 'The pot is empty.'],
  [500, '{"trace":["at main"]}', 500, 'Unknown error'],
  [500, '[{"message":"one"}]', 500, 'Unknown error'],
  [500, '{"message":', 500, 'Unknown error'],
  [500, 'Error: x\n    at main (server.js:1)', 500, 'Unknown error'],
  [500, 'x'.repeat(5000), 500, 'Unknown error'],
  [500, '"Out of paper."', 500, 'Out of paper.'],
])('a %i without a message, with the text "%s", is %i %s', async (status, text, code, message) => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  globalThis.fetch = async () => new Response(text, { status });
  const failure = await call(accountsApi.forgot, { body: { email: 'a@b.cd' } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ code, message });
});

test.each([404, 418, 500])(
  'a message of the server is shown unchanged, with the status %i',
  async (status) => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    document.cookie = 'XSRF-TOKEN=one';
    fakeNetwork(() => ({ status, body: { code: status, message: 'Quite particular.' } }));
    const failure = await call(accountsApi.forgot, { body: { email: 'a@b.cd' } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: status, message: 'Quite particular.' });
  },
);

test.each([
  [{ error: { message: 'Quite particular.' } }, 'Quite particular.'],
  [{ error: { error: { message: 'Quite particular.' } } }, 'Quite particular.'],
  [{ error: 'Quite particular.' }, 'Quite particular.'],
  [{ error: 'quite_particular' }, 'Conflict'],
  [{ error: { message: '<h1>Oops</h1>' } }, 'Conflict'],
  [{ message: { text: 'x' } }, 'Conflict'],
  [['Quite particular.'], 'Conflict'],
  ['Quite particular.', 'Conflict'],
  [{ message: 'Taken.', error: 'x.taken', facts: ['no'], issues: { no: 1 } }, 'Taken.'],
])('an answer of another shape, %j, is shown as "%s"', async (body, message) => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  fakeNetwork(() => ({ status: 409, body }));
  const failure = await call(accountsApi.forgot, { body: { email: 'a@b.cd' } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 409, message, facts: {}, issues: [] });
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

test.each([408, 429, 500, 502, 503, 504])(
  'a %i is asked again twice, after 0.3 s and 0.6 s',
  async (status) => {
    vi.useFakeTimers();
    const asked = fakeNetwork(() => ({ status, body: { code: status, message: 'no' } }));
    const outcome = call(devicesApi.list, { params: { wg: 'demo' } }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(299);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600);
    expect(asked).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
    expect(await outcome).toMatchObject({ code: status, message: 'no' });
  },
);

test.each([413, 429, 503])('a %i that names a time is asked again then', async (status) => {
  vi.useFakeTimers();
  let count = 0;
  globalThis.fetch = async () => {
    count++;
    return new Response('', { status: count === 1 ? status : 204, headers: { 'retry-after': '2' } });
  };
  void call(devicesApi.list, { params: { wg: 'demo' } }).catch(() => {});
  await vi.advanceTimersByTimeAsync(1900);
  expect(count).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(count).toBe(2);
});

test.each(['11', '900', new Date(Date.now() + 900_000).toUTCString()])(
  'a server that wants to be asked again after "%s", longer than anybody waits, is reported at once',
  async (time) => {
    const asked = fakeNetwork(() => ({
      status: 429,
      body: { code: 429, message: 'Too many requests.. Please try again later' },
      headers: { 'retry-after': time },
    }));
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    document.cookie = 'XSRF-TOKEN=one';
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let outcome: unknown = null;
    void call(accountsApi.confirmEmail, { body: { code: '1234' } }).catch((error: unknown) => {
      outcome = error;
    });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(9000);
    expect(outcome).toMatchObject({ code: 429, message: 'Too many requests.. Please try again later' });
    expect(asked).toHaveLength(1);
  },
);

test('what is posted is never sent twice by itself, and a 501 is no reason to ask again', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  vi.useFakeTimers();
  const posted = fakeNetwork(() => ({ status: 503, body: { code: 503, message: 'no' } }));
  const body = { email: 'a@b.cd', password: 'x' };
  const outcomes = [call(sessionsApi.login, { body }).catch((error: unknown) => error)];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posted).toHaveLength(1);
  const asked = fakeNetwork(() => ({ status: 501, body: 'not here' }));
  outcomes.push(call(devicesApi.list, { params: { wg: 'demo' } }).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(1);
  expect(await Promise.all(outcomes)).toMatchObject([{ code: 503 }, { code: -1, message: 'not here' }]);
});

test('an answer of 10 s is waited for, and no longer', async () => {
  vi.useFakeTimers();
  globalThis.fetch = (request) =>
    new Promise((_resolve, reject) => {
      const { signal } = request as Request;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  let outcome: unknown = null;
  void call(devicesApi.list, { params: { wg: 'demo' } }).catch((error: unknown) => {
    outcome = error;
  });
  await vi.advanceTimersByTimeAsync(9_900);
  expect(outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(200);
  expect(outcome).toMatchObject({ code: -1, message: 'Request timed out' });
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

test('an answer that is none of ours, or breaks off, is a failure like others', async () => {
  globalThis.fetch = async () => new Response('<html>Sign in to the hotel</html>');
  const list = () => call(devicesApi.list, { params: { wg: 'demo' } }).catch((error: unknown) => error);
  const foreign = await list();
  expect(foreign).toBeInstanceOf(ApiError);
  expect(foreign).toMatchObject({ code: -1, message: 'Unknown error' });
  globalThis.fetch = async () =>
    new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }));
  const broken = await list();
  expect(broken).toBeInstanceOf(ApiError);
  expect(broken).toMatchObject({
    code: -1,
    message: expect.stringContaining('The server cannot be reached'),
  });
});

test('a call that is refused before the dialog for it is there waits for the dialog', async () => {
  signInAs();
  let isConfirmed = false;
  fakeNetwork(() =>
    isConfirmed
      ? { body: { id: device } }
      : { status: 403, body: { code: 403, message: 'Confirm', error: 'session.not_fresh' } },
  );
  const ask = () => call(devicesApi.get, { params: { wg: 'demo', device } });
  await expect(ask()).rejects.toThrow('Confirm');
  const leave = expectAsker();
  const early = ask();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stop = onNotFresh(async () => {
    isConfirmed = true;
    return true;
  });
  expect(await early).toEqual({ id: device });
  stop();
  leave();
});

test('a call that needs an approval before anybody hears of that is told once somebody does', async () => {
  signInAs();
  fakeNetwork(() => ({
    status: 403,
    body: { code: 403, message: 'Somebody has to approve it', error: 'approval.needed' },
  }));
  const leave = expectAsker();
  await expect(call(devicesApi.get, { params: { wg: 'demo', device } })).rejects.toThrow('approve');
  const hear = vi.fn();
  onApprovalNeeded(hear)();
  onApprovalNeeded(hear)();
  leave();
  expect(hear).toHaveBeenCalledOnce();
  expect(hear.mock.calls[0]?.[0]).toMatchObject({ input: { params: { device } } });
});
