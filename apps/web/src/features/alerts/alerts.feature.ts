import { alertsScreens } from '@albedo/contract/alerts/alerts.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { useAlertItems } from './use-alert-items.ts';

const suppressions = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/suppressions',
  staticData: {
    access: alertsScreens['/alerts/suppressions'],
    title: 'alerts.suppressions',
    support: 'alerts',
  },
  component: lazyRouteComponent(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/settings',
  staticData: { access: alertsScreens['/alerts/settings'], title: 'alerts.settings', support: 'alerts' },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'AlertSettingsPage'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/$alert',
  staticData: { access: alertsScreens['/alerts/$alert'], title: 'alerts.one', support: 'alerts' },
  component: lazyRouteComponent(() => import('./alert-page.tsx'), 'AlertPage'),
});

/** The rules that make incidents, and when they stay silent. */
export const alerts = {
  routes: [suppressions, settings, one],
  parts: {
    workgroupSettings: [
      { at: 35, Content: lazyRouteComponent(() => import('./settings-page.tsx'), 'AlertSettings') },
    ],
    palette: [
      {
        at: 40,
        category: 'alerts',
        useItems: useAlertItems,
        // What it found shows for everybody, and changes it those who may from there.
        addressOf: (id: string) => `/alerts?alerts=${id}`,
      },
    ],
  },
} as const satisfies Feature;
