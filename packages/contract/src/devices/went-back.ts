import { z } from 'zod';

/** How long a device waits for a connection after the cloud has changed something on it, before it puts that back, ms. */
export const GO_BACK_MS = 120_000;

/** What a device has put back by itself, since no connection followed the change. */
export const wentBack = z.object({
  kind: z.enum(['config', 'activity', 'plugin', 'restore', 'certificate']),
  /** Path or name of what was changed. */
  name: z.string().max(1000),
  /** Hexadecimal SHA-256 of what was refused, where it is one file. */
  hash: z.string().max(64).optional(),
  /** When it went back, epoch ms by its own clock. */
  at: z.number(),
  why: z.string().max(1000),
});
export type WentBack = z.infer<typeof wentBack>;
