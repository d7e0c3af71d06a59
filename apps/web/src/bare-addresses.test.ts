import { bareAddresses } from '@albedo/contract/access/bare-addresses';
import { expect, test } from 'vitest';
import { openInside } from './app/inside.ts';
import { takeWorkgroups } from './app/session.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';
import { router } from './router.tsx';

await openInside();

test.each(Object.entries(bareAddresses))('%s leads to %s', async (bare, to) => {
  fakeNetwork(() => ({ body: [] }));
  const scope = { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  takeWorkgroups([
    { name: 'demo', displayName: 'Demo', addons: [{ id: 'daily-energy' }], settings: {} } as never,
  ]);
  await router.navigate({ href: bare });
  expect(router.latestLocation.pathname).toBe(to);
});
