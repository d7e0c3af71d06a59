import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const coordinate = can('coordinate');

export const entitiesScreens = {
  '/admin/entities': coordinate,
  '/admin/entities/manage': { ...coordinate, needs: ['GET /entities/:wg'] },
  '/admin/entities/labels': { ...coordinate, needs: ['GET /entities/:wg'] },
} as const satisfies Screens;
