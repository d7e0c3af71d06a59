import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const notificationsScreens = {
  '/admin/workgroup/notifications': {
    ...can('coordinate'),
    unbound: true,
    needs: [
      'GET /notifications/:wg/channels',
      'GET /escalations/:wg',
      'GET /rotas/:wg',
      'GET /notifications/:wg/heartbeat',
      'GET /notifications/:wg/deliveries',
      'GET /notifications/:wg/people',
    ],
  },
} as const satisfies Screens;
