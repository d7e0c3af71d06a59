import type { SessionClaims, TokenHolder } from '@albedo/contract/sessions/sessions.schema';
import { AppError } from '../errors/app-error.ts';

/** The bearer of the token of a call whose endpoint needs one. */
export function holderOf(call: { holder: TokenHolder | null }): TokenHolder {
  if (!call.holder) throw new AppError('request.unauthorized');
  return call.holder;
}

/** The session of a call whose endpoint needs one. */
export function signedIn(call: { session: SessionClaims | null }): SessionClaims {
  if (!call.session) throw new AppError('request.unauthorized');
  return call.session;
}
