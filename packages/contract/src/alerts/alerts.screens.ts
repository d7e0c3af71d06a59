import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const writing = { ...can('coordinate'), unbound: true } as const;

export const alertsScreens = {
  '/alerts': { ...member, needs: ['GET /alerts/:wg', 'GET /incidents/:wg'] },
  '/alerts/$alert': {
    ...writing,
    needs: ['GET /alerts/:wg', 'POST /alerts/:wg', 'PUT /alerts/:wg/:alert', 'POST /alerts/:wg/test'],
  },
  '/alerts/suppressions': { ...member, needs: ['GET /suppressions/:wg'] },
  '/alerts/settings': { ...writing, needs: ['PUT /orgs/:wg/settings/:key'] },
} as const satisfies Screens;
