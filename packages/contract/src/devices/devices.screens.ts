import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const devicesScreens = {
  // Section 6 shows restricted read-only users Devices in their menu, so it opens for them too.
  '/devices': { ...member, restricted: true, needs: ['GET /devices/:wg'] },
  '/devices/$deviceId': { ...member, restricted: true, needs: ['GET /devices/:wg/:device'] },
  '/devices/$deviceId/$tab': {
    ...member,
    restricted: true,
    needs: ['GET /devices/:wg/:device', 'GET /devices/:wg/:device/sources'],
  },
  // Nothing is there yet; without a screen it would be taken for a device of that id.
  '/devices/bulk-actions': can('controlDevices'),
} as const satisfies Screens;
