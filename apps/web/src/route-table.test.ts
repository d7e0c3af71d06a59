import { expect, test } from 'vitest';
import type { RouteGuard } from './app/guard.ts';
import { openInside } from './app/inside.ts';
import { guardWithoutScreen } from './app/route-table.ts';
import { router } from './router.tsx';

await openInside();

const coordinate: RouteGuard = { permissions: ['coordinate'] };
const access: RouteGuard = { permissions: ['manageAccess'] };
const people: RouteGuard = { permissions: ['manageAccess', 'wgMembers'] };
const groups: RouteGuard = { permissions: ['coordinate', 'manageAccess', 'manageDevices'] };
const everybody: RouteGuard = { dashboardOnly: true, restricted: true };
const withAddon = (addon: string, guard: RouteGuard = {}): RouteGuard => ({ ...guard, addons: [addon] });
const calculations = withAddon('calculations', coordinate);
const dailyEnergy = withAddon('daily-energy', coordinate);

/** Every route as specification 1, section 2 lists it. */
const LISTED: Readonly<Record<string, RouteGuard>> = {
  '/': everybody,
  '/access-denied': everybody,
  '/activate/$token': everybody,
  '/invitation/$orgName/$token': everybody,
  '/login': everybody,
  '/login/sso': everybody,
  '/login/sso/callback': everybody,
  '/logout': everybody,
  '/logout/sso/callback': everybody,
  '/reset/$token': everybody,
  '/session-expired': everybody,
  '/signup': {},
  '/newannouncements': {},
  '/vrouter': {},
  '/$': everybody,
  '/profile': everybody,
  '/announcements': everybody,
  '/alerts': {},
  '/analysis': { restricted: true },
  '/analysis/entities': {},
  '/control/schedules': withAddon('schedules'),
  '/control/schedules/$schedule': withAddon('schedules'),
  '/control/devices': withAddon('schedules'),
  '/control/devices/$deviceId': withAddon('schedules'),
  '/control/devices/$deviceId/$schedule': withAddon('schedules'),
  '/entities/dash3': { dashboardOnly: true },
  '/entities/dash3/$board': { dashboardOnly: true },
  '/entities/dash3/$board/$entity': { dashboardOnly: true },
  '/entities/dash3-edit': {
    ...coordinate,
    rule: { resourceType: 'Dashboard', action: 'create', label: 'Create Dashboard' },
  },
  '/entities/dash3-edit/$id': coordinate,
  '/kpis/$kpiId': {},
  '/kpis/calculation/$calculationId': {},
  // Section 6 shows restricted read-only users Devices in their menu, so it opens for them too.
  '/devices': { restricted: true },
  '/devices/$deviceId': { restricted: true },
  '/devices/$deviceId/$tab': { restricted: true },
  '/devices/bulk-actions': { permissions: ['controlDevices'] },
  '/search': {},
  '/search/$searchId': {},
  '/photos': {},
  '/opsteam': { staff: true },
  '/report': {},
  '/report/energy': {},
  '/report/daily-energy': withAddon('daily-energy'),
  '/report/performance-ratio': withAddon('solar-reporting', { settings: ['meterSites'] }),
  '/report/daily-energy-anomalies': withAddon('daily-energy'),
  '/report/capacity-factor': { settings: ['perfRatio'] },
  '/report/inverter-performance': withAddon('solar-reporting', { settings: ['perfRatio'] }),
  '/report/iec-performance-ratio': withAddon('iec-perf-ratio'),
  '/admin/access': people,
  '/admin/access/users': people,
  '/admin/access/invites': access,
  '/admin/access/api-tokens': access,
  '/admin/access/access-control': access,
  '/admin/data': coordinate,
  '/admin/data/tables': coordinate,
  '/admin/data/tables/$table': coordinate,
  '/admin/data/storage': coordinate,
  '/admin/data/external-sources': coordinate,
  '/admin/data/kpis': calculations,
  '/admin/data/calculations': calculations,
  '/admin/data/calculations/$calculation': calculations,
  '/admin/entities': coordinate,
  '/admin/entities/manage': coordinate,
  '/admin/entities/labels': coordinate,
  '/admin/entities/dashboards': coordinate,
  '/admin/entities/machines': withAddon('machines', coordinate),
  '/admin/entities/machines/$id': withAddon('machines', coordinate),
  '/admin/reports': coordinate,
  '/admin/reports/daily-energy-config': dailyEnergy,
  '/admin/reports/performance-ratio-config': dailyEnergy,
  '/admin/reports/capacity-factor-config': dailyEnergy,
  '/admin/reports/meter-data-config': dailyEnergy,
  '/admin/reports/availability-config': withAddon('availability', coordinate),
  '/admin/reports/iec-perf-ratio-config': withAddon('iec-perf-ratio', coordinate),
  '/admin/reports/mppt-extract-config': withAddon('mppt-extract', coordinate),
  '/admin/workgroup': coordinate,
  '/admin/workgroup/settings': coordinate,
  '/admin/workgroup/appearance': coordinate,
  // What the provider sells is hidden from customers.
  '/admin/workgroup/addons': { ...coordinate, staff: true },
  '/admin/workgroup/labelling': coordinate,
  '/admin/workgroup/metadata': coordinate,
  '/admin/workgroup/lookup-tables': coordinate,
  '/admin/workgroup/searches': access,
  '/admin/workgroup/device-groups': groups,
  '/admin/workgroup/security-services': { permissions: ['manageDevices'] },
  '/device-groups/$devGroupId': groups,
};
const GUARDS = ['addons', 'settings', 'permissions', 'dashboardOnly', 'restricted', 'staff', 'rule'] as const;

/** The guard of a path, of its screen or of the table of those that have none. */
function guardOf(path: string): RouteGuard | null {
  const routes: Record<string, { options: { staticData?: RouteGuard } }> = router.routesByPath;
  const route = routes[path];
  const info = route ? route.options.staticData : guardWithoutScreen(path.replace(/\$\w+/g, 'x'));
  if (route && !info) return {};
  return info ? Object.fromEntries(GUARDS.flatMap((one) => (info[one] ? [[one, info[one]]] : []))) : null;
}

test.each(Object.entries(LISTED))('%s has the guard that the specification lists', (path, guard) => {
  expect(guardOf(path)).toEqual(guard);
});

test.each(Object.keys(LISTED))('%s is led to by the router, and to no other screen', (path) => {
  const [, , found] = router.getMatchedRoutes(path.replace(/\$\w+/g, 'x'));
  expect(found?.fullPath.replace(/(?<=.)\/$/, '')).toBe(path in router.routesByPath ? path : '/$');
});

test('an address with an end too many, or that means nothing, has no guard', () => {
  expect(guardWithoutScreen('/control/devices/1/2/3')).toBeNull();
  expect(guardWithoutScreen('/no-such-page')).toBeNull();
  expect(guardWithoutScreen('/analysis/')).toEqual({ restricted: true });
});
