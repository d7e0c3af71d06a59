import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadAhead } from '../ui/load-ahead.ts';
import { isStaleAsset, recoverFromStaleAssets } from './stale-assets.ts';

/** A screen that cannot be loaded, as Vite reports it; true where the failure was handled. */
function failToLoad(message: string): boolean {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), {
    payload: new Error(message),
  });
  return !window.dispatchEvent(event);
}

const replace = vi.fn();
const fetched = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  replace.mockClear();
  fetched.mockReset().mockResolvedValue({ ok: true });
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { href: 'https://albedo.example/devices?q=1', replace });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  'Failed to fetch dynamically imported module: https://albedo.example/assets/a.js',
  'Importing a module script failed.',
  'Failed to load module script: Expected a JavaScript module script',
])('"%s" is a file that went with its release', (message) => {
  expect(isStaleAsset(new Error(message))).toBe(true);
  expect(isStaleAsset(new Error('x is not a function'))).toBe(false);
});

test('the first one reloads the page past the caches, and no other one does until ten seconds after a start', async () => {
  const listened = vi.spyOn(window, 'addEventListener');
  recoverFromStaleAssets();
  const [, handle] = listened.mock.calls.find(([name]) => name === 'vite:preloadError') ?? [];
  expect(failToLoad('x is not a function')).toBe(false);
  await loadAhead(async () => expect(failToLoad('Importing a module script failed.')).toBe(false));
  expect(fetched).not.toHaveBeenCalled();
  // The server is just being started: its first answer is waited for.
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce({ ok: false });
  expect(failToLoad('Importing a module script failed.')).toBe(true);
  await vi.advanceTimersByTimeAsync(1900);
  expect(replace).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  const [to] = replace.mock.calls[0] as [URL];
  expect(to.pathname).toBe('/devices');
  expect(to.searchParams.get('q')).toBe('1');
  expect(to.searchParams.get('_fresh')).toMatch(/^\d+$/);
  await vi.advanceTimersByTimeAsync(7800);
  expect(failToLoad('Importing a module script failed.')).toBe(false);
  expect(replace).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(failToLoad('Importing a module script failed.')).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(replace).toHaveBeenCalledTimes(2);
  window.removeEventListener('vite:preloadError', handle as EventListener);
});
