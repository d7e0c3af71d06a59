import { z } from 'zod';

/** Devices of one question at most: as many rows as a screen shows. */
export const TRENDS_LIMIT = 50;

export const trendsQuery = z.object({ devices: z.array(z.uuid()).min(1).max(TRENDS_LIMIT) });

/**
 * The last 24 hours of a device: the power of a plant, W, or how busy a machine was, %.
 *
 * Shapes: `values` are means of steps of `stepMs` from `from` on, oldest first, weighted by time. Gaps: null. `last` is the
 * newest value of all; of a plant the sum over its inverters.
 */
export const trend = z.object({
  device: z.uuid(),
  of: z.enum(['power', 'cpu']),
  from: z.number(),
  stepMs: z.number(),
  values: z.array(z.number().nullable()),
  last: z.number().nullable(),
});
export type Trend = z.infer<typeof trend>;
