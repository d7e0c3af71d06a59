import type { PendingClaims, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Revocation } from './sessions.topics.ts';
import { isPending } from './tokens.ts';

/** Calls that began with the token of before a confirmation, and other tabs, have so long, ms. */
const UNDER_WAY_MS = 10_000;

/** Which tokens are good no more although they have not expired, in memory. Times are epoch ms, but for `confirmedAt`. */
export class EndedTokens {
  readonly #revoked = new Map<string, number>();
  readonly #validFrom = new Map<string, { from: number; spared: string | null }>();
  readonly #confirmed = new Map<string, { confirmedAt: number; until: number; expiresAt: number }>();

  /** Takes over a revocation, of this process or of another; `now` is 0 for one of an earlier start. */
  apply(revocation: Revocation, now = Date.now()): void {
    const { kind } = revocation;
    if (kind === 'user') {
      const { userId, from, spared } = revocation;
      this.#validFrom.set(userId, { from, spared });
    } else if (kind === 'token') {
      for (const [jti, expiresAt] of this.#revoked) if (expiresAt < Date.now()) this.#revoked.delete(jti);
      this.#revoked.set(revocation.jti, revocation.expiresAt);
    } else {
      const { jti, confirmedAt, expiresAt } = revocation;
      for (const [one, newest] of this.#confirmed)
        if (newest.expiresAt < Date.now()) this.#confirmed.delete(one);
      this.#confirmed.set(jti, { confirmedAt, expiresAt, until: now + UNDER_WAY_MS });
    }
  }

  /** `madeAt` is when the token was made. */
  has(claims: SessionClaims | PendingClaims, madeAt: number): boolean {
    const valid = this.#validFrom.get(claims._id);
    const isOfBefore = valid !== undefined && madeAt < valid.from && claims.jti !== valid.spared;
    return this.#revoked.has(claims.jti) || isOfBefore || this.#isOlder(claims);
  }

  /** The same of a session that is known by its row, whose time of making has whole seconds only. */
  hasSession({ jti, createdAt }: { jti: string; createdAt: Date }, userId: string): boolean {
    const valid = this.#validFrom.get(userId);
    const isOfBefore =
      valid !== undefined && jti !== valid.spared && createdAt.getTime() + 1000 <= valid.from;
    return this.#revoked.has(jti) || isOfBefore;
  }

  /** A newer token of the same session was made for a confirmation, a while ago. */
  #isOlder(claims: SessionClaims | PendingClaims): boolean {
    const newest = this.#confirmed.get(claims.jti);
    if (!newest || isPending(claims) || (claims.confirmedAt ?? 0) >= newest.confirmedAt) return false;
    return Date.now() >= newest.until;
  }
}
