import {
  holds,
  mayRunCommands,
  type Permission,
  type Role,
  type WorkgroupScope,
} from '@albedo/contract/access/permissions';
import { AppError } from '../errors/app-error.ts';

export interface Grant {
  role: Role;
  permissions: Permission[];
}

/** Somebody with their device group; null for none. */
type InGroup = Pick<WorkgroupScope, 'role' | 'devGroup'>;

/** Read is mandatory; the rest in the order of the contract, each once. */
export const withRead = (permissions: Permission[]): Permission[] => [
  ...new Set(['read' as const, ...permissions]),
];

/**
 * Nobody grants more than they have: owners are made, changed and removed by owners, and others grant permissions and
 * remote commands that they hold themselves. What the member has already (`before`) may stay.
 *
 * Throws `member.owners_only`, `member.more_than_own`.
 */
export function demandMayGrant(own: WorkgroupScope, before: Grant | null, after: Grant | null): void {
  const refusal = refusalToGrant(own, before, after);
  if (refusal) throw refusal;
}

/** As `demandMayGrant`, as an answer; null for what may be granted. */
export function refusalToGrant(
  own: WorkgroupScope,
  before: Grant | null,
  after: Grant | null,
): AppError | null {
  if (own.role === 'owner') return null;
  if (before?.role === 'owner' || after?.role === 'owner') return new AppError('member.owners_only');
  if (!after) return null;
  const added = after.permissions.filter((one) => !before?.permissions.includes(one));
  const missing: string[] = added.filter((one) => one !== 'read' && !holds(own, one));
  const runsCommands = ({ role }: Grant) => role === 'admin' || role === 'power';
  const gainsCommands = runsCommands(after) && !(before && runsCommands(before));
  if (gainsCommands && !mayRunCommands(own)) missing.push(`the role ${after.role}`);
  return missing.length > 0 ? new AppError('member.more_than_own', { missing: missing.join(', ') }) : null;
}

/**
 * Who is bound to a device group manages the people of that group alone, and takes nobody out of it; and an owner, who
 * sees everything, is in none.
 *
 * Throws `device_group.bound`, `device_group.owner`.
 */
export function demandGroups(own: InGroup, before: InGroup | null, after: InGroup | null): void {
  const isElsewhere = (one: InGroup | null) => one !== null && one.devGroup !== own.devGroup;
  if (own.devGroup !== null && (isElsewhere(before) || isElsewhere(after))) {
    throw new AppError('device_group.bound');
  }
  if (after?.role === 'owner' && after.devGroup !== null) throw new AppError('device_group.owner');
}
