import { entitiesScreens } from '@albedo/contract/entities/entities.screens';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { adminEntities, adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';
import { useEntityItems } from './use-entity-items.ts';

const manage = createRoute({
  getParentRoute: () => adminEntities,
  path: '/manage',
  staticData: {
    access: entitiesScreens['/admin/entities/manage'],
    title: 'entities.manage',
    support: 'entities',
    tab: { at: 10, context: 'entities.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./entities-page.tsx'), 'EntitiesPage'),
});

const labels = createRoute({
  getParentRoute: () => adminEntities,
  path: '/labels',
  staticData: {
    access: entitiesScreens['/admin/entities/labels'],
    title: 'entities.labels',
    support: 'entities',
    tab: { at: 20, context: 'entities.labelsContext' },
  },
  component: lazyRouteComponent(() => import('./labels-page.tsx'), 'LabelsPage'),
});

/** The labels that there are belong to entities. */
const labelling = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/labelling',
  staticData: { access: entitiesScreens['/admin/workgroup/labelling'], isUnlisted: true },
  beforeLoad: () => {
    throw redirect({ to: '/admin/entities/labels', replace: true });
  },
});

const EntityDetail = lazyRouteComponent(() => import('./entity-detail.tsx'), 'EntityDetail');

/** Sites and assets as a tree. */
export const entities = {
  entityRoutes: [manage, labels],
  workgroupRoutes: [labelling],
  parts: {
    palette: [
      {
        at: 30,
        category: 'entities',
        useItems: useEntityItems,
        addressOf: (id: string) => `/admin/entities/manage?entity=${encodeURIComponent(id)}`,
        copy: 'search.entityId',
        Detail: EntityDetail,
      },
    ],
  },
} as const satisfies Feature;
