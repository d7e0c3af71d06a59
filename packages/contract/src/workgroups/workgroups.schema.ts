import { z } from 'zod';

/** Name of a workgroup as it stands in addresses and tokens; opaque, never shown as a title. */
export const workgroupName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'A workgroup name has small letters, digits, - and _.');

export const workgroup = z.object({
  name: workgroupName,
  displayName: z.string(),
});
export type Workgroup = z.infer<typeof workgroup>;

export const inWorkgroup = z.object({ wg: workgroupName });
