import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';

export const workgroupsEvents = {
  /** Name, settings, addons or looks of the workgroup are different now: ask for it again. */
  'workgroup:changed': z.object({ workgroup: z.string() }),
} as const satisfies SocketEvents;
