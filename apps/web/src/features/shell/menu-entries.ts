import {
  IconBell,
  IconCalendarTime,
  IconChartLine,
  IconDevices,
  IconLayoutDashboard,
  IconLifebuoy,
  IconLogout,
  IconPhoto,
  IconReportAnalytics,
  IconSearch,
  IconSettings,
  IconSpeakerphone,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react';
import type { RouteGuard } from '../../app/guard.ts';

export interface MenuLink {
  /** Key of the language file. */
  title: string;
  /** Address of the screen. The link shows once a route with this address, or one below it, has a screen. */
  to: string;
  /** Another address that belongs to it. */
  also?: string;
  guard?: RouteGuard;
  /** At least one of these addons (`addon:`) or settings (`setting:`) has to be on. */
  anyOf?: readonly (`addon:${string}` | `setting:${string}`)[];
  /** Addon without which only provider staff see it. */
  staffOr?: string;
  /** Key of the header above it, and above those that follow with the same one. */
  group?: string;
}

export interface MenuEntry extends Omit<MenuLink, 'to' | 'group'> {
  Icon: TablerIcon;
  to?: string;
  /** What opens beside it. */
  items?: readonly MenuLink[];
}

const restricted = { restricted: true } as const;
const dashboardOnly = { dashboardOnly: true } as const;
const coordinate = { permissions: ['coordinate'] } as const;

/**
 * The left menu, all of it, in its order. What has no screen shows by itself as soon as its route exists, so a new
 * screen needs no line here unless the specification has none. A user of a limited kind sees only what carries his flag.
 * Source: specification 1, sections 2 and 6.
 */
export const MENU: readonly MenuEntry[] = [
  { title: 'menu.devices', to: '/devices', Icon: IconDevices, guard: restricted },
  { title: 'menu.dashboards', to: '/entities/dash3', Icon: IconLayoutDashboard, guard: dashboardOnly },
  { title: 'menu.analysis', to: '/analysis', Icon: IconChartLine, guard: restricted },
  { title: 'menu.searches', to: '/search', Icon: IconSearch },
  { title: 'menu.alerts', to: '/alerts', Icon: IconBell },
  { title: 'menu.photos', to: '/photos', Icon: IconPhoto },
  {
    title: 'menu.report',
    to: '/report',
    Icon: IconReportAnalytics,
    anyOf: ['addon:daily-energy', 'setting:perfRatio', 'setting:meterSites', 'addon:iec-perf-ratio'],
  },
  {
    title: 'menu.controls',
    Icon: IconCalendarTime,
    guard: { addons: ['schedules'] },
    items: [
      { title: 'menu.sharedSchedules', to: '/control/schedules' },
      { title: 'menu.deviceSchedules', to: '/control/devices' },
    ],
  },
  {
    title: 'menu.admin',
    Icon: IconSettings,
    items: [
      { title: 'menu.workgroup', to: '/admin/workgroup', also: '/device-groups', guard: coordinate },
      { title: 'menu.entities', to: '/admin/entities', guard: coordinate, staffOr: 'entities' },
      {
        title: 'menu.access',
        to: '/admin/access',
        guard: { permissions: ['manageAccess', 'wgMembers'] },
      },
      { title: 'menu.audit', to: '/admin/access/audit', guard: { permissions: ['audit'] } },
      { title: 'menu.reports', to: '/admin/reports', guard: coordinate },
      { title: 'menu.data', to: '/admin/data', guard: coordinate },
    ],
  },
  { title: 'menu.announcements', to: '/announcements', Icon: IconSpeakerphone },
  { title: 'menu.profile', to: '/profile', Icon: IconUser },
  { title: 'menu.opsTeam', to: '/opsteam', Icon: IconLifebuoy, guard: { staff: true } },
  { title: 'menu.logout', to: '/logout', Icon: IconLogout },
];
