import { afterEach, expect, test, vi } from 'vitest';
import { keepInPocket } from './pocket.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
});

/** What is kept when the app of `/assets/index-own.js` runs and the server answers `page`. */
async function keptOf(page: string, before: string[] = []): Promise<string[]> {
  const kept = before.map((one) => window.location.origin + one);
  vi.useFakeTimers();
  vi.stubEnv('PROD', true);
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => {}, ready: Promise.resolve() } });
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (file: string) => kept.find((one) => one === file),
      keys: async () => kept.map((url) => ({ url })),
      delete: async ({ url }: { url: string }) => kept.splice(kept.indexOf(url), 1),
      add: async (file: string) => kept.push(file),
      put: async (file: string) => kept.push(file),
    }),
  });
  vi.stubGlobal('fetch', async () => new Response(page));
  const loaded = [{ name: `${window.location.origin}/assets/main-1.js` }];
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(loaded as PerformanceEntry[]);
  document.head.innerHTML = '<script type="module" src="/assets/index-own.js"></script>';
  keepInPocket();
  await vi.advanceTimersByTimeAsync(5000);
  return kept.map((one) => one.replace(window.location.origin, ''));
}

test('the page is kept after the files that it needs', async () => {
  const page = '<script type="module" crossorigin src="/assets/index-own.js"></script>';
  expect(await keptOf(page)).toEqual(['/assets/main-1.js', '/']);
});

test('the page of a release that does not run here is not kept, since none of its files are', async () => {
  const page = '<script type="module" crossorigin src="/assets/index-next.js"></script>';
  expect(await keptOf(page)).toEqual(['/assets/main-1.js']);
});

test('files of releases before go, the oldest first, and never those that run', async () => {
  const old = Array.from({ length: 1600 }, (_, n) => `/assets/old-${n}.js`);
  const kept = await keptOf('', ['/assets/main-1.js', ...old]);
  expect(kept).toHaveLength(1500);
  expect(kept.slice(0, 2)).toEqual(['/assets/main-1.js', '/assets/old-101.js']);
});
