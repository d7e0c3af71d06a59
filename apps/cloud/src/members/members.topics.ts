import type { Manager } from '../access/manager.ts';
import { topic } from '../bus/topic.ts';

/** A member whose rights are others now, or who is none any more. */
export interface MemberMoved {
  workgroup: string;
  userId: string;
  isMember: boolean;
  by: Manager;
}

/**
 * Told before the change is answered: what hangs on the rights of a member, as API tokens do, ends with them. Where that
 * fails the change is answered as failed, so that it is tried again.
 */
export const memberMoved = topic<MemberMoved>('member:moved', { reach: 'process', isVital: true });
