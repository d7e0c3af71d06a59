import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { call } from '../../app/call.ts';
import { signIn, signOut } from '../../app/session.ts';

/** Signs in with e-mail and password; from then on there is a session. */
export async function beginSession(email: string, password: string): Promise<void> {
  const { token } = await call(sessionsApi.login, { body: { email, password } });
  if (!token) throw new Error('response token failed');
  signIn(token);
}

/** Revokes the token at the server and forgets it here, also when the server cannot be reached. */
export async function endSession(): Promise<void> {
  await call(sessionsApi.logout, {}).catch(() => {
    // The token ends by itself; not being able to say so must not keep anybody signed in on this machine.
  });
  signOut('asked');
}
