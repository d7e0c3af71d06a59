import { member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const analysisScreens = {
  '/analysis': { ...member, restricted: true, needs: ['GET /devices/:wg', 'POST /series/:wg'] },
  '/analysis/entities': {
    ...member,
    needs: ['GET /entities/:wg', 'GET /entitySources/:wg', 'GET /devices/:wg', 'POST /series/:wg'],
  },
} as const satisfies Screens;
