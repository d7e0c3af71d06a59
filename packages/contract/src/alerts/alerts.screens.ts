import { member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const alertsScreens = {
  '/alerts': { ...member, needs: ['GET /alerts/:wg', 'GET /incidents/:wg'] },
} as const satisfies Screens;
