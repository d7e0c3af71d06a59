import { workgroupsScreens } from '@albedo/contract/workgroups/workgroups.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';
import { loadWorkgroups } from './workgroups.queries.ts';

const index = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/',
  staticData: { access: workgroupsScreens['/admin/workgroup'], isUnlisted: true },
});

const settings = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/settings',
  staticData: {
    access: workgroupsScreens['/admin/workgroup/settings'],
    title: 'workgroup.settings.title',
    support: 'workgroup',
    tab: { at: 10, context: 'workgroup.settings.context' },
  },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'WorkgroupSettingsPage'),
});

/** The workgroups of the user, and what holds for everybody in one. */
export const workgroups = {
  workgroupRoutes: [index, settings],
  enter: loadWorkgroups,
  parts: {
    menu: [
      {
        at: 10,
        under: 'menu.admin',
        title: 'menu.workgroup',
        to: '/admin/workgroup',
        keys: 'g w',
        also: '/device-groups',
      },
    ],
    background: [
      { at: 10, Content: lazyRouteComponent(() => import('./follow-workgroups.tsx'), 'FollowWorkgroups') },
    ],
    workgroupSettings: [
      { at: 10, Content: lazyRouteComponent(() => import('./general-section.tsx'), 'GeneralSection') },
      { at: 14, Content: lazyRouteComponent(() => import('./lists-section.tsx'), 'ListsSection') },
    ],
  },
} as const satisfies Feature;
