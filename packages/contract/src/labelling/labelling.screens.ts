import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const labellingScreens = {
  '/admin/workgroup/labelling': {
    ...can('coordinate'),
    unbound: true,
    needs: [
      'GET /orgs',
      'GET /entities/:wg',
      'GET /labelling/:wg',
      'PUT /labelling/:wg',
      'PUT /orgs/:wg/settings/:key',
    ],
  },
} as const satisfies Screens;
