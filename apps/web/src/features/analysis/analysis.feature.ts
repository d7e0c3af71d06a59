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

/** Charts over any fields of any devices. */
export const analysis = { routes: [page] } as const satisfies Feature;
