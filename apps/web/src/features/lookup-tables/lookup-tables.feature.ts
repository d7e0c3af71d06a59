import { lookupTablesScreens } from '@albedo/contract/lookup-tables/lookup-tables.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/lookup-tables',
  staticData: {
    access: lookupTablesScreens['/admin/workgroup/lookup-tables'],
    title: 'lookupTables.title',
    support: 'lookup-tables',
    tab: { at: 35, context: 'lookupTables.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./lookup-table-list.tsx'), 'LookupTableList'),
});

/** Words for the codes that devices send. */
export const lookupTables = { workgroupRoutes: [list] } as const satisfies Feature;
