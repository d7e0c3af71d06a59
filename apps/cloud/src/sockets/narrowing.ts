import type { SocketEvents } from '@albedo/contract/sockets/action';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';

/**
 * What of an event is told to who is bound to a device group: the part of it that he may know of, null for nothing.
 * `everyone` is for events that have no device in them.
 */
export type Narrowings<E extends SocketEvents> = {
  readonly [K in keyof E]:
    | ((payload: z.input<E[K]>, scope: DeviceScope) => z.input<E[K]> | null)
    | 'everyone';
};
