import { metadataScreens } from '@albedo/contract/metadata/metadata.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const fields = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/metadata',
  staticData: {
    access: metadataScreens['/admin/workgroup/metadata'],
    title: 'metadata.title',
    support: 'metadata',
    tab: { at: 33, context: 'metadata.context' },
  },
  component: lazyRouteComponent(() => import('./metadata-page.tsx'), 'MetadataPage'),
});

/** What people say of devices and of their sources, and which of it is shown. */
export const metadata = {
  workgroupRoutes: [fields],
  parts: {
    deviceAside: [
      { at: 5, Content: lazyRouteComponent(() => import('./source-info-card.tsx'), 'SourceInfoCard') },
    ],
  },
} as const satisfies Feature;
