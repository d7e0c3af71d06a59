import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

/** Of no use to members of a device group: it is about the workgroup as a whole, and they may save nothing there. */
const settings = {
  ...can('coordinate'),
  unbound: true,
  needs: ['GET /orgs', 'PUT /orgs/:wg', 'PUT /orgs/:wg/settings/:key', 'GET /orgs/:wg/mfa'],
} as const;

export const workgroupsScreens = {
  '/admin/workgroup': settings,
  '/admin/workgroup/settings': settings,
  '/admin/workgroup/addons': { ...can('coordinate'), needs: ['GET /orgs'] },
} as const satisfies Screens;
