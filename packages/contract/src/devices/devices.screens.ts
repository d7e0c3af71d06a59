import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const devicesScreens = {
  // Section 6 shows restricted read-only users Devices in their menu, so it opens for them too.
  '/devices': {
    ...member,
    restricted: true,
    needs: ['GET /devices/:wg', 'GET /plants/:wg', 'POST /trends/:wg'],
  },
  '/devices/$deviceId': { ...member, restricted: true, needs: ['GET /devices/:wg/:device'] },
  '/devices/$deviceId/$tab': {
    ...member,
    restricted: true,
    needs: ['GET /devices/:wg/:device', 'GET /devices/:wg/:device/sources', 'GET /devices/:wg/:device/plant'],
  },
  '/devices/bulk-actions': {
    ...can('controlDevices'),
    needs: ['GET /devices/:wg', 'GET /bulk-actions/:wg', 'POST /bulk-actions/:wg/upgrade'],
  },
} as const satisfies Screens;
