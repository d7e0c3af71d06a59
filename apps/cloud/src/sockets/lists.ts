import { scopeIn } from '@albedo/contract/access/permissions';
import { type ListName, watchedLists } from '@albedo/contract/lists/lists.socket';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { isForStaff, mayRead } from '../access/check.ts';
import type { Guard } from '../access/guard.ts';
import { groupListRoom, listRoom } from './sockets.rooms.ts';

/**
 * Tells those who may read a list that it is another one now; `workgroup` is null for the lists of the staff. Who is
 * bound to a device group hears of the list of device groups only what concerns his own: `groups` are those that changed.
 */
export type TellList = (
  list: ListName,
  workgroup: string | null,
  groups?: readonly (string | null)[],
) => void;

/** The rooms of the lists that the session may read. What ends or narrows a session ends its sockets too. */
export function listRoomsOf(guard: Guard, session: SessionClaims, workgroup: string): string[] {
  const isOpen = guard.isOpen(workgroup);
  const group = scopeIn(session, workgroup)?.devGroup ?? null;
  const rooms: string[] = [];
  for (const [list, { access }] of Object.entries(watchedLists) as [
    ListName,
    (typeof watchedLists)[ListName],
  ][]) {
    if (!mayRead(guard, access, session, workgroup)) continue;
    if (isForStaff(access.who)) rooms.push(listRoom(list, null));
    else if (!isOpen) continue;
    else if (list === 'device-groups' && group !== null) rooms.push(groupListRoom(workgroup, group));
    else rooms.push(listRoom(list, workgroup));
  }
  return rooms;
}
