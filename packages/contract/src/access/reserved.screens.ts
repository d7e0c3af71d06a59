import { can, member } from './access.ts';
import type { Screens } from './screens.ts';

const coordinate = can('coordinate');

/**
 * Addresses that the specification lists and that have no screen yet. A feature that brings one takes its line along.
 * Source: specification 1, section 2.
 */
export const reservedScreens = {
  '/control/schedules': { ...member, addon: 'schedules' },
  '/control/schedules/$schedule': { ...member, addon: 'schedules' },
  '/control/devices': { ...member, addon: 'schedules' },
  '/control/devices/$deviceId': { ...member, addon: 'schedules' },
  '/control/devices/$deviceId/$schedule': { ...member, addon: 'schedules' },
  '/admin/reports': coordinate,
  '/admin/reports/daily-energy-config': { ...coordinate, addon: 'daily-energy' },
  '/admin/reports/performance-ratio-config': { ...coordinate, addon: 'daily-energy' },
  '/admin/reports/capacity-factor-config': { ...coordinate, addon: 'daily-energy' },
  '/admin/reports/meter-data-config': { ...coordinate, addon: 'daily-energy' },
  '/admin/reports/availability-config': { ...coordinate, addon: 'availability' },
  '/admin/reports/iec-perf-ratio-config': { ...coordinate, addon: 'iec-perf-ratio' },
  '/admin/reports/mppt-extract-config': { ...coordinate, addon: 'mppt-extract' },
} as const satisfies Screens;
