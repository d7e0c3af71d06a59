import { webhooksScreens } from '@albedo/contract/webhooks/webhooks.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const page = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/webhooks',
  staticData: {
    access: webhooksScreens['/admin/workgroup/webhooks'],
    title: 'webhooks.title',
    support: 'webhooks',
    tab: { at: 26, context: 'webhooks.context' },
  },
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

/** Sends events to other programs. */
export const webhooks = {
  workgroupRoutes: [page],
  parts: { findings: [{ at: 85, load: () => import('./webhooks.findings.ts') }] },
} as const satisfies Feature;
