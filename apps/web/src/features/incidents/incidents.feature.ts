import { alertsScreens } from '@albedo/contract/alerts/alerts.screens';
import { IconBell } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { incidentsQuery } from '../../app/incidents/incidents-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { useUnanswered } from './use-unanswered.ts';

const page = createRoute({
  getParentRoute: () => shell,
  path: '/alerts',
  staticData: { access: alertsScreens['/alerts'], title: 'incidents.title', support: 'alerts' },
  component: lazyRouteComponent(() => import('./incidents-page.tsx'), 'IncidentsPage'),
});

/** What is wrong: the page of it, and what other pages and the menu tell of it. */
export const incidents = {
  routes: [page],
  parts: {
    menu: [
      {
        at: 50,
        title: 'menu.alerts',
        to: '/alerts',
        keys: 'g t',
        Icon: IconBell,
        useBadge: useUnanswered,
      },
    ],
    devicesHead: [
      {
        at: 5,
        Content: lazyRouteComponent(() => import('./incidents-strip.tsx'), 'IncidentsStrip'),
        ask: (wg: string) => queryClient.prefetchQuery(incidentsQuery(wg)),
      },
    ],
    deviceHead: [
      { at: 5, Content: lazyRouteComponent(() => import('./device-incidents.tsx'), 'DeviceIncidents') },
    ],
    background: [
      { at: 70, Content: lazyRouteComponent(() => import('./incident-notices.tsx'), 'IncidentNotices') },
    ],
  },
} as const satisfies Feature;
