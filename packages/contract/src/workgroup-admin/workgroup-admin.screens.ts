import { staff } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const workgroupAdminScreens = {
  // Its tabs are of several features, all of them for the staff.
  '/opsteam': {
    ...staff,
    needs: [
      'GET /opsteam/workgroups',
      'GET /opsteam/users',
      'GET /opsteam/requests',
      'GET /opsteam/tickets',
      'GET /announcements',
      'GET /opsteam/brands',
      'GET /opsteam/audit',
      'GET /opsteam/jobs',
      'GET /opsteam/damages',
      'GET /opsteam/errors',
      'GET /opsteam/pages',
      'GET /opsteam/versions',
    ],
  },
} as const satisfies Screens;
