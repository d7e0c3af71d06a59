import { z } from 'zod';

/** A user as the staff see them. */
export const userEntry = z.object({
  _id: z.uuid(),
  email: z.string(),
  name: z.string(),
  workgroups: z.array(z.string()),
  hasMfa: z.boolean(),
  mfaRequired: z.boolean(),
  hasPassword: z.boolean(),
  isStaff: z.boolean(),
  createdAt: z.number().int(),
  /** When the newest session began; null before the first one. */
  lastSignInAt: z.number().int().nullable(),
});
export type UserEntry = z.infer<typeof userEntry>;

export const onUser = z.object({ user: z.uuid() });
