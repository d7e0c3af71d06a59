import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const securityServicesScreens = {
  '/admin/workgroup/security-services': {
    ...can('manageDevices'),
    needs: [
      'GET /process/:wg/task/:task/jobs',
      'POST /process/:wg/task/:task/jobs',
      'GET /process/:wg/task/:task/jobs/:securityJob',
      'PUT /process/:wg/task/:task/jobs/:securityJob',
      'POST /process/:wg/task/:task/jobs/:securityJob/run',
      'PUT /process/:wg/task/:task/jobs/:securityJob/findings',
    ],
  },
} as const satisfies Screens;
