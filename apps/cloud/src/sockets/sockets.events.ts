import { accessControlEvents } from '@albedo/contract/access-control/access-control.socket';
import { announcementsEvents } from '@albedo/contract/announcements/announcements.socket';
import { devicesEvents } from '@albedo/contract/devices/devices.socket';
import { workgroupsEvents } from '@albedo/contract/workgroups/workgroups.socket';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';
import { devicesNarrowings } from '../devices/devices.scope.ts';
import type { Narrowings } from './narrowing.ts';

/** Everything that the sockets tell. */
const socketEvents = {
  ...devicesEvents,
  ...workgroupsEvents,
  ...announcementsEvents,
  ...accessControlEvents,
};

export type Events = { [K in keyof typeof socketEvents]: z.input<(typeof socketEvents)[K]> };

/** What of each event is told to who is bound to a device group. */
const narrowings: Narrowings<typeof socketEvents> = {
  ...devicesNarrowings,
  'workgroup:changed': 'everyone',
  announcement: 'everyone',
  'access-control:changed': 'everyone',
};

/** True for an event with no device in it. */
export const isForEveryone = (event: keyof Events): boolean => narrowings[event] === 'everyone';

/** What of an event the scope may know of; null for nothing. */
export function narrowed<K extends keyof Events>(
  event: K,
  payload: Events[K],
  scope: DeviceScope,
): Events[K] | null {
  const narrow = narrowings[event] as
    | 'everyone'
    | ((payload: Events[K], scope: DeviceScope) => Events[K] | null);
  return narrow === 'everyone' ? payload : narrow(payload, scope);
}
