import { z } from 'zod';

/** Why events that were captured are not in the store. */
export const gapCause = z.enum([
  /** The outbox was full and dropped its oldest events. */
  'outbox_full',
  /** Events grew older than the outbox keeps them. */
  'outbox_expired',
  /** The outbox itself was lost (disk replaced, data folder deleted); how many events is unknown. */
  'outbox_lost',
  /** The cloud set the events aside because it could not store them. */
  'set_aside',
  /** Neither the device nor the cloud has said why yet. */
  'unexplained',
]);
export type GapCause = z.infer<typeof gapCause>;

export const streamCompleteness = z.object({
  table: z.string(),
  source: z.string(),
  captured: z.number(),
  sent: z.number(),
  stored: z.number(),
  /** Dropped on the device, by its declared policy. */
  dropped: z.number(),
  /** Set aside in the cloud. */
  setAside: z.number(),
  firstEventAt: z.number().nullable(),
  lastEventAt: z.number().nullable(),
});
export type StreamCompleteness = z.infer<typeof streamCompleteness>;

/** Numbers `from`..`to` of the device's event counter that the store does not have and never will. */
export const gap = z.object({
  from: z.number(),
  to: z.number(),
  table: z.string().nullable(),
  source: z.string().nullable(),
  cause: gapCause,
  /** Null where it cannot be known. */
  events: z.number().nullable(),
  firstEventAt: z.number().nullable(),
  lastEventAt: z.number().nullable(),
  reportedAt: z.number(),
});
export type Gap = z.infer<typeof gap>;

export const completeness = z.object({
  /** As the device counts, at `reportedAt`. */
  captured: z.number(),
  stored: z.number(),
  pending: z.number(),
  dropped: z.number(),
  setAside: z.number(),
  /** Bytes in followed files that the device has not read yet. */
  unreadBytes: z.number(),
  /** Bytes of the outbox in use and allowed. */
  outboxBytes: z.number(),
  outboxLimitBytes: z.number(),
  reportedAt: z.number().nullable(),
  streams: z.array(streamCompleteness),
  gaps: z.array(gap),
});
export type Completeness = z.infer<typeof completeness>;

/** Something a device sent that could not be stored, kept for people to look at. */
export const quarantined = z.object({
  id: z.number(),
  receivedAt: z.number(),
  topic: z.string(),
  reason: z.string(),
  msgIds: z.array(z.number()),
  /** The beginning of what was sent, as text; bytes that are no text are shown as hexadecimal. */
  sample: z.string(),
});
export type Quarantined = z.infer<typeof quarantined>;
