import { member } from '@albedo/contract/access/access';
import { createMemoryHistory, createRoute, createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { root, shell } from './app/base.ts';
import type { Feature } from './app/feature.ts';
import { openInside, provideFeatures } from './app/inside.ts';
import { takeWorkgroups } from './app/session.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';
import { elsewhere } from './features/elsewhere/elsewhere.feature.ts';
import { shellFeature } from './features/shell/shell.feature.ts';

/** Those of specification 1, section 2, that have no screen of their own yet. */
const LISTED = {
  '/report': '/report/energy',
  '/admin/reports': '/admin/reports/daily-energy-config',
} as const;

const screenAt = (path: string, title?: string) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    staticData: { access: member, ...(title ? { title } : {}) },
  } as never);

/** A router that has nothing but these screens. */
async function routerWith(...paths: string[]) {
  const feature: Feature = { routes: paths.map((path) => screenAt(path, 'a.title')) };
  provideFeatures(async () => [elsewhere, shellFeature, feature]);
  await openInside();
  const { publicRoutes } = elsewhere;
  return createRouter({
    routeTree: root.addChildren([...publicRoutes, shell.addChildren([...(feature.routes ?? [])])]),
    history: createMemoryHistory({ initialEntries: ['/vrouter'] }),
  });
}

function enter(): void {
  fakeNetwork(() => ({ body: [] }));
  const scope = { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  const addons = [{ id: 'daily-energy' }];
  takeWorkgroups([{ name: 'demo', displayName: 'Demo', addons, settings: {} } as never]);
}

test.each(Object.entries(LISTED))(
  '%s leads to %s from the day on that this has a screen',
  async (bare, to) => {
    enter();
    const without = await routerWith('/other');
    await without.navigate({ href: bare });
    expect(without.latestLocation.href).toBe(bare);
    const router = await routerWith(to);
    await router.navigate({ href: bare });
    expect(router.latestLocation.href).toBe(to);
  },
);
