import { devicesScreens } from '@albedo/contract/devices/devices.screens';
import { IconDevices } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { loadBeside } from '../../app/inside.ts';
import { queryClient } from '../../app/query-client.ts';
import { getSession } from '../../app/session.ts';
import { deviceListQuery } from './devices.queries.ts';
import { useDeviceCommands } from './use-device-commands.ts';
import { useDeviceItems } from './use-device-items.ts';

const list = createRoute({
  getParentRoute: () => shell,
  path: '/devices',
  staticData: {
    access: devicesScreens['/devices'],
    title: 'devices.title',
    support: 'devices',
    isFirst: true,
  },
  // Asked for beside the files of the screen, which shows that it is on its way.
  loader: () => {
    const wg = getSession()?.workgroup;
    if (wg === undefined) return;
    void queryClient.prefetchQuery(deviceListQuery(wg));
    loadBeside('devicesHead', wg);
  },
  component: lazyRouteComponent(() => import('./devices-page.tsx'), 'DevicesPage'),
});

const device = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId',
  staticData: { access: devicesScreens['/devices/$deviceId'] },
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/devices/$deviceId/$tab', params: { ...params, tab: 'general' }, replace: true });
  },
});

const deviceTab = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId/$tab',
  staticData: { access: devicesScreens['/devices/$deviceId/$tab'], title: 'device.title', support: 'device' },
  component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage'),
});

const DeviceDetail = lazyRouteComponent(() => import('./device-detail.tsx'), 'DeviceDetail');

/** The devices of the workgroup, and each of them. */
export const devices = {
  routes: [list, device, deviceTab],
  parts: {
    findings: [{ at: 30, load: () => import('./devices.findings.ts') }],
    menu: [
      { at: 10, title: 'menu.devices', to: '/devices', Icon: IconDevices, restricted: true, keys: 'g d' },
    ],
    palette: [
      {
        at: 10,
        category: 'devices',
        useItems: useDeviceItems,
        addressOf: (id: string) => `/devices/${id}/general`,
        copy: 'search.deviceId',
        Detail: DeviceDetail,
      },
    ],
    commands: [{ at: 20, useCommands: useDeviceCommands }],
    device: [
      {
        at: 10,
        id: 'general',
        title: 'device.tabs.general',
        Content: lazyRouteComponent(() => import('./device-general.tsx'), 'DeviceGeneral'),
      },
    ],
  },
} as const satisfies Feature;
