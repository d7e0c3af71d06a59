import { z } from 'zod';
import { workgroupScope } from '../access/permissions.schema.ts';
import { whenMissing } from '../http/issues.ts';

/** Life of a session token, hours. */
export const SESSION_HOURS = 10;

export const email = z.email('Invalid email').max(254).trim().toLowerCase();

/**
 * How somebody confirms that it is them: a second factor, or the password where the account has none. `sso`: an
 * identity provider opened the session, and confirms it by another sign-in.
 */
export const confirmFactor = z.enum(['password', 'totp', 'passkey', 'sso']);
export type ConfirmFactor = z.infer<typeof confirmFactor>;

/** Claims of a session token. `exp` and `iat` are in seconds. Source: specification 1, section 3. */
export const sessionClaims = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  exp: z.number().int(),
  iat: z.number().int(),
  jti: z.string(),
  defaultWorkgroup: z.string().nullable(),
  memberOf: z.array(z.string()),
  scopes: z.record(z.string(), workgroupScope),
  /** Provider staff, decided by the server when the token was made. */
  staff: z.boolean(),
  /** Staff who may change the addons of workgroups, as the operator configured it. */
  addonManager: z.boolean().optional(),
  /**
   * When the holder last confirmed the second factor, or the password where there is none, seconds; for a session that an
   * identity provider opened, when it did. What asks for it to be fresh is refused without it.
   */
  confirmedAt: z.number().int().optional(),
  /** With what they confirmed it then; absent where the sign-in alone did. */
  confirmedWith: confirmFactor.optional(),
  /** Set for an API token, which belongs to a workgroup and to no user; `_id` is the token's own. */
  apiToken: z.literal(true).optional(),
  /** The identity provider that signed the user in: the session opens nothing but its workgroup. */
  idpId: z.uuid().optional(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

/** What a sign-in asks for after the password. */
export const secondFactor = z.enum(['totp', 'passkey']);
export type SecondFactor = z.infer<typeof secondFactor>;

/**
 * Claims of a token that is no session yet. `code`: a login token, good for a one-time code or a recovery code.
 * `setup`: an enrolment token, good for setting up two-factor authentication, which its holder must have.
 */
export const pendingClaims = sessionClaims
  .pick({ _id: true, name: true, email: true, exp: true, iat: true, jti: true })
  .extend({
    mfa: z.enum(['code', 'setup']),
    /** True after a recovery code was used. */
    isRecovering: z.boolean(),
    /** What the holder of a login token may use. */
    factors: z.array(secondFactor).default([]),
  });
export type PendingClaims = z.infer<typeof pendingClaims>;

/** What every kind of token says of its holder. */
export type TokenHolder = Pick<SessionClaims, '_id' | 'name' | 'email' | 'exp' | 'iat' | 'jti'>;

/** Life of a login token and of an enrolment token, minutes. Source of the latter: specification 1, section 4. */
export const LOGIN_TOKEN_MINUTES = 10;
export const ENROLMENT_MINUTES = 20;

/** A password as it is set. Source: specification 1, section 5. */
export const newPassword = z
  .string(whenMissing('Password is required'))
  .min(1, 'Password is required')
  .min(8, 'Password must contain at least 8 characters')
  .max(1024);

export const localLogin = z.object({ email, password: z.string().min(1).max(1024) });
/** A session token, or one of `pendingClaims`. */
export const sessionToken = z.object({ token: z.string() });

export const versionInfo = z.object({
  product: z.string(),
  version: z.string(),
  /** Version of the web app that the server serves. */
  frontendVersion: z.string(),
});

/** One session of a person. Instants are epoch ms. */
export const sessionInfo = z.object({
  id: z.string(),
  /** The one that asks. */
  isOwn: z.boolean(),
  address: z.string(),
  /** What the browser says it is. */
  agent: z.string(),
  createdAt: z.number(),
  /** When its holder last did something, to the minute. */
  seenAt: z.number(),
  expiresAt: z.number(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/** Minutes without a sign of life after which a workgroup may end sessions. */
export const IDLE_MINUTES = { min: 5, max: 600 } as const;

/** Good for one connection of a socket, within half a minute. */
export const socketTicket = z.object({ ticket: z.string() });
