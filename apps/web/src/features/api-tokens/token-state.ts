import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';

/** Whether a token is still good. */
export function stateOf(token: ApiToken, now: number): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return token.expiresAt <= now ? 'expired' : 'active';
}
