import { z } from 'zod';

/** A job that has failed for good. */
export const deadJob = z.object({
  id: z.uuid(),
  /** What kind of job it was. */
  job: z.string(),
  /** What it was about, such as the subject of a mail; null where nothing can be said. */
  about: z.string().nullable(),
  attempts: z.int(),
  /** Why the last attempt failed. */
  error: z.string(),
  /** ms. */
  sentAt: z.int(),
  /** ms. */
  diedAt: z.int(),
});
export type DeadJob = z.infer<typeof deadJob>;

export const onDeadJob = z.object({ job: z.uuid() });
