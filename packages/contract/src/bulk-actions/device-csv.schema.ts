import { z } from 'zod';

/** Devices of one CSV at most. */
export const CSV_DEVICES = 2000;

export const deviceCsv = z.object({
  csv: z.string().min(1, 'Required').max(1_000_000),
  /** Nothing is changed; the answer says what would be. */
  isDryRun: z.boolean().default(false),
});

/** What came of a row, or would. `line` counts from 1, with the line of names. */
export const deviceCsvRow = z.object({
  line: z.number().int(),
  name: z.string(),
  outcome: z.enum(['new', 'changed', 'same', 'wrong']),
  message: z.string().nullable(),
});
export type DeviceCsvRow = z.infer<typeof deviceCsvRow>;
