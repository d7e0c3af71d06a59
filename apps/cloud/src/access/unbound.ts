import { scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { AppError } from '../errors/app-error.ts';

/** True for who is bound to a device group of the workgroup. */
export const isBound = (session: SessionClaims, workgroup: string): boolean =>
  (scopeIn(session, workgroup)?.devGroup ?? null) !== null;

/**
 * Throws `device_group.bound` for who is bound to a device group of the workgroup: whatever his permissions, he makes no
 * devices and changes nothing that concerns the devices of others or the workgroup as a whole.
 */
export function demandUnbound(session: SessionClaims, workgroup: string): void {
  demandUnboundScope(scopeIn(session, workgroup) ?? { devGroup: null });
}

/** As `demandUnbound`, of who is known by what he may do. */
export function demandUnboundScope({ devGroup }: Pick<WorkgroupScope, 'devGroup'>): void {
  if (devGroup !== null) throw new AppError('device_group.bound');
}
