import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const brandingScreens = {
  '/admin/workgroup/appearance': {
    ...can('coordinate'),
    unbound: true,
    needs: ['GET /orgs', 'PUT /orgs/:wg', 'PUT /orgs/:wg/logo', 'PUT /orgs/:wg/favicon'],
  },
} as const satisfies Screens;
