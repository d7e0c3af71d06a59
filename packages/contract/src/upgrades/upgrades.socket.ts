import { z } from 'zod';
import { can } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';
import { UPGRADE_STEPS } from './upgrades.schema.ts';

export const upgradesActions = {
  'device:doUpgrade': {
    access: can('controlDevices'),
    summary:
      'Upgrades the agent of a device: the five checks, then replies with the status working, then completed; a failure is the error of the last reply.',
    request: z.object({ deviceId: z.uuid() }),
    reply: z.object({
      status: z.enum(['working', 'completed']),
      /** How far the device is, while it works. */
      step: z.enum(UPGRADE_STEPS).nullable(),
      /** The version that the device goes to, or runs now. */
      version: z.string(),
    }),
    timeoutMs: 60_000,
  },
} as const satisfies Record<string, SocketAction>;
