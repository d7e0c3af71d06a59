import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const metadataScreens = {
  '/admin/workgroup/metadata': {
    ...can('coordinate'),
    unbound: true,
    needs: [
      'GET /orgs',
      'PUT /orgs/:wg/settings/:key',
      'GET /devices/:wg/device/metadata',
      'GET /metadata/:wg',
      'PUT /metadata/:wg/field',
    ],
  },
} as const satisfies Screens;
