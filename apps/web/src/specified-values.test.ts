/** Times and numbers of attempts that the specification sets for calls of several features. */
import { deviceFilesApi } from '@albedo/contract/device-files/device-files.api';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, call, download } from './app/call.ts';
import { queryClient } from './app/query-client.ts';
import { fakeNetwork } from './app/test-screen.tsx';
import { defaultBoard } from './features/boards/boards.queries.ts';
import { calculationsQuery } from './features/calculations/calculations.queries.ts';
import { kpisQuery } from './features/kpis/kpis.queries.ts';
import { removePlugin } from './features/plugins/plugins.queries.ts';
import { recordsQuery } from './features/searches/searches.queries.ts';
import { tableQuery } from './features/telemetry/telemetry.queries.ts';
import { countriesIn } from './features/workgroup-requests/countries.ts';

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

/** How often a busy server is called within two minutes until the app gives up. */
async function attemptsOf(ask: () => Promise<unknown>): Promise<number> {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  vi.useFakeTimers();
  const requests = fakeNetwork(() => ({ status: 503, body: { code: 503, message: 'busy' } }));
  const outcome = ask().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await outcome).toMatchObject({ code: 503 });
  return requests.filter(({ path }) => !path.endsWith('/version')).length;
}

test('a search is tried three times more, and the removal of a plugin once', async () => {
  expect(await attemptsOf(() => queryClient.fetchQuery(recordsQuery('demo', 'inverter', {}, 1)))).toBe(4);
  const on = { wg: 'demo', device: crypto.randomUUID(), plugin: 'counter' };
  expect(await attemptsOf(() => removePlugin(on))).toBe(2);
});

test.each([
  ['KPIs', kpisQuery('demo')],
  ['calculations', calculationsQuery('demo')],
])('%s are tried three times more, at most 3 s apart, unless they are refused', (_name, query) => {
  const { retry, retryDelay } = query as unknown as {
    retry: (failures: number, error: Error) => boolean;
    retryDelay: (attempt: number) => number;
  };
  const busy = new ApiError(503, 'busy');
  expect([0, 1, 2, 3].map((failures) => retry(failures, busy))).toEqual([true, true, true, false]);
  expect([403, 404].map((code) => retry(0, new ApiError(code, 'no')))).toEqual([false, false]);
  expect([0, 1, 2, 10].map(retryDelay)).toEqual([500, 1000, 2000, 3000]);
});

test('what is known of a table is asked for again after five minutes', () => {
  expect(tableQuery('demo', 'inverter').staleTime).toBe(300_000);
});

test('nobody can wait longer than a clock of a browser counts', async () => {
  vi.useFakeTimers();
  globalThis.fetch = (request) =>
    new Promise((_resolve, reject) => {
      const { signal } = request as Request;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  let outcome: unknown = null;
  const patience = { timeout: 2_147_483_648 };
  void call(devicesApi.list, { params: { wg: 'demo' } }, undefined, patience).catch((error: unknown) => {
    outcome = error;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(2_147_483_647);
  expect(outcome).toMatchObject({ message: 'Request timed out' });
});

test('a file is waited for 300 s, and no longer', async () => {
  vi.useFakeTimers();
  globalThis.fetch = (request) =>
    new Promise((_resolve, reject) => {
      const { signal } = request as Request;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  let outcome: unknown = null;
  const input = { params: { wg: 'demo', device: crypto.randomUUID() }, query: { path: '/tmp/a.bin' } };
  void download(deviceFilesApi.get, input).catch((error: unknown) => {
    outcome = error;
  });
  await vi.advanceTimersByTimeAsync(299_000);
  expect(outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  expect(outcome).toMatchObject({ message: 'Request timed out' });
});

test("the dashboard that comes first has 'overview' in its name, or is the first", () => {
  const heads = ['Sites', 'Overview of all', 'Wall'].map((name) => ({ name }) as never);
  expect(defaultBoard(heads)).toMatchObject({ name: 'Overview of all' });
  expect(defaultBoard(heads.slice(2))).toMatchObject({ name: 'Wall' });
});

test('there are about 240 countries, each with its dial code', () => {
  const all = countriesIn('en');
  expect(all.length).toBeGreaterThan(235);
  expect(all.length).toBeLessThan(255);
  expect(all.find(({ code }) => code === 'AT')).toMatchObject({ name: 'Austria', dialCode: '+43' });
});
