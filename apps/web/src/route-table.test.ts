import { adminCan, anyone, can, member, signedIn, staff } from '@albedo/contract/access/access';
import type { AddonId } from '@albedo/contract/access/addons';
import type { Screen } from '@albedo/contract/access/screens';
import { expect, test } from 'vitest';
import type { RouteInfo } from './app/guard.ts';
import { openInside } from './app/inside.ts';
import { router } from './router.tsx';

await openInside();

type Guard = Omit<Screen, 'needs'>;
const coordinate = can('coordinate');
const access = can('manageAccess');
const people = can('manageAccess', 'wgMembers');
const groups = can('coordinate', 'manageAccess', 'manageDevices');
const everybody: Guard = { ...anyone, dashboardOnly: true, restricted: true };
const signedUp: Guard = { ...everybody, ...signedIn };
const withAddon = (addon: AddonId, guard: Guard = member): Guard => ({ ...guard, addon });
/** Nothing of it can be saved by members of a device group. */
const ofAll: Guard = { ...coordinate, unbound: true };
const calculations = withAddon('calculations', coordinate);
const dailyEnergy = withAddon('daily-energy', coordinate);

/** Every route as specification 1, section 2 lists it. */
const LISTED: Readonly<Record<string, Guard>> = {
  '/': everybody,
  '/access-denied': signedUp,
  '/activate/$token': everybody,
  '/invitation/$orgName/$token': everybody,
  '/login': everybody,
  '/login/sso': everybody,
  '/login/sso/callback': everybody,
  '/logout': everybody,
  '/logout/sso/callback': everybody,
  '/reset/$token': everybody,
  '/session-expired': everybody,
  '/signup': anyone,
  '/newannouncements': signedIn,
  '/vrouter': anyone,
  '/$': everybody,
  '/profile': signedUp,
  '/announcements': signedUp,
  '/alerts': member,
  '/analysis': { ...member, restricted: true },
  '/analysis/entities': member,
  '/control/schedules': withAddon('schedules'),
  '/control/schedules/$schedule': withAddon('schedules'),
  '/control/devices': withAddon('schedules'),
  '/control/devices/$deviceId': withAddon('schedules'),
  '/control/devices/$deviceId/$schedule': withAddon('schedules'),
  '/entities/dash3': { ...member, dashboardOnly: true },
  '/entities/dash3/$board': { ...member, dashboardOnly: true },
  '/entities/dash3/$board/$entity': { ...member, dashboardOnly: true },
  '/entities/dash3-edit': {
    ...coordinate,
    rule: { resource: 'Dashboard', action: 'create', on: 'all' },
  },
  '/entities/dash3-edit/$id': coordinate,
  '/kpis/$kpiId': member,
  '/kpis/calculation/$calculationId': member,
  // Section 6 shows restricted read-only users Devices in their menu, so it opens for them too.
  '/devices': { ...member, restricted: true },
  '/devices/$deviceId': { ...member, restricted: true },
  '/devices/$deviceId/$tab': { ...member, restricted: true },
  '/devices/bulk-actions': can('controlDevices'),
  '/search': member,
  '/search/$searchId': member,
  '/photos': member,
  '/opsteam': staff,
  '/report': member,
  '/report/energy': member,
  '/report/daily-energy': withAddon('daily-energy'),
  '/report/performance-ratio': withAddon('solar-reporting', { ...member, settings: ['meterSites'] }),
  '/report/daily-energy-anomalies': withAddon('daily-energy'),
  '/report/capacity-factor': { ...member, settings: ['perfRatio'] },
  '/report/inverter-performance': withAddon('solar-reporting', { ...member, settings: ['perfRatio'] }),
  '/report/iec-performance-ratio': withAddon('iec-perf-ratio'),
  '/admin/access': people,
  '/admin/access/users': people,
  '/admin/access/invites': access,
  '/admin/access/api-tokens': access,
  '/admin/access/access-control': access,
  '/admin/data': coordinate,
  '/admin/data/tables': coordinate,
  '/admin/data/tables/$table': coordinate,
  '/admin/data/storage': adminCan('coordinate'),
  '/admin/data/external-sources': coordinate,
  '/admin/data/imports': { ...coordinate, unbound: true },
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
  '/admin/workgroup': ofAll,
  '/admin/workgroup/settings': ofAll,
  '/admin/workgroup/appearance': ofAll,
  '/admin/workgroup/addons': coordinate,
  '/admin/workgroup/labelling': ofAll,
  '/admin/workgroup/metadata': ofAll,
  '/admin/workgroup/lookup-tables': coordinate,
  '/admin/workgroup/searches': { ...access, unbound: true },
  '/admin/workgroup/device-groups': groups,
  '/admin/workgroup/security-services': can('manageDevices'),
  '/device-groups/$devGroupId': groups,
};
const routes: Record<string, { options: { staticData?: RouteInfo } }> = router.routesByPath;

/** Who may open a path, by its route. */
function guardOf(path: string): Guard | null {
  const { needs: _, ...guard } = routes[path]?.options.staticData?.access ?? {};
  return 'who' in guard ? guard : null;
}

test.each(Object.entries(LISTED))('%s has the guard that the specification lists', (path, guard) => {
  expect(guardOf(path)).toEqual(guard);
});

test.each(Object.keys(LISTED))('%s is led to by the router, and to no other screen', (path) => {
  const [, , found] = router.getMatchedRoutes(path.replace(/\$\w+/g, 'x'));
  expect(found?.fullPath.replace(/(?<=.)\/$/, '')).toBe(path in router.routesByPath ? path : '/$');
});
