import { expect, test, vi } from 'vitest';
import { openInside } from './app/inside.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';

const page = vi.hoisted(() => ({ isFetched: false }));
vi.mock(import('./features/devices/devices-page.tsx'), async (original) => {
  page.isFetched = true;
  return original();
});

test('the files of the first screen are fetched while its guards wait for the server', async () => {
  window.history.replaceState(null, '', '/devices');
  signInAs();
  const asked = fakeNetwork(() => new Promise(() => {}));
  await import('./router.tsx');
  await openInside();
  await vi.waitUntil(() => page.isFetched, { timeout: 20_000 });
  expect(asked).toEqual([]);
});
