import { dataTablesScreens } from '@albedo/contract/data-tables/data-tables.screens';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const index = createRoute({
  getParentRoute: () => adminData,
  path: '/',
  staticData: { access: dataTablesScreens['/admin/data'] },
  beforeLoad: () => {
    throw redirect({ to: '/admin/data/tables', replace: true });
  },
});

const list = createRoute({
  getParentRoute: () => adminData,
  path: '/tables',
  staticData: {
    access: dataTablesScreens['/admin/data/tables'],
    title: 'dataTables.title',
    support: 'data-tables',
    tab: { at: 10, context: 'dataTables.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./data-table-list.tsx'), 'DataTableList'),
});

const details = createRoute({
  getParentRoute: () => adminData,
  path: '/tables/$table',
  staticData: {
    access: dataTablesScreens['/admin/data/tables/$table'],
    title: 'dataTables.title',
    support: 'data-tables',
  },
  component: lazyRouteComponent(() => import('./data-table-page.tsx'), 'DataTablePage'),
});

const storage = createRoute({
  getParentRoute: () => adminData,
  path: '/storage',
  staticData: {
    access: dataTablesScreens['/admin/data/storage'],
    title: 'dataTables.storage.title',
    support: 'data-tables',
    tab: { at: 20, context: 'dataTables.storage.context' },
  },
  component: lazyRouteComponent(() => import('./storage-page.tsx'), 'StoragePage'),
});

/** The tables of telemetry as an administrator sees them. */
export const dataTables = {
  dataRoutes: [index, list, details, storage],
  parts: {
    workgroupSettings: [
      { at: 47, Content: lazyRouteComponent(() => import('./retention-form.tsx'), 'DefaultRetention') },
    ],
  },
} as const satisfies Feature;
