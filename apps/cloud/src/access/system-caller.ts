import { PERMISSION_CODES, type Permission } from '@albedo/contract/access/permissions';
import type { Caller } from './caller.ts';
import { ALL_DEVICES } from './device-scope.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * The server itself, which reads everything of one workgroup: for questions that people ask as well, so that both get the
 * same answer. It opens no endpoint, since nobody holds a token of it.
 */
export function systemCaller(workgroup: string): Caller {
  return {
    workgroup,
    devices: ALL_DEVICES,
    session: {
      _id: NOBODY,
      name: 'system',
      email: 'system',
      exp: Number.MAX_SAFE_INTEGER,
      iat: 0,
      jti: NOBODY,
      defaultWorkgroup: workgroup,
      memberOf: [workgroup],
      scopes: {
        [workgroup]: {
          role: 'owner',
          permissions: Object.keys(PERMISSION_CODES) as Permission[],
          ps: Object.values(PERMISSION_CODES).join(' '),
          devGroup: null,
          scopes: { device: [] },
        },
      },
      staff: false,
    },
  };
}
