import { entitiesScreens } from '@albedo/contract/entities/entities.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminEntities } from '../../app/areas.ts';
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

const EntityDetail = lazyRouteComponent(() => import('./entity-detail.tsx'), 'EntityDetail');

/** Sites and assets as a tree. */
export const entities = {
  entityRoutes: [manage, labels],
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
