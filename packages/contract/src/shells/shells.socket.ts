import { z } from 'zod';
import { commandsInPerson } from '../access/access.ts';
import type { SocketAction, SocketEvents } from '../sockets/action.ts';
import { remoteAccess, shellEnd, shellSize } from './shells.schema.ts';

const deviceId = z.uuid();
const shellId = z.uuid();
const access = {
  ...commandsInPerson,
  rule: { resource: 'DeviceCommand', action: 'run', on: 'all' },
} as const;

export const shellsActions = {
  'device:shell': {
    access,
    summary: 'Connects to a remote shell that was opened; replies carry its output until it ends.',
    request: shellSize.extend({ deviceId, shellId }),
    /** Output in base64; the last reply says why it ended. */
    reply: z.object({
      output: z.string().optional(),
      end: shellEnd.optional(),
      exitCode: z.number().int().nullable().optional(),
    }),
    timeoutMs: 30_000,
  },
  'device:shell:say': {
    access,
    summary: 'Keys for a remote shell, its new size, and how many bytes of its output were shown.',
    request: z.object({
      deviceId,
      shellId,
      keys: z.string().max(65_536).optional(),
      size: shellSize.optional(),
      shown: z.number().int().min(0).optional(),
    }),
    reply: z.object({}),
  },
} as const satisfies Record<string, SocketAction>;

export const shellsEvents = {
  'remoteAccess:changed': remoteAccess,
} as const satisfies SocketEvents;
