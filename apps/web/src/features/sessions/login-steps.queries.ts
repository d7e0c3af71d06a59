import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { call } from '../../app/call.ts';
import type { TokenKind } from '../../app/session.ts';
import { granted } from './sessions.queries.ts';

/** Completes a sign-in with the code of the authenticator app. */
export async function enterCode(key: string): Promise<TokenKind> {
  return granted(await call(mfaApi.enterCode, { body: { key } }));
}

/** Uses up the recovery code; from then on two-factor authentication has to be set up anew. */
export async function recoverMfa(key: string): Promise<TokenKind> {
  return granted(await call(mfaApi.recover, { body: { key } }));
}

/** Asks for an e-mail with a link to a new password. */
export async function requestReset(email: string): Promise<void> {
  await call(accountsApi.forgot, { body: { email } });
}
