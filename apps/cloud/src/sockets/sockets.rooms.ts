/** Rooms of sockets, by name: the sender of an event picks one, and a socket enters those that are its own. */

/** Everybody in an open workgroup. */
export const workgroupRoom = (workgroup: string): string => `workgroup:${workgroup}`;
/** Who waits for a workgroup that is closed. */
export const waitingRoom = (workgroup: string): string => `waiting:${workgroup}`;
/** People of a workgroup in no device group. */
export const unboundRoom = (workgroup: string): string => `unbound:${workgroup}`;
/** People in one device group. */
export const groupRoom = (workgroup: string, groupId: string): string => `group:${workgroup}:${groupId}`;
/** Who may read one list of a workgroup, or of the staff. */
export const listRoom = (list: string, workgroup: string | null): string => `list:${workgroup ?? ''}:${list}`;
/** People who read only their own group of the list of device groups. */
export const groupListRoom = (workgroup: string, groupId: string): string =>
  `list:${workgroup}:group:${groupId}`;
/** Who watches one device. */
export const deviceRoom = (device: string): string => `device:${device}`;
export const sessionRoom = (jti: string): string => `session:${jti}`;
export const userRoom = (userId: string): string => `user:${userId}`;
/** Who may hear events that not everybody may, by what they are of; people of a device group by themselves. */
export const readersRoom = (workgroup: string, events: string, groupId: string | null): string =>
  `readers:${workgroup}:${events}:${groupId ?? ''}`;
