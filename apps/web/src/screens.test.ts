import { type Access, isBound, lackOf } from '@albedo/contract/access/access';
import { ADDON_IDS, type AddonId } from '@albedo/contract/access/addons';
import { PERMISSION_CODES, type Permission, ROLES } from '@albedo/contract/access/permissions';
import type { Screen, Screens } from '@albedo/contract/access/screens';
import type { Api, Endpoint } from '@albedo/contract/http/endpoint';
import { expect, test } from 'vitest';
import { denialOf, type RouteInfo, type Visitor } from './app/guard.ts';
import { openInside } from './app/inside.ts';
import { router } from './router.tsx';

await openInside();

const contract = import.meta.glob<object>('../../../packages/contract/src/**/*.{api,screens}.ts', {
  eager: true,
});
/** What the contract exports under names with this end. */
const exported = <T>(end: 'Api' | 'Screens'): T[] =>
  Object.values(contract)
    .flatMap(Object.entries)
    .flatMap(([name, value]) => (name.endsWith(end) ? [value as T] : []));
const screens = exported<Screens>('Screens').flatMap((some): [string, Screen][] => Object.entries(some));
const endpoints = new Map<string, Endpoint>(
  exported<Api>('Api').flatMap((api) =>
    Object.values(api).map((one): [string, Endpoint] => [`${one.method} ${one.url}`, one]),
  ),
);

const PERMISSIONS = Object.keys(PERMISSION_CODES) as Permission[];

/** Everybody who differs for a declaration: each role, with each permission alone, in a device group or none, and so on. */
const visitors = ROLES.flatMap((role) =>
  [[], ...PERMISSIONS.map((one) => [one])].flatMap((permissions) =>
    [null, 'north'].flatMap((devGroup) =>
      [[], [...ADDON_IDS]].flatMap((addons) =>
        [true, false].map(
          (isStaff): Visitor => ({
            scope: { role, permissions, ps: '', devGroup, scopes: { device: [] } },
            isStaff,
            addons,
            settings: { meterSites: true, perfRatio: true },
          }),
        ),
      ),
    ),
  ),
);

/** What the server refuses the visitor for; null where it answers. Which rules there are, it tells itself. */
function refusalOf({ who, unbound, addon }: Access, { scope, isStaff, addons }: Visitor): string | null {
  const lack = lackOf(who, { scope, isStaff });
  if (lack) return lack;
  if (unbound && isBound(scope)) return 'device group';
  return addon !== undefined && !addons.includes(addon) ? addon : null;
}

/** Pairs of a screen and an endpoint that may refuse somebody for whom the screen opens, and why that is well. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '/display GET /display': 'its address carries a token of its own, and without one it says so',
};

const pairs = screens.flatMap(([path, screen]) =>
  (screen.needs ?? []).map((key): [string, string, Screen] => [path, key, screen]),
);

test.each(pairs)('whoever may open %s may call %s', (path, key, screen) => {
  const endpoint = endpoints.get(key);
  if (!endpoint) throw new Error(`No endpoint is declared as ${key}.`);
  if (EXCEPTIONS[`${path} ${key}`]) return;
  const led = visitors.filter((one) => denialOf(screen, one) === null && refusalOf(endpoint.access, one));
  expect(led).toEqual([]);
});

/** Endpoints that serve several screens, with an addon and without: members may read these figures without any. */
const BY_NAME: readonly string[] = ['GET /energy/:wg/reports/:report', 'GET /energy/:wg/config/:config'];

test('what a screen asks of the workgroup is asked by an endpoint behind it too, and not in the browser alone', () => {
  for (const [path, { addon, needs = [] }] of screens) {
    if (addon === undefined || needs.every((key) => BY_NAME.includes(key))) continue;
    const asked = needs.map((key) => endpoints.get(key)?.access.addon);
    expect([path, [addon].flat().every((one) => asked.includes(one as AddonId))]).toEqual([path, true]);
  }
});

test('every address has the access that the contract declares for it, and none is declared twice', () => {
  const routes: Record<string, { options: { staticData?: RouteInfo } }> = router.routesByPath;
  const byPath = new Map(screens);
  expect(byPath.size).toBe(screens.length);
  for (const [path, { options }] of Object.entries(routes))
    expect([path, options.staticData?.access]).toEqual([path, byPath.get(path)]);
});

test('every screen that shows something names an endpoint', () => {
  const routes: Record<string, { options: { staticData?: RouteInfo } }> = router.routesByPath;
  const silent = Object.entries(routes).flatMap(
    ([
      path,
      {
        options: { staticData },
      },
    ]) => (staticData?.title && !staticData.access?.needs ? [path] : []),
  );
  // They say what happened, and ask for nothing.
  expect(silent.toSorted()).toEqual([
    '/access-denied',
    '/logout',
    '/logout/sso/callback',
    '/session-expired',
  ]);
});
