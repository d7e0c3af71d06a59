import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const apiTokensScreens = {
  '/admin/access/api-tokens': { ...can('manageAccess'), needs: ['GET /orgs/:wg/api-tokens'] },
} as const satisfies Screens;
