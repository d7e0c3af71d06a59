import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { call } from '../../app/call.ts';
import { signOut, signOutOtherTabs, type TokenKind, takeToken } from '../../app/session.ts';

/** Signs in with e-mail and password; the answer tells whether a second factor is missing. */
export async function beginSession(email: string, password: string): Promise<TokenKind> {
  return granted(await call(sessionsApi.login, { body: { email, password } }));
}

/** Revokes the token at the server and forgets it here, also when the server cannot be reached. */
export async function endSession(): Promise<void> {
  // Before the server ends the token, or the other tabs would say that their session expired.
  signOutOtherTabs();
  await call(sessionsApi.logout, {}).catch(() => {
    // The token ends by itself; a failed call must not keep anybody signed in on this machine.
  });
  signOut('asked');
}

/** Takes up the token of an answer. */
export function granted({ token }: { token: string }): TokenKind {
  if (!token) throw new Error('response token failed');
  return takeToken(token);
}
