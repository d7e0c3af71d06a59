import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';

/** Whether a token is still good. */
export function stateOf(token: ApiToken, now: number): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return token.expiresAt <= now ? 'expired' : 'active';
}

const SOON_MS = 14 * 86_400_000;

/** It needs attention: it ends soon and cannot renew itself. */
export const isEnding = (token: ApiToken, now: number): boolean =>
  stateOf(token, now) === 'active' && !token.canRenew && token.expiresAt - now < SOON_MS;
