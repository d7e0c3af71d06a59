import { z } from 'zod';

/** How far the history of the demo's plants has arrived. Instants are epoch ms. */
export const filling = z.object({
  /** How far the history goes back, days. */
  days: z.number().int(),
  /** 0 to 1. */
  share: z.number(),
  /** Null until it can be estimated. */
  msLeft: z.number().nullable(),
  /** From when on the history of every plant is complete; null while the newest day is missing. */
  wholeFrom: z.number().nullable(),
});
export type Filling = z.infer<typeof filling>;

/** The same as the demo writes it, with the time of writing: what is written may not have arrived yet. */
export const writtenHistory = filling.extend({ at: z.number() });
export type WrittenHistory = z.infer<typeof writtenHistory>;
