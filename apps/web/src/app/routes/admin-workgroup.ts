import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shell } from './base.ts';

/** Stands around every screen of Admin > Workgroup: title and tabs. Each screen has a guard of its own. */
const workgroup = createRoute({
  getParentRoute: () => shell,
  path: '/admin/workgroup',
  component: lazyRouteComponent(() => import('../../routes/admin.workgroup.tsx'), 'WorkgroupAdminPage'),
});

const index = createRoute({
  getParentRoute: () => workgroup,
  path: '/',
  staticData: { permissions: ['coordinate'], isUnlisted: true },
  beforeLoad: () => {
    throw redirect({ to: '/admin/workgroup/settings', replace: true });
  },
});

const settings = createRoute({
  getParentRoute: () => workgroup,
  path: '/settings',
  staticData: { title: 'workgroup.settings.title', support: 'workgroup', permissions: ['coordinate'] },
  component: lazyRouteComponent(() => import('../../routes/admin.workgroup.tsx'), 'WorkgroupSettingsPage'),
});

const appearance = createRoute({
  getParentRoute: () => workgroup,
  path: '/appearance',
  staticData: { title: 'workgroup.appearance.title', support: 'workgroup', permissions: ['coordinate'] },
  component: lazyRouteComponent(
    () => import('../../features/branding/workgroup-appearance.tsx'),
    'WorkgroupAppearance',
  ),
});

const addons = createRoute({
  getParentRoute: () => workgroup,
  path: '/addons',
  staticData: {
    title: 'workgroup.addons.title',
    support: 'ops-team',
    permissions: ['coordinate'],
    staff: true,
  },
  component: lazyRouteComponent(() => import('../../routes/admin.workgroup.tsx'), 'WorkgroupAddonsPage'),
});

const lookupTables = createRoute({
  getParentRoute: () => workgroup,
  path: '/lookup-tables',
  staticData: { title: 'lookupTables.title', support: 'lookup-tables', permissions: ['coordinate'] },
  component: lazyRouteComponent(
    () => import('../../features/lookup-tables/lookup-table-list.tsx'),
    'LookupTableList',
  ),
});

const deviceGroups = createRoute({
  getParentRoute: () => workgroup,
  path: '/device-groups',
  staticData: {
    title: 'deviceGroups.title',
    support: 'device-groups',
    permissions: ['coordinate', 'manageAccess', 'manageDevices'],
  },
  component: lazyRouteComponent(() => import('../../routes/admin.device-groups.tsx'), 'DeviceGroupsPage'),
});

const deviceGroup = createRoute({
  getParentRoute: () => shell,
  path: '/device-groups/$devGroupId',
  staticData: {
    title: 'deviceGroups.one',
    support: 'device-groups',
    permissions: ['coordinate', 'manageAccess', 'manageDevices'],
  },
  component: lazyRouteComponent(
    () => import('../../routes/device-groups.$devGroupId.tsx'),
    'DeviceGroupPage',
  ),
});

/** Administration of the workgroup; a tab of the page is a route here and a line in `WORKGROUP_TABS`. */
export const adminWorkgroupRoutes = [
  workgroup.addChildren([index, settings, appearance, addons, lookupTables, deviceGroups]),
  deviceGroup,
] as const;
