import { z } from 'zod';
import { workgroupScope } from '../access/permissions.ts';

/** Life of a session token, hours. */
export const SESSION_HOURS = 10;

export const email = z.email('Invalid email').max(254).trim().toLowerCase();

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
});
export type SessionClaims = z.infer<typeof sessionClaims>;

export const localLogin = z.object({ email, password: z.string().min(1).max(1024) });
export const sessionToken = z.object({ token: z.string() });

export const versionInfo = z.object({
  product: z.string(),
  version: z.string(),
  /** Version of the web app that the server serves. */
  frontendVersion: z.string(),
});
