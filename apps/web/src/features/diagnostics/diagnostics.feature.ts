import { diagnosticsScreens } from '@albedo/contract/diagnostics/diagnostics.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';
import { reportError } from './diagnostics.queries.ts';
import { useFindingsBadge } from './findings.ts';

const findings = createRoute({
  getParentRoute: () => adminData,
  path: '/diagnostics',
  staticData: {
    access: diagnosticsScreens['/admin/data/diagnostics'],
    title: 'diagnostics.title',
    support: 'diagnostics',
    tab: { at: 60, context: 'diagnostics.context' },
  },
  component: lazyRouteComponent(() => import('./findings-page.tsx'), 'FindingsPage'),
});

/** What needs attention in a workgroup, and errors and page views for the staff. Reports failures that people would not report. */
export const diagnostics = {
  report: reportError,
  dataRoutes: [findings],
  parts: {
    menu: [
      {
        at: 70,
        under: 'menu.admin',
        title: 'diagnostics.title',
        to: '/admin/data/diagnostics',
        useBadge: useFindingsBadge,
      },
    ],
    opsteam: [
      {
        at: 76,
        id: 'errors',
        title: 'opsteam.tabs.errors',
        context: 'opsteam.context.errors',
        Content: lazyRouteComponent(() => import('./browser-error-table.tsx'), 'BrowserErrorTable'),
      },
      {
        at: 78,
        id: 'pages',
        title: 'opsteam.tabs.pages',
        context: 'opsteam.context.pages',
        Content: lazyRouteComponent(() => import('./page-use-table.tsx'), 'PageUseTable'),
      },
    ],
  },
} as const satisfies Feature;
