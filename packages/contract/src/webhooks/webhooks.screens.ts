import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const webhooksScreens = {
  '/admin/workgroup/webhooks': {
    ...can('coordinate'),
    unbound: true,
    needs: ['GET /webhooks/:wg', 'GET /webhooks/:wg/:webhook/deliveries'],
  },
} as const satisfies Screens;
