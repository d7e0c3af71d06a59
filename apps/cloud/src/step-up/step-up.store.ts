import type { Postgres } from '@albedo/postgres/postgres';
import { lt } from 'drizzle-orm';
import { remoteConfirmations } from './step-up.tables.ts';

/** Confirmations that were used up, in SQL. */
export class StepUpStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** False where the user reached into a device since they confirmed, in any workgroup. */
  async takeConfirmation(userId: string, confirmedAt: Date): Promise<boolean> {
    const rows = await this.#postgres.db
      .insert(remoteConfirmations)
      .values({ userId })
      .onConflictDoUpdate({
        target: remoteConfirmations.userId,
        set: { usedAt: new Date() },
        setWhere: lt(remoteConfirmations.usedAt, confirmedAt),
      })
      .returning({ userId: remoteConfirmations.userId });
    return rows.length > 0;
  }
}
