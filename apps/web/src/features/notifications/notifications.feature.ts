import { notificationsScreens } from '@albedo/contract/notifications/notifications.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const page = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/notifications',
  staticData: {
    access: notificationsScreens['/admin/workgroup/notifications'],
    title: 'notifications.title',
    support: 'notifications',
    tab: { at: 25, context: 'notifications.context' },
  },
  component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'NotificationsPage'),
});

/** Who is told what of incidents, and how. */
export const notifications = {
  workgroupRoutes: [page],
  parts: {
    findings: [{ at: 80, load: () => import('./notifications.findings.ts') }],
    profile: [
      {
        at: 45,
        id: 'notifications',
        title: 'profile.tabs.notifications',
        Content: lazyRouteComponent(() => import('./own-notifications-panel.tsx'), 'OwnNotificationsPanel'),
      },
    ],
    deviceAside: [
      { at: 90, Content: lazyRouteComponent(() => import('./follow-device.tsx'), 'FollowDevice') },
    ],
    background: [{ at: 60, Content: lazyRouteComponent(() => import('./push-answers.tsx'), 'PushAnswers') }],
  },
} as const satisfies Feature;
