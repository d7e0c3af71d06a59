import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

/** Around every configuration of reports; its tabs are those that the visitor may open. */
const area = createRoute({
  getParentRoute: () => shell,
  path: '/admin/reports',
  staticData: { access: energyScreens['/admin/reports'], area: { title: 'menu.reports' } },
  component: lazyRouteComponent(() => import('../../app/area-page.tsx'), 'AreaPage'),
});

const config = <const Name extends EnergyConfigName>(
  name: Name,
  at: number,
  title: string,
  component: RouteComponent,
) =>
  createRoute({
    getParentRoute: () => area,
    path: `/${name}` as const,
    staticData: {
      access: energyScreens[`/admin/reports/${name}`],
      title,
      support: 'report-settings',
      tab: { at, context: 'energyConfig.context' },
    },
    component,
  });

/** What reports on energy stand on. */
export const energyConfig = {
  routes: [
    area.addChildren([
      config(
        'daily-energy-config',
        10,
        'energy.configs.daily-energy-config',
        lazyRouteComponent(() => import('./daily-energy-page.tsx'), 'DailyEnergyPage'),
      ),
      config(
        'performance-ratio-config',
        20,
        'energy.configs.performance-ratio-config',
        lazyRouteComponent(() => import('./performance-ratio-page.tsx'), 'PerformanceRatioPage'),
      ),
      config(
        'capacity-factor-config',
        30,
        'energy.configs.capacity-factor-config',
        lazyRouteComponent(() => import('./capacity-factor-page.tsx'), 'CapacityFactorPage'),
      ),
      config(
        'meter-data-config',
        40,
        'energy.configs.meter-data-config',
        lazyRouteComponent(() => import('./meter-data-page.tsx'), 'MeterDataPage'),
      ),
      config(
        'availability-config',
        50,
        'energy.configs.availability-config',
        lazyRouteComponent(() => import('./availability-page.tsx'), 'AvailabilityPage'),
      ),
      config(
        'iec-perf-ratio-config',
        60,
        'energy.configs.iec-perf-ratio-config',
        lazyRouteComponent(() => import('./iec-page.tsx'), 'IecPage'),
      ),
      config(
        'mppt-extract-config',
        70,
        'energy.configs.mppt-extract-config',
        lazyRouteComponent(() => import('./mppt-page.tsx'), 'MpptPage'),
      ),
    ]),
  ],
  parts: { menu: [{ at: 50, under: 'menu.admin', title: 'menu.reports', to: '/admin/reports' }] },
} as const satisfies Feature;
