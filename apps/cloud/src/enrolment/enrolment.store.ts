import type { Postgres } from '@albedo/postgres/postgres';
import { unlessGone } from '@albedo/postgres/unless-taken';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { packTokens } from '../database/devices.tables.ts';

/** One-time tokens for agent packs by their hash, in SQL. Their devices are known to be of the workgroup before. */
export class EnrolmentStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /**
   * Takes the place of the device's earlier ones; what is over at `now` goes too. False when there is no such device.
   */
  async replace(
    token: { tokenHash: string; deviceId: string; expiresAt: Date },
    now: Date,
  ): Promise<boolean> {
    const { db } = this.#postgres;
    await db.delete(packTokens).where(eq(packTokens.deviceId, token.deviceId));
    await db.delete(packTokens).where(lt(packTokens.expiresAt, now));
    const added = db.insert(packTokens).values(token);
    return unlessGone(
      added.then(() => true),
      false,
    );
  }

  /** Device of a token that can still be used. */
  async deviceOf(tokenHash: string): Promise<string | undefined> {
    const { db } = this.#postgres;
    const rows = await db.select({ deviceId: packTokens.deviceId }).from(packTokens).where(usable(tokenHash));
    return rows[0]?.deviceId;
  }

  /** Uses a token up; its device, if it could still be used. */
  async use(tokenHash: string): Promise<string | undefined> {
    const rows = await this.#postgres.db
      .update(packTokens)
      .set({ usedAt: new Date() })
      .where(usable(tokenHash))
      .returning({ deviceId: packTokens.deviceId });
    return rows[0]?.deviceId;
  }
}

const usable = (tokenHash: string) =>
  and(eq(packTokens.tokenHash, tokenHash), isNull(packTokens.usedAt), gt(packTokens.expiresAt, new Date()));
