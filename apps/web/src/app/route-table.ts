import type { RouteGuard, RuleGuard } from './guard.ts';

const coordinate: RouteGuard = { permissions: ['coordinate'] };
const access: RouteGuard = { permissions: ['manageAccess'] };
const createDashboard: RuleGuard = {
  resourceType: 'Dashboard',
  action: 'create',
  label: 'Create Dashboard',
};
const withAddon = (addon: string, guard: RouteGuard = {}): RouteGuard => ({ ...guard, addons: [addon] });

/**
 * Guards of the application routes that have no screen: visitors who lack something read what it is, all others that
 * there is no such page. Source: specification 1, section 2.
 */
const ROUTES_WITHOUT_SCREEN: Readonly<Record<string, RouteGuard>> = {
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
  '/entities/dash3-edit': { ...coordinate, rule: createDashboard },
  '/entities/dash3-edit/$id': coordinate,
  '/kpis/$kpiId': {},
  '/kpis/calculation/$calculationId': {},
  '/search': {},
  '/search/$searchId': {},
  '/photos': {},
  '/report': {},
  '/report/energy': {},
  '/report/daily-energy': withAddon('daily-energy'),
  '/report/performance-ratio': withAddon('solar-reporting', { settings: ['meterSites'] }),
  '/report/daily-energy-anomalies': withAddon('daily-energy'),
  '/report/capacity-factor': { settings: ['perfRatio'] },
  '/report/inverter-performance': withAddon('solar-reporting', { settings: ['perfRatio'] }),
  '/report/iec-performance-ratio': withAddon('iec-perf-ratio'),
  '/admin/data': coordinate,
  '/admin/data/tables': coordinate,
  '/admin/data/tables/$table': coordinate,
  '/admin/data/storage': coordinate,
  '/admin/data/external-sources': coordinate,
  '/admin/data/kpis': withAddon('calculations', coordinate),
  '/admin/data/calculations': withAddon('calculations', coordinate),
  '/admin/data/calculations/$calculation': withAddon('calculations', coordinate),
  '/admin/entities': coordinate,
  '/admin/entities/manage': coordinate,
  '/admin/entities/labels': coordinate,
  '/admin/entities/dashboards': coordinate,
  '/admin/entities/machines': withAddon('machines', coordinate),
  '/admin/entities/machines/$id': withAddon('machines', coordinate),
  '/admin/reports': coordinate,
  '/admin/reports/daily-energy-config': withAddon('daily-energy', coordinate),
  '/admin/reports/performance-ratio-config': withAddon('daily-energy', coordinate),
  '/admin/reports/capacity-factor-config': withAddon('daily-energy', coordinate),
  '/admin/reports/meter-data-config': withAddon('daily-energy', coordinate),
  '/admin/reports/availability-config': withAddon('availability', coordinate),
  '/admin/reports/iec-perf-ratio-config': withAddon('iec-perf-ratio', coordinate),
  '/admin/reports/mppt-extract-config': withAddon('mppt-extract', coordinate),
  '/admin/workgroup/labelling': coordinate,
  '/admin/workgroup/metadata': coordinate,
  '/admin/workgroup/searches': access,
  '/admin/workgroup/security-services': { permissions: ['manageDevices'] },
};

const routes = Object.entries(ROUTES_WITHOUT_SCREEN).map(
  ([path, guard]) => [new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`), guard] as const,
);

/** Guard of an application route that has no screen; null for an address that means nothing. Exact paths win. */
export function guardWithoutScreen(path: string): RouteGuard | null {
  return ROUTES_WITHOUT_SCREEN[path] ?? routes.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
