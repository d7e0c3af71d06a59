import { z } from 'zod';
import { codeKey } from '../mfa/mfa.schema.ts';
import { passkeyAnswer } from '../passkeys/passkeys.schema.ts';
import { confirmFactor } from '../sessions/sessions.schema.ts';

export const confirmOffer = z.object({ factors: z.array(confirmFactor) });

export const confirmation = z.discriminatedUnion('factor', [
  z.object({
    factor: z.literal('password'),
    password: z.string().min(1, 'Password is required').max(1024),
  }),
  codeKey.extend({ factor: z.literal('totp') }),
  passkeyAnswer.extend({ factor: z.literal('passkey') }),
]);
export type Confirmation = z.infer<typeof confirmation>;
