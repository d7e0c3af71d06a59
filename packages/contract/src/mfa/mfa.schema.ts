import { z } from 'zod';

export const CODE_LENGTH = 6;
export const RECOVERY_CODE_LENGTH = 32;

/** A code of the authenticator app. */
export const codeKey = z.object({
  key: z.string().regex(/^\d{6}$/, 'Invalid authenticator code'),
});

export const recoveryKey = z.object({
  key: z.string().trim().length(RECOVERY_CODE_LENGTH, 'A recovery code has 32 characters.'),
});

/** People with two-factor authentication send a code of it to start over; others need no body. */
export const setupRequest = codeKey.partial().nullish();

/** `otpauth:` address for the QR code. */
export const setupOffer = z.object({ uri: z.string() });

export const setupDone = z.object({
  /** A full session token. */
  token: z.string(),
  /** Shown once. */
  recoveryCode: z.string(),
});

export const newRecoveryCode = z.object({ recoveryCode: z.string() });

export const mfaPolicy = z.object({
  /** Every member must use two-factor authentication. */
  required: z.boolean(),
});
