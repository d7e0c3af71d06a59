import { isBound } from '@albedo/contract/access/access';
import { holds, mayRunCommands, type Permission, scopeIn } from '@albedo/contract/access/permissions';
import { useSignedIn } from './session.ts';

/** Whether the user holds the permission in the workgroup they look at. */
export function usePermission(permission: Permission): boolean {
  const { user, workgroup } = useSignedIn();
  const scope = scopeIn(user, workgroup);
  return scope !== undefined && holds(scope, permission);
}

/** Asks for rights in the workgroup the user looks at: permissions, or running commands. */
export function useRights(): (right: Permission | 'commands') => boolean {
  const { user, workgroup } = useSignedIn();
  const scope = scopeIn(user, workgroup);
  return (right) =>
    scope !== undefined && (right === 'commands' ? mayRunCommands(scope) : holds(scope, right));
}

/** Whether the user is an owner of the workgroup they look at. */
export function useIsOwner(): boolean {
  const { user, workgroup } = useSignedIn();
  return scopeIn(user, workgroup)?.role === 'owner';
}

/** Whether the user sees all of the workgroup they look at, not the devices of a group alone. */
export function useIsUnbound(): boolean {
  const { user, workgroup } = useSignedIn();
  return !isBound(scopeIn(user, workgroup));
}
