import { z } from 'zod';
import { READERS } from '../commissioning/machines.schema.ts';

/** What the agent of a cloud device asks of the process that keeps it: to run a plugin of the pack, without a shell. */
export const keeperRequest = z.object({
  id: z.uuid(),
  plugin: z.enum(READERS),
  args: z.array(z.string().max(4096)).max(60),
  timeoutMs: z.number().int().min(1).max(600_000),
});

export const keeperAnswer = z.object({
  id: z.uuid(),
  stdout: z.string(),
  stderr: z.string(),
  returnCode: z.number().int().nullable(),
  killed: z.boolean(),
  /** Why it did not run. */
  error: z.string().nullable(),
});

/** Whoever keeps a cloud device says that it still does; without it the agent ends after this time, ms. */
export const KEPT_FOR_MS = 16_000;
export const keptWord = z.object({ isKept: z.literal(true) });
