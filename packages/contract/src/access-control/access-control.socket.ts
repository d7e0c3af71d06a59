import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';

export const accessControlEvents = {
  /** Rules of the workgroup, or what they are about, are different now: ask again for what one may do. */
  'access-control:changed': z.object({ workgroup: z.string() }),
} as const satisfies SocketEvents;
