import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const auditScreens = {
  '/admin/access/audit': { ...can('audit'), needs: ['GET /orgs/:wg/audit', 'GET /orgs/:wg/audit/choices'] },
} as const satisfies Screens;
