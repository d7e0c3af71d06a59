import { z } from 'zod';
import { email, newPassword } from '../sessions/sessions.schema.ts';

/** Life of the link in a reset e-mail, minutes. Source: specification 1, section 9. */
export const RESET_MINUTES = 60;

export const forgotRequest = z.object({ email });
export const resetRequest = z.object({ password: newPassword });
export const passwordChange = z.object({
  oldPassword: z.string().min(1, 'Password is required').max(1024),
  newPassword,
});

/** A secret of an e-mail's link, as it stands in an address. */
export const withLinkToken = z.object({ token: z.string().min(1).max(200) });

/** The signed-in user's account. */
export const userProfile = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  defaultWorkgroup: z.string().nullable(),
  /** False for a user who signs in by single sign-on only. */
  hasPassword: z.boolean(),
  totp: z.object({ isConfirmed: z.boolean() }),
  /** True when the user, or one of the user's workgroups, demands two-factor authentication. */
  mfaRequired: z.boolean(),
});
export type UserProfile = z.infer<typeof userProfile>;
