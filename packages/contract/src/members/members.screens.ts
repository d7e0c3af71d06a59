import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const people = can('manageAccess', 'wgMembers');

export const membersScreens = {
  '/admin/access': people,
  '/admin/access/users': { ...people, needs: ['GET /orgs/:wg/members'] },
  '/admin/access/invites': { ...can('manageAccess'), needs: ['GET /orgs/:wg/invites'] },
} as const satisfies Screens;
