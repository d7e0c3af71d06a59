import { ENERGY_REPORTS } from '@albedo/contract/energy/energy.names';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { IconReportAnalytics } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { reportArea } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const component = lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage');

/** One screen for each report; it tells by its address which one it is. */
const reports = ENERGY_REPORTS.map((name, at) =>
  createRoute({
    getParentRoute: () => reportArea,
    path: `/${name}` as const,
    staticData: {
      access: energyScreens[`/report/${name}`],
      title: `energy.reports.${name}`,
      support: 'reports',
      tab: { at, context: 'energy.context' },
    },
    component,
  }),
);

/** Reports on counted energy. */
export const energy = {
  routes: [reportArea.addChildren(reports)],
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
