import type { SocketEvents } from '@albedo/contract/sockets/action';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';

/**
 * What members of a device group get of an event: the part that they may see, null for nothing.
 * `everyone` is for events that have no device in them.
 */
export type Narrowings<E extends SocketEvents> = {
  readonly [K in keyof E]:
    | ((payload: z.input<E[K]>, scope: DeviceScope) => z.input<E[K]> | null)
    | 'everyone';
};

/** Tells the events of one feature. */
export interface Teller<E extends SocketEvents> {
  /** Tells the sockets of a workgroup, on every process; those of a device group what its devices concerns. */
  emit<K extends keyof E & string>(workgroup: string, event: K, payload: z.input<E[K]>): void;
  /** Tells the sockets that are bound to a device group, on every process; the payload is theirs to know. */
  emitToGroup<K extends keyof E & string>(
    workgroup: string,
    groupId: string,
    event: K,
    payload: z.input<E[K]>,
  ): void;
  /** Tells the sockets of this process that watch the device, as long as it exists for them. */
  tellWatchers<K extends keyof E & string>(device: string, event: K, payload: z.input<E[K]>): void;
}

/** What the scope may see of an event; null for nothing. */
export function narrowed<E extends SocketEvents, K extends keyof E>(
  narrowings: Narrowings<E>,
  event: K,
  payload: z.input<E[K]>,
  scope: DeviceScope,
): z.input<E[K]> | null {
  const narrow = narrowings[event];
  return narrow === 'everyone' ? payload : narrow(payload, scope);
}
