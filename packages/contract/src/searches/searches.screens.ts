import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const searchesScreens = {
  '/search': { ...member, needs: ['GET /tables/:wg', 'GET /searches/:wg'] },
  '/search/$searchId': { ...member, needs: ['GET /tables/:wg', 'GET /searches/:wg/:search'] },
  '/admin/workgroup/searches': {
    ...can('manageAccess'),
    unbound: true,
    needs: ['GET /orgs/:wg/searches'],
  },
} as const satisfies Screens;
