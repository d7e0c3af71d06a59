import { externalSourcesScreens } from '@albedo/contract/external-sources/external-sources.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminData,
  path: '/external-sources',
  staticData: {
    access: externalSourcesScreens['/admin/data/external-sources'],
    title: 'externalSources.title',
    support: 'external-sources',
    tab: { at: 30, context: 'externalSources.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./external-source-list.tsx'), 'ExternalSourceList'),
});

/** Data that comes without an agent. */
export const externalSources = {
  dataRoutes: [list],
  parts: {
    findings: [{ at: 60, load: () => import('./external-sources.findings.ts') }],
  },
} as const satisfies Feature;
