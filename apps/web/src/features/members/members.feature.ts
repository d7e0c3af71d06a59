import { membersScreens } from '@albedo/contract/members/members.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminAccess } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const index = createRoute({
  getParentRoute: () => adminAccess,
  path: '/',
  staticData: { access: membersScreens['/admin/access'] },
});

const users = createRoute({
  getParentRoute: () => adminAccess,
  path: '/users',
  staticData: {
    access: membersScreens['/admin/access/users'],
    title: 'members.users',
    support: 'access',
    tab: { at: 10, context: 'access.context.users', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./member-list.tsx'), 'MemberList'),
});

const invites = createRoute({
  getParentRoute: () => adminAccess,
  path: '/invites',
  staticData: {
    access: membersScreens['/admin/access/invites'],
    title: 'members.invites',
    support: 'access',
    tab: { at: 20, context: 'access.context.invites', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./invite-list.tsx'), 'InviteList'),
});

/** Who belongs to the workgroup, and who is invited. */
export const members = {
  accessRoutes: [index, users, invites],
  parts: {
    menu: [
      {
        at: 30,
        under: 'menu.admin',
        title: 'menu.access',
        to: '/admin/access',
        keys: 'g u',
      },
    ],
    deviceGroup: [
      { at: 10, Content: lazyRouteComponent(() => import('./group-members.tsx'), 'GroupMembers') },
    ],
    workgroupSettings: [
      { at: 20, Content: lazyRouteComponent(() => import('./mfa-policy.tsx'), 'MfaPolicySection') },
    ],
  },
} as const satisfies Feature;
