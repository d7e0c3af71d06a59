import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shell } from './base.ts';

const devices = createRoute({
  getParentRoute: () => shell,
  path: '/devices',
  staticData: { title: 'devices.title', support: 'devices', restricted: true },
  component: lazyRouteComponent(() => import('../../routes/devices.index.tsx'), 'DevicesPage'),
});

const device = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId',
  staticData: { restricted: true },
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/devices/$deviceId/$tab', params: { ...params, tab: 'general' }, replace: true });
  },
});

const deviceTab = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId/$tab',
  staticData: { title: 'device.title', support: 'device', restricted: true },
  component: lazyRouteComponent(() => import('../../routes/devices.$deviceId.tsx'), 'DevicePage'),
});

/** It has no screen; without a route it would be taken for a device of that id, and open to everybody. */
const bulkActions = createRoute({
  getParentRoute: () => shell,
  path: '/devices/bulk-actions',
  staticData: { permissions: ['controlDevices'] },
  component: lazyRouteComponent(() => import('../../routes/no-screen.tsx'), 'NoScreenPage'),
});

export const devicesRoutes = [devices, device, deviceTab, bulkActions] as const;
