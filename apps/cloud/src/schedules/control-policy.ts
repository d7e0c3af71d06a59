import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { ControlPolicy } from '@albedo/contract/schedules/schedules.schema';
import type { ControlBy } from './control-by.ts';

export type Needs = ControlPolicy['needs'];

/** Members of the workgroup as a whole who may control devices. */
export const holdersOf = (members: readonly MemberInfo[]): MemberInfo[] =>
  members.filter(
    ({ role, permissions, devGroup }) =>
      devGroup === null && (role === 'owner' || permissions.includes('controlDevices')),
  );

/** Who has to agree to what this caller asks for, where it is more than a stop. */
export function needsOf(
  twoPeople: ControlPolicy['twoPeople'],
  holders: readonly MemberInfo[],
  by: Pick<ControlBy, 'userId'>,
): Needs {
  if (twoPeople === 'never') return 'nobody';
  const isAlone = holders.every(({ userId }) => userId === by.userId);
  return isAlone ? 'loneOwner' : 'secondPerson';
}
