import { holds, type Permission, scopeIn } from '@albedo/contract/access/permissions';
import { useSignedIn } from './session.ts';

/** Whether the user holds the permission in the workgroup they look at. */
export function usePermission(permission: Permission): boolean {
  const { user, workgroup } = useSignedIn();
  const scope = scopeIn(user, workgroup);
  return scope !== undefined && holds(scope, permission);
}
