import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const kpisScreens = {
  '/admin/data/kpis': { ...can('coordinate'), addon: 'calculations', needs: ['GET /kpis/:wg'] },
  // Open to every member; without the addon there are no KPIs to show.
  '/kpis/$kpiId': { ...member, needs: ['GET /entities/:wg'] },
} as const satisfies Screens;
