import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const viewing = {
  ...member,
  dashboardOnly: true,
  needs: ['GET /entityDashboards/:wg'],
} as const;

export const boardsScreens = {
  '/entities/dash3': viewing,
  '/entities/dash3/$board': viewing,
  '/entities/dash3/$board/$entity': viewing,
  '/entities/dash3-edit': {
    ...can('coordinate'),
    rule: { resource: 'Dashboard', action: 'create', on: 'all' },
    needs: ['GET /entityDashboards/:wg'],
  },
  '/entities/dash3-edit/$id': { ...can('coordinate'), needs: ['GET /entityDashboards/:wg'] },
  '/admin/entities/dashboards': { ...can('coordinate'), needs: ['GET /entityDashboards/:wg'] },
} as const satisfies Screens;
