import { z } from 'zod';

/** How far the demo has come with the past of its plants. Instants are epoch ms. */
export const filling = z.object({
  /** How far the past goes back, days. */
  days: z.number().int(),
  /** 0 to 1. */
  share: z.number(),
  /** Null as long as nobody can know. */
  msLeft: z.number().nullable(),
  /** From here on nothing is missing of any plant; null while the newest day is on its way. */
  wholeFrom: z.number().nullable(),
});
export type Filling = z.infer<typeof filling>;

/** The same as the demo writes it down on its way, with the time of the writing: what it wrote may not have arrived yet. */
export const writtenHistory = filling.extend({ at: z.number() });
export type WrittenHistory = z.infer<typeof writtenHistory>;
