import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const diagnosticsScreens = {
  '/admin/data/diagnostics': { ...can('coordinate'), needs: ['GET /diagnostics/:wg/findings'] },
} as const satisfies Screens;
