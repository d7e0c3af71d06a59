import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const coordinate = {
  ...can('coordinate'),
  addon: 'calculations',
  needs: ['GET /calculationsV2/:wg'],
} as const;

export const calculationsScreens = {
  '/admin/data/calculations': coordinate,
  '/admin/data/calculations/$calculation': coordinate,
  // Open to every member; without the addon there are no calculations to show.
  '/kpis/calculation/$calculationId': { ...member, needs: ['GET /entities/:wg'] },
} as const satisfies Screens;
