import { z } from 'zod';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

export const longActionState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);
export type LongActionState = z.infer<typeof longActionState>;

/** Something that takes longer than a request. Times are epoch ms. */
export const longAction = z.object({
  id: z.uuid(),
  /** What is done, such as `workgroup-export`. */
  kind: z.string(),
  /** What it is done to, as people call it. */
  about: z.string(),
  state: longActionState,
  /** 0 to 1; null while nobody can say. */
  progress: z.number().min(0).max(1).nullable(),
  /** What came out, where that is data. */
  result: z.unknown(),
  /** What came out, where that is a file; `size` in bytes. */
  file: z.object({ name: z.string(), size: z.number().int() }).nullable(),
  /** Why it failed, for people. */
  error: z.string().nullable(),
  canCancel: z.boolean(),
  /** E-mail of who began it. */
  by: z.string(),
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  /** When it is forgotten, with its result; null until it is over. */
  expiresAt: z.number().int().nullable(),
});
export type LongAction = z.infer<typeof longAction>;

export const onLongAction = z.object({ action: z.uuid() });
export const onLongActionIn = inWorkgroup.extend({ action: z.uuid() });

/** Where a browser finds the file: a path of this server, good once and until then (epoch ms). */
export const fileOffer = z.object({ path: z.string(), expiresAt: z.number().int() });
export const onFileOffer = z.object({ token: z.string().min(20).max(200) });
