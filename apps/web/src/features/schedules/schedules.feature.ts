import { schedulesScreens } from '@albedo/contract/schedules/schedules.screens';
import { IconCalendarTime } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { useScheduleCommands, useScheduleItems } from './use-schedule-items.ts';

const shared = createRoute({
  getParentRoute: () => shell,
  path: '/control/schedules',
  staticData: {
    access: schedulesScreens['/control/schedules'],
    title: 'menu.sharedSchedules',
    support: 'controls',
  },
  component: lazyRouteComponent(() => import('./schedule-list.tsx'), 'ScheduleListPage'),
});

const sharedOne = createRoute({
  getParentRoute: () => shell,
  path: '/control/schedules/$schedule',
  staticData: {
    access: schedulesScreens['/control/schedules/$schedule'],
    title: 'schedules.shared.one',
    support: 'controls',
  },
  component: lazyRouteComponent(() => import('./schedule-page.tsx'), 'SharedSchedulePage'),
});

const devices = createRoute({
  getParentRoute: () => shell,
  path: '/control/devices',
  staticData: {
    access: schedulesScreens['/control/devices'],
    title: 'menu.deviceSchedules',
    support: 'controls',
  },
  component: lazyRouteComponent(() => import('./control-devices-page.tsx'), 'ControlDevicesPage'),
});

const device = createRoute({
  getParentRoute: () => shell,
  path: '/control/devices/$deviceId',
  staticData: {
    access: schedulesScreens['/control/devices/$deviceId'],
    title: 'menu.deviceSchedules',
    support: 'controls',
  },
  component: lazyRouteComponent(() => import('./device-control-page.tsx'), 'DeviceControlPage'),
});

const deviceSchedule = createRoute({
  getParentRoute: () => shell,
  path: '/control/devices/$deviceId/$schedule',
  staticData: {
    access: schedulesScreens['/control/devices/$deviceId/$schedule'],
    title: 'schedules.one',
    support: 'controls',
  },
  component: lazyRouteComponent(() => import('./device-schedule-page.tsx'), 'DeviceSchedulePage'),
});

/** Limits and other setpoints of devices over time: what holds, who agreed, and what inverters made of it. */
export const schedules = {
  routes: [shared, sharedOne, devices, device, deviceSchedule],
  parts: {
    menu: [
      { at: 80, title: 'menu.controls', Icon: IconCalendarTime },
      { at: 10, under: 'menu.controls', title: 'menu.sharedSchedules', to: '/control/schedules' },
      { at: 20, under: 'menu.controls', title: 'menu.deviceSchedules', to: '/control/devices', keys: 'g c' },
    ],
    palette: [
      {
        at: 27,
        category: 'schedules',
        useItems: useScheduleItems,
        addressOf: (id: string) => `/control/schedules/${id}`,
      },
    ],
    commands: [{ at: 45, useCommands: useScheduleCommands }],
    background: [
      { at: 75, Content: lazyRouteComponent(() => import('./schedules-watch.tsx'), 'SchedulesWatch') },
    ],
    deviceAside: [
      { at: 15, Content: lazyRouteComponent(() => import('./device-control-card.tsx'), 'DeviceControlCard') },
    ],
    workgroupSettings: [
      { at: 82, Content: lazyRouteComponent(() => import('./policy-card.tsx'), 'ControlPolicyCard') },
    ],
  },
} as const satisfies Feature;
