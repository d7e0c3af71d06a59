import { machinesScreens } from '@albedo/contract/machines/machines.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminEntities } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminEntities,
  path: '/machines',
  staticData: {
    access: machinesScreens['/admin/entities/machines'],
    title: 'machines.title',
    support: 'machines',
    tab: { at: 40, context: 'machines.context', isFilling: true, addon: 'machines' },
  },
  component: lazyRouteComponent(() => import('./machine-list.tsx'), 'MachineList'),
});

const machine = createRoute({
  getParentRoute: () => shell,
  path: '/admin/entities/machines/$id',
  staticData: {
    access: machinesScreens['/admin/entities/machines/$id'],
    title: 'machines.one',
    support: 'machines',
  },
  component: lazyRouteComponent(() => import('./machine-page.tsx'), 'MachinePage'),
});

/** The types of entities. */
export const machines = { entityRoutes: [list], routes: [machine] } as const satisfies Feature;
