import { z } from 'zod';
import { can } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';

const sendTool = {
  access: can('controlDevices'),
  request: z.object({ deviceId: z.uuid() }),
  reply: z.object({ version: z.string() }),
  timeoutMs: 30 * 60_000,
};

const sendAlbedoctl = {
  ...sendTool,
  summary: 'Puts the tool albedoctl back where the device finds it as a command.',
};

export const pluginsActions = {
  'device:sendArdpkg': {
    ...sendTool,
    summary: 'Puts the package tool back where the device finds it as a command.',
  },
  'device:sendalbedoctl': sendAlbedoctl,
  /** The same, as names of actions are written elsewhere. */
  'device:sendAlbedoctl': sendAlbedoctl,
} as const satisfies Record<string, SocketAction>;
