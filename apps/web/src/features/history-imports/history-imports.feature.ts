import { historyImportsScreens } from '@albedo/contract/history-imports/history-imports.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminData,
  path: '/imports',
  staticData: {
    access: historyImportsScreens['/admin/data/imports'],
    title: 'historyImports.title',
    support: 'history-imports',
    tab: { at: 40, context: 'historyImports.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./history-import-list.tsx'), 'HistoryImportList'),
});

/** History of elsewhere, from files. */
export const historyImports = {
  dataRoutes: [list],
  parts: {
    findings: [{ at: 70, load: () => import('./history-imports.findings.ts') }],
  },
} as const satisfies Feature;
