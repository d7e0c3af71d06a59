import { ENERGY_CONFIGS } from '@albedo/contract/energy/energy.names';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminReports } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const component = lazyRouteComponent(() => import('./config-pages.tsx'), 'ConfigPages');

/** One screen for each configuration; it tells by its address which one it is. */
const configs = ENERGY_CONFIGS.map((name, at) =>
  createRoute({
    getParentRoute: () => adminReports,
    path: `/${name}` as const,
    staticData: {
      access: energyScreens[`/admin/reports/${name}`],
      title: `energy.configs.${name}`,
      support: 'report-settings',
      tab: { at, context: 'energyConfig.context' },
    },
    component,
  }),
);

/** What reports on energy stand on. */
export const energyConfig = {
  routes: [adminReports.addChildren(configs)],
  parts: {
    menu: [{ at: 50, under: 'menu.admin', title: 'menu.reports', to: '/admin/reports' }],
    workgroupSettings: [
      { at: 40, Content: lazyRouteComponent(() => import('./settings-section.tsx'), 'EnergySettings') },
    ],
  },
} as const satisfies Feature;
