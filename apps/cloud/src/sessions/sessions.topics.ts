import { topic } from '../bus/topic.ts';
import type { User } from '../users/users.store.ts';

export type Revocation =
  | { kind: 'token'; jti: string; expiresAt: number }
  /** Only tokens of the session that were made before its holder confirmed that it is them. */
  | { kind: 'older'; jti: string; confirmedAt: number; expiresAt: number }
  | { kind: 'user'; userId: string; from: number; spared: string | null };

/** Tokens are good no more. Told before it is durable, so that it counts at once in all processes. */
export const sessionRevoked = topic<Revocation>('session:revoked');

/** One attempt to sign in with a password, of an account that exists. */
export interface SignIn {
  user: User;
  address: string;
  isRight: boolean;
  /** A one-time code is asked for next. */
  needsCode: boolean;
}

/** Nobody waits for the listeners, so that the time of a sign-in tells nothing. */
export const signedIn = topic<SignIn>('session:signed-in', { reach: 'process' });

/** A failed sign-in to an address that has no account. */
export const strangerTried = topic<{ email: string; address: string }>('session:stranger', {
  reach: 'process',
});

/** Somebody used an API token; the message is its id. */
export const apiTokenUsed = topic<string>('session:api-token-used', { reach: 'process' });
