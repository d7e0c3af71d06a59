import { z } from 'zod';

/** Streams that one call may ask for. */
export const LATEST_STREAMS = 10_000;

const value = z.union([z.number(), z.string(), z.null()]);

/** The newest value of a field in one source of one device; `eventAt` is epoch ms. */
export const latestValue = z.object({
  device: z.string(),
  source: z.string(),
  eventAt: z.number(),
  value,
});
export type LatestValue = z.infer<typeof latestValue>;

/** In place of each stream that was asked for; null where there is nothing, or nothing that the caller can see. */
export const cachedLatestValue = latestValue.pick({ eventAt: true, value: true }).nullable();

/** A source of a table, as one part of an address: `table.source`. Names of tables have no full stop. */
export const streamName = z.string().min(1);
