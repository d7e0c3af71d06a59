import { FRONTEND_VERSION } from '@albedo/contract/product';
import { expect, test, vi } from 'vitest';
import { isOutdated } from './first-version.ts';

test.each([
  ['another release', async () => said('9.9.9'), true],
  ['the same release', async () => said(FRONTEND_VERSION), false],
  ['a proxy that says nothing of it', async () => new Response('<html>', { status: 502 }), false],
  ['no network', async () => Promise.reject(new TypeError('Failed to fetch')), false],
])('a page that the app did not take over yet hears of %s', async (_, answer, is) => {
  vi.stubGlobal('fetch', answer);
  expect(await isOutdated()).toBe(is);
});

const said = (version: string) => new Response('{}', { headers: { 'x-frontend-version': version } });
