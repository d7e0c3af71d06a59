import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const externalSourcesScreens = {
  '/admin/data/external-sources': { ...can('coordinate'), needs: ['GET /externalSources/:wg'] },
} as const satisfies Screens;
