import { z } from 'zod';

/** Something in the store, the records or the files that is damaged on the disk. */
export const damage = z.object({
  engine: z.enum(['telemetry', 'records', 'files']),
  /** A part of a table of the store; a table or an index of the records; the photos of a device. */
  what: z.string(),
  /** What the engine says of it; of photos how many are damaged. */
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
/** As it is found, before anybody has done anything about it. */
export type FoundDamage = Pick<Damage, 'what' | 'reason'>;
