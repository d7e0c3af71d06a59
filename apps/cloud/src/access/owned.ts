import { holds } from '@albedo/contract/access/permissions';
import type { Manager } from './manager.ts';

/** What belongs to a person of the workgroup, and may be shared with all of it. */
export interface Owned {
  /** Null once the account is gone; what was shared stays. */
  ownerId: string | null;
  isShared: boolean;
}

type By = Pick<Manager, 'userId' | 'scope'>;

const isOwn = ({ ownerId }: Owned, { userId }: By): boolean => ownerId !== null && ownerId === userId;

/** What is personal does not exist for others, whatever they may do. */
export const maySee = (one: Owned, by: By): boolean => one.isShared || isOwn(one, by);

/** Its owner, and of what is shared whoever coordinates the workgroup. */
export const mayChange = (one: Owned, by: By): boolean =>
  isOwn(one, by) || (one.isShared && holds(by.scope, 'coordinate'));
