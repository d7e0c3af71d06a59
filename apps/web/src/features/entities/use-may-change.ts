import { isBound } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import { useSignedIn } from '../../app/session.ts';

/** Members of a device group look at entities; whoever is in none changes them. */
export function useMayChange(): boolean {
  const { user, workgroup } = useSignedIn();
  return !isBound(scopeIn(user, workgroup));
}
