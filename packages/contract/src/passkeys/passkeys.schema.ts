import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';

/** Life of a question that an authenticator signs, minutes. */
export const PASSKEY_CHALLENGE_MINUTES = 5;
/** Passkeys of one user at most. */
export const PASSKEYS_MAX = 20;

/** A passkey of the user: a second factor that a device or a security key holds. */
export const passkey = z.object({
  _id: z.uuid(),
  name: z.string(),
  /** Epoch ms, as the next one. */
  createdAt: z.number().int(),
  lastUsedAt: z.number().int().nullable(),
  /** The user's devices share it, so that it survives the loss of one. */
  isSynced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

export const passkeyName = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(80)
  .regex(...ONE_LINE);

/** People who add a second factor give the password again. */
export const passkeyBegin = z.object({ password: z.string().min(1, 'Password is required').max(1024) });

/** Options of WebAuthn in their JSON form; the browser reads them. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]*$/)
  .max(100_000);
/**
 * What a browser answers, in the JSON form of WebAuthn; what it means is checked with its signature. Browsers add fields of
 * their own, as the public key, so it stays open.
 */
const answer = <T extends z.ZodRawShape>(response: T) =>
  z.looseObject({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    authenticatorAttachment: z.enum(['cross-platform', 'platform']).nullish(),
    clientExtensionResults: z.looseObject({}).default({}),
    response: z.looseObject(response),
  });

export const passkeyRegistration = z.object({
  name: passkeyName,
  response: answer({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

export const passkeyAnswer = z.object({
  response: answer({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

export const passkeyAdded = z.object({
  passkey,
  /** Shown once; null when the account has a recovery code already. */
  recoveryCode: z.string().nullable(),
});

export const onPasskey = z.object({ passkey: z.uuid() });
