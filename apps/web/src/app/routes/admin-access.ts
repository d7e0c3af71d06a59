import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shell } from './base.ts';

const accessPage = lazyRouteComponent(() => import('../../routes/admin.access.tsx'), 'AccessPage');
const access = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access',
  staticData: { permissions: ['manageAccess', 'wgMembers'] },
  beforeLoad: () => {
    throw redirect({ to: '/admin/access/users', replace: true });
  },
});
const accessUsers = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/users',
  staticData: { title: 'members.users', support: 'access', permissions: ['manageAccess', 'wgMembers'] },
  component: accessPage,
});
const accessInvites = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/invites',
  staticData: { title: 'members.invites', support: 'access', permissions: ['manageAccess'] },
  component: accessPage,
});

const accessTokens = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/api-tokens',
  staticData: { title: 'apiTokens.title', support: 'access', permissions: ['manageAccess'] },
  component: accessPage,
});
const accessControl = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/access-control',
  staticData: {
    title: 'accessControl.tab',
    support: 'access',
    permissions: ['manageAccess'],
  },
  component: accessPage,
});
const accessAudit = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/audit',
  staticData: { title: 'audit.title', support: 'access', permissions: ['audit'] },
  component: accessPage,
});

/** Administration of people. */
export const adminAccessRoutes = [
  access,
  accessUsers,
  accessInvites,
  accessTokens,
  accessControl,
  accessAudit,
] as const;
