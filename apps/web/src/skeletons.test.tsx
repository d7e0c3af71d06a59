import { ADDON_IDS } from '@albedo/contract/access/addons';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { MantineProvider } from '@mantine/core';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { loadAllTexts } from './app/i18n.ts';
import { openInside } from './app/inside.ts';
import { queryClient } from './app/query-client.ts';
import { takeWorkgroups } from './app/session.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { router } from './router.tsx';

await openInside();
await loadAllTexts();

const ID = '7b0f4c56-9a86-4a35-8d5e-f2f3b1c2d3e4';
const screens = (Object.values(router.routesByPath) as AnyRoute[])
  .filter(({ options, parentRoute }) => options.staticData?.title && parentRoute !== router.routeTree)
  .map(({ fullPath }) => fullPath.replace(/(?<=.)\/$/, ''));

/** Screens that need no answer before they show their content. */
const WAITING_FOR_NOTHING = ['/access-denied', '/admin/workgroup/addons', '/alerts/settings', '/search'];

/** Signs in somebody with all rights, in a workgroup with all addons and settings. */
function enter(): void {
  const addons = ADDON_IDS.filter((id) => id !== 'access-control' && id !== 'restricted-readonly');
  const facts = { name: 'demo', displayName: 'Demo', addons: addons.map((id) => ({ id })) };
  signInAs({ staff: true });
  takeWorkgroups([{ ...facts, settings: new Proxy({}, { get: () => true }) } as unknown as Workgroup]);
}

test('every screen that waits for an answer has bar and menu, and the shape of what comes', async () => {
  // Nothing answers.
  fakeNetwork(() => new Promise(() => {}));
  enter();
  const bare: string[] = [];
  await router.navigate({ href: '/devices' });
  await act(async () =>
    render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
        <RouterProvider router={router} />
      </MantineProvider>,
    ),
  );
  await screen.findByRole('main');
  for (const path of new Set(screens)) {
    queryClient.clear();
    const address = path.replace(/\$\w+/g, ID);
    await act(async () => router.navigate({ href: address }));
    expect(router.latestLocation.pathname, path).toBe(address);
    const main = document.getElementById('main');
    const isFramed = document.getElementById('menu') !== null && document.querySelector('header') !== null;
    const shapes = main?.querySelectorAll('.mantine-Skeleton-root').length ?? 0;
    const spinners = main?.querySelectorAll('.mantine-Loader-root').length ?? 0;
    if (!isFramed || shapes === 0 || spinners > 0) bare.push(path);
  }
  expect(bare.toSorted()).toEqual(WAITING_FOR_NOTHING);
}, 120_000);
