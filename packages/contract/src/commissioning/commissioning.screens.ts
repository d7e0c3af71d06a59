import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const managing = { ...can('manageDevices'), unbound: true } as const;

export const commissioningScreens = {
  '/commissioning': {
    ...managing,
    needs: ['GET /commissioning/:wg', 'POST /commissioning/:wg', 'POST /devices/:wg'],
  },
  '/commissioning/$commissioning': {
    ...managing,
    needs: [
      'GET /commissioning/:wg/:commissioning',
      'PUT /commissioning/:wg/:commissioning',
      'POST /devices/:wg/:device/reissue',
    ],
  },
} as const satisfies Screens;
