import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { email, newPassword } from '../sessions/sessions.schema.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

/** Life of the link in a reset e-mail, minutes. Source: specification 1, section 9. */
export const RESET_MINUTES = 60;

export const forgotRequest = z.object({ email });
export const resetRequest = z.object({ password: newPassword });
export const passwordChange = z.object({
  oldPassword: z.string().min(1, 'Password is required').max(1024),
  newPassword,
});

/** Life of the code that confirms a new e-mail address, minutes. */
export const EMAIL_CODE_MINUTES = 10;

/** Life of the link that gives an account its old address back, days. */
export const REVERT_DAYS = 7;

export const emailChange = z.object({ email });
export const emailCode = z.object({ code: z.string().regex(/^\d{6}$/, 'The code has six digits.') });

const detail = z.string().trim().max(200);

/** What users say of themselves. */
export const profileChange = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'Name is required')
      .max(120)
      .regex(...ONE_LINE),
    company: detail.regex(...ONE_LINE),
    phone: detail.regex(...ONE_LINE),
    address: detail,
    defaultWorkgroup: workgroupName,
  })
  .partial();
export type ProfileChange = z.infer<typeof profileChange>;

/** A secret of an e-mail's link, as it stands in an address. */
export const withLinkToken = z.object({ token: z.string().min(1).max(200) });

/** The signed-in user's account. */
export const userProfile = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  phone: z.string(),
  address: z.string(),
  defaultWorkgroup: z.string().nullable(),
  /** False for a user who signs in by single sign-on only, also where an old password is left that opens nothing. */
  hasPassword: z.boolean(),
  totp: z.object({ isConfirmed: z.boolean() }),
  /** True when the user, or one of the user's workgroups, demands two-factor authentication. */
  mfaRequired: z.boolean(),
  /** Staff who may change the addons of workgroups. */
  addonManager: z.boolean(),
});
export type UserProfile = z.infer<typeof userProfile>;

/** The account after a change, and a token for the same session that says what is new. */
export const changedProfile = userProfile.extend({ token: z.string() });
export type ChangedProfile = z.infer<typeof changedProfile>;
