import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { IconReportAnalytics } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

/** Around every report; its tabs are the reports that the visitor may open. */
const area = createRoute({
  getParentRoute: () => shell,
  path: '/report',
  staticData: { access: energyScreens['/report'], area: { title: 'menu.report' } },
  component: lazyRouteComponent(() => import('../../app/area-page.tsx'), 'AreaPage'),
});

const component = lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage');

const report = <const Name extends EnergyReportName>(name: Name, at: number, title: string) =>
  createRoute({
    getParentRoute: () => area,
    path: `/${name}` as const,
    staticData: {
      access: energyScreens[`/report/${name}`],
      title,
      support: 'reports',
      tab: { at, context: 'energy.context' },
    },
    component,
  });

/** Reports on counted energy. */
export const energy = {
  routes: [
    area.addChildren([
      report('energy', 10, 'energy.reports.energy'),
      report('daily-energy', 20, 'energy.reports.daily'),
      report('performance-ratio', 30, 'energy.reports.ratio'),
      report('daily-energy-anomalies', 40, 'energy.reports.anomalies'),
      report('capacity-factor', 50, 'energy.reports.capacity'),
      report('inverter-performance', 60, 'energy.reports.inverters'),
      report('iec-performance-ratio', 70, 'energy.reports.iec'),
    ]),
  ],
  parts: {
    menu: [
      {
        at: 70,
        title: 'menu.report',
        to: '/report',
        keys: 'g r',
        Icon: IconReportAnalytics,
        anyOf: ['addon:daily-energy', 'setting:perfRatio', 'setting:meterSites', 'addon:iec-perf-ratio'],
      },
    ],
  },
} as const satisfies Feature;
