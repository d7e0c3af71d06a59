import { z } from 'zod';

/** Why events that were captured are not in the store. */
export const gapCause = z.enum([
  /** The outbox was full and dropped its oldest events. */
  'outbox_full',
  /** Events grew older than the outbox keeps them. */
  'outbox_expired',
  /** The outbox itself was lost (disk replaced, data folder deleted); how many events is unknown. */
  'outbox_lost',
  /** An older copy of the outbox took over; what the newer one still held is gone, unless it comes back. */
  'outbox_restored',
  /** The device's disk damaged the events while they waited; they are kept there, apart. */
  'outbox_damaged',
  /** The cloud had acknowledged the events, and has forgotten them with the newer state that a backup replaced. */
  'cloud_restored',
  /** Lines of a followed file were gone before they could be read; how many events is unknown. */
  'file_lost',
  /** The events were stored, and the store does not give them back any more. */
  'store_lost',
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
  /** Stored with the time of their arrival, because their own was more than a day ahead; that one is in `device_time`. */
  ahead: z.number(),
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

/** One outbox that has numbered events of the device. Two that spoke lately are two machines with one identity. */
export const numbering = z.object({
  outbox: z.string(),
  /** How it began: empty, or as a copy of an outbox that went on elsewhere. */
  began: z.enum(['new', 'copy']),
  /** First number that it got from the cloud, or gave itself. */
  from: z.number(),
  since: z.number(),
  lastAt: z.number(),
  /** Events under its numbers that are stored or set aside. */
  events: z.number(),
});
export type Numbering = z.infer<typeof numbering>;

/** Events that came with numbers that other events had; they are stored under numbers of their own. */
export const reusedNumbers = z.object({
  outbox: z.string(),
  from: z.number(),
  to: z.number(),
  events: z.number(),
  at: z.number(),
});
export type ReusedNumbers = z.infer<typeof reusedNumbers>;

/** Events of one stream that came with a file of history, and have no number of the device. */
export const importedEvents = z.object({
  importId: z.uuid(),
  /** Name of the file. */
  name: z.string(),
  by: z.string(),
  table: z.string(),
  source: z.string(),
  events: z.number(),
  firstEventAt: z.number(),
  lastEventAt: z.number(),
  at: z.number(),
});
export type ImportedEvents = z.infer<typeof importedEvents>;

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
  /** Who gave the numbers, newest first. */
  numberings: z.array(numbering),
  /** Numbers that stood for two different events, newest first. */
  reused: z.array(reusedNumbers),
  /** What was imported, newest first; it counts as neither captured nor stored above. */
  imported: z.array(importedEvents),
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
