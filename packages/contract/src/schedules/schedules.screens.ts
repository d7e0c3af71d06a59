import { member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const control = { ...member, addon: 'schedules', needs: ['GET /schedules/:wg/setpoints'] } as const;

/** Source: specification 1, section 2. */
export const schedulesScreens = {
  '/control/schedules': { ...control, needs: ['GET /schedules/:wg'] },
  '/control/schedules/$schedule': { ...control, needs: ['GET /schedules/:wg'] },
  '/control/devices': control,
  '/control/devices/$deviceId': control,
  '/control/devices/$deviceId/$schedule': control,
} as const satisfies Screens;
