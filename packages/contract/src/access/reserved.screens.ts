import { member } from './access.ts';
import type { Screens } from './screens.ts';

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
} as const satisfies Screens;
