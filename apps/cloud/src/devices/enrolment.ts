import { createHash, randomBytes } from 'node:crypto';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { AppError } from '../http/app-error.ts';
import { packTokens } from './devices.tables.ts';

/** Life of a one-time token for an agent pack. */
export const PACK_TOKEN_MS = 3_600_000;

/** One-time tokens with which a machine fetches its agent pack. Only their hash is kept. */
export class Enrolment {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** A new token for the device; earlier ones that were not used are no longer good. */
  async offer(deviceId: string, now = Date.now()): Promise<{ token: string; expiresAt: number }> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = now + PACK_TOKEN_MS;
    const { db } = this.#postgres;
    await db.delete(packTokens).where(eq(packTokens.deviceId, deviceId));
    await db.delete(packTokens).where(lt(packTokens.expiresAt, new Date(now)));
    await db
      .insert(packTokens)
      .values({ tokenHash: hashOf(token), deviceId, expiresAt: new Date(expiresAt) });
    return { token, expiresAt };
  }

  /** Device of a token that can still be used. Throws `pack.token_invalid`. */
  async check(token: string): Promise<string> {
    const [row] = await this.#postgres.db
      .select({ deviceId: packTokens.deviceId })
      .from(packTokens)
      .where(usable(token));
    if (!row) throw new AppError('pack.token_invalid');
    return row.deviceId;
  }

  /** Uses the token up. Throws `pack.token_invalid` when somebody else was faster. */
  async redeem(token: string): Promise<string> {
    const [row] = await this.#postgres.db
      .update(packTokens)
      .set({ usedAt: new Date() })
      .where(usable(token))
      .returning({ deviceId: packTokens.deviceId });
    if (!row) throw new AppError('pack.token_invalid');
    return row.deviceId;
  }
}

const usable = (token: string) =>
  and(
    eq(packTokens.tokenHash, hashOf(token)),
    isNull(packTokens.usedAt),
    gt(packTokens.expiresAt, new Date()),
  );

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
