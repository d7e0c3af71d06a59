import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const accessControlScreens = {
  '/admin/access/access-control': { ...can('manageAccess'), needs: ['GET /orgs/:wg/access-control'] },
} as const satisfies Screens;
