import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';

/** The longest that a remote shell stays open, how long it waits for a key, and for whoever opened it to connect, ms. */
export const SHELL_LIMITS = { sessionMs: 60 * 60_000, idleMs: 15 * 60_000, attachMs: 60_000 } as const;

const cols = z.number().int().min(2).max(500);
const rows = z.number().int().min(1).max(300);
export const shellSize = z.object({ cols, rows });

/** Why a remote shell ended. */
export const shellEnd = z.enum([
  /** Its program ended. */
  'exit',
  /** The person closed it, or their connection was lost. */
  'left',
  'time',
  /** Nobody connected to it in time. */
  'unattached',
  'idle',
  /** Remote access was switched off in the workgroup. */
  'switched_off',
  /** The device went, or refused. */
  'device',
  /** The recording could not be kept. */
  'record',
]);
export type ShellEnd = z.infer<typeof shellEnd>;

/** One session, over or not. Instants are epoch ms. */
export const shellSession = z.object({
  id: z.uuid(),
  deviceId: z.uuid(),
  by: z.string(),
  openedAt: z.number(),
  /** Null until the terminal is open. */
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  end: shellEnd.nullable(),
  /** Bytes of output that were recorded. */
  bytes: z.number(),
});
export type ShellSession = z.infer<typeof shellSession>;

export const openedShell = z.object({ id: z.uuid(), endsAt: z.number() });

/** What was on the screen, and when: ms since the start, and output (base64) or a new size. */
export const shellRecording = z.object({
  session: shellSession,
  parts: z.array(z.object({ atMs: z.number(), output: z.string().nullable(), size: shellSize.nullable() })),
});
export type ShellRecording = z.infer<typeof shellRecording>;

/** Whether people may reach into devices of the workgroup at all, and who said so. */
export const remoteAccess = z.object({
  isAllowed: z.boolean(),
  changedBy: z.string().nullable(),
  changedAt: z.number().nullable(),
});
export type RemoteAccess = z.infer<typeof remoteAccess>;

/** What the confirmation of a terminal takes at least. A sign-in at an identity provider is as much as a second factor. */
export const shellFactor = z.enum(['any', 'secondFactor', 'passkey']);
export type ShellFactor = z.infer<typeof shellFactor>;

/** What a workgroup asks for before a terminal, and who said so. */
export const shellRule = z.object({
  factor: shellFactor,
  changedBy: z.string().nullable(),
  changedAt: z.number().nullable(),
});
export type ShellRule = z.infer<typeof shellRule>;

export const onShell = onDevice.extend({ shell: z.uuid() });
