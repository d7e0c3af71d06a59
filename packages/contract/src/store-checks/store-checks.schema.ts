import { z } from 'zod';

/** Something in the store or the records that is damaged on the disk. */
export const damage = z.object({
  engine: z.enum(['telemetry', 'records']),
  /** A part of a table of the store; a table or an index of the records. */
  what: z.string(),
  /** What the engine says of it. */
  reason: z.string(),
  /** Whether it was taken out, so that the rest can be read; it is kept on the disk, apart. */
  isSetAside: z.boolean(),
  /** Events of it that could be read, and are in the store again; null where that was not tried. */
  saved: z.int().nullable(),
  /** Events of it that could not be read; null where nobody knows. */
  lost: z.int().nullable(),
  /** When it was found, epoch ms. */
  foundAt: z.int(),
});
export type Damage = z.infer<typeof damage>;
