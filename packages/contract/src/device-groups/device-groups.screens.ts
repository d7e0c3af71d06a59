import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const mayRead = can('coordinate', 'manageAccess', 'manageDevices');

export const deviceGroupsScreens = {
  '/admin/workgroup/device-groups': { ...mayRead, needs: ['GET /orgs/:wg/device-groups'] },
  '/device-groups/$devGroupId': { ...mayRead, needs: ['GET /orgs/:wg/device-groups'] },
} as const satisfies Screens;
