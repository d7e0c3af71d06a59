import { kpisScreens } from '@albedo/contract/kpis/kpis.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminData,
  path: '/kpis',
  staticData: {
    access: kpisScreens['/admin/data/kpis'],
    title: 'kpis.title',
    support: 'kpis',
    tab: { at: 40, context: 'kpis.context', addon: 'calculations' },
  },
  component: lazyRouteComponent(() => import('./kpi-list.tsx'), 'KpiList'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/kpis/$kpiId',
  staticData: { access: kpisScreens['/kpis/$kpiId'], title: 'kpis.one', support: 'kpis' },
  component: lazyRouteComponent(() => import('./kpi-page.tsx'), 'KpiPage'),
});

/** Figures of entities, and where they come from. */
export const kpis = { dataRoutes: [list], routes: [one] } as const satisfies Feature;
