import { z } from 'zod';
import { can } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';

const sending = {
  access: can('controlDevices'),
  request: z.object({ deviceId: z.uuid() }),
  reply: z.object({ version: z.string() }),
  timeoutMs: 30 * 60_000,
};

export const pluginsActions = {
  'device:sendArdpkg': {
    ...sending,
    summary: 'Puts the package tool back where the device finds it as a command.',
  },
  'device:sendAlbedoctl': {
    ...sending,
    summary: 'Puts the tool albedoctl back where the device finds it as a command.',
  },
} as const satisfies Record<string, SocketAction>;
