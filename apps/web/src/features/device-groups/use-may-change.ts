import { scopeIn } from '@albedo/contract/access/permissions';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';

/** Whether the user may make and change device groups: members of one may not. */
export function useMayChangeGroups(): boolean {
  const { user, workgroup } = useSignedIn();
  const isFree = (scopeIn(user, workgroup)?.devGroup ?? null) === null;
  return usePermission('manageAccess') && isFree;
}
