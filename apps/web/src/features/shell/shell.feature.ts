import {
  IconBell,
  IconCalendarTime,
  IconChartLine,
  IconLayoutDashboard,
  IconPhoto,
  IconReportAnalytics,
  IconSearch,
  IconSettings,
} from '@tabler/icons-react';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature, MenuEntry } from '../../app/feature.ts';
import { openWorkgroup } from './workgroup-switch.ts';

/**
 * The lines of the left menu that no feature has yet. They show by themselves as soon as their route exists; a feature
 * that brings the screen may take its line along. A user of a limited kind sees only what carries their flag. Source:
 * specification 1, sections 2 and 6.
 */
const menu: readonly MenuEntry[] = [
  {
    at: 20,
    title: 'menu.dashboards',
    to: '/entities/dash3',
    Icon: IconLayoutDashboard,
    dashboardOnly: true,
  },
  { at: 30, title: 'menu.analysis', to: '/analysis', Icon: IconChartLine, restricted: true },
  { at: 40, title: 'menu.searches', to: '/search', Icon: IconSearch },
  { at: 50, title: 'menu.alerts', to: '/alerts', Icon: IconBell },
  { at: 60, title: 'menu.photos', to: '/photos', Icon: IconPhoto },
  {
    at: 70,
    title: 'menu.report',
    to: '/report',
    Icon: IconReportAnalytics,
    anyOf: ['addon:daily-energy', 'setting:perfRatio', 'setting:meterSites', 'addon:iec-perf-ratio'],
  },
  { at: 80, title: 'menu.controls', Icon: IconCalendarTime },
  { at: 10, under: 'menu.controls', title: 'menu.sharedSchedules', to: '/control/schedules' },
  { at: 20, under: 'menu.controls', title: 'menu.deviceSchedules', to: '/control/devices' },
  { at: 90, title: 'menu.admin', Icon: IconSettings },
  {
    at: 20,
    under: 'menu.admin',
    title: 'menu.entities',
    to: '/admin/entities',
    staffOr: 'entities',
  },
  { at: 50, under: 'menu.admin', title: 'menu.reports', to: '/admin/reports' },
  { at: 60, under: 'menu.admin', title: 'menu.data', to: '/admin/data' },
];

/** Top bar and left menu around every screen behind sign-in. */
export const shellFeature = {
  openWorkgroup,
  parts: {
    menu,
    frame: [{ at: 10, Content: lazyRouteComponent(() => import('./shell-frame.tsx'), 'ShellFrame') }],
  },
} as const satisfies Feature;
