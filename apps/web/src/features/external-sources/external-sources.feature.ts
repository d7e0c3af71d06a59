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
    findings: [
      {
        at: 60,
        kind: 'external-sources',
        name: 'externalSources.found.name',
        title: 'externalSources.found.title',
        advice: 'externalSources.found.advice',
        to: '/admin/data/external-sources',
        go: 'externalSources.found.go',
      },
    ],
  },
} as const satisfies Feature;
