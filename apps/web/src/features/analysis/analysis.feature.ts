import { analysisScreens } from '@albedo/contract/analysis/analysis.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const page = createRoute({
  getParentRoute: () => shell,
  path: '/analysis',
  staticData: { access: analysisScreens['/analysis'], title: 'analysis.title', support: 'analysis' },
  component: lazyRouteComponent(() => import('./analysis-page.tsx'), 'AnalysisPage'),
});

const byEntity = createRoute({
  getParentRoute: () => shell,
  path: '/analysis/entities',
  staticData: {
    access: analysisScreens['/analysis/entities'],
    title: 'analysis.entities.title',
    support: 'analysis',
  },
  component: lazyRouteComponent(() => import('./entity-analysis-page.tsx'), 'EntityAnalysisPage'),
});

/** Charts over any fields of any devices, and over what entities measure. */
export const analysis = { routes: [page, byEntity] } as const satisfies Feature;
