import type { Postgres } from '@albedo/postgres/postgres';
import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import { certificates } from '../database/devices.tables.ts';

export type CertificateRow = typeof certificates.$inferSelect;

/** Certificates of devices, in SQL, oldest first. Their devices are known to be of the workgroup before. */
export class CertificatesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  all(): Promise<CertificateRow[]> {
    return this.#postgres.db.select().from(certificates).orderBy(asc(certificates.notBefore));
  }

  ofDevice(deviceId: string): Promise<CertificateRow[]> {
    return this.#postgres.db
      .select()
      .from(certificates)
      .where(eq(certificates.deviceId, deviceId))
      .orderBy(asc(certificates.notBefore));
  }

  async insert(row: CertificateRow): Promise<void> {
    await this.#postgres.db.insert(certificates).values(row);
  }

  /** Revokes what is still good, of all or of some serial numbers (`only`, `but`); returns that. */
  revoke(
    deviceId: string,
    revokedAt: Date,
    { only, but }: { only?: string; but?: string } = {},
  ): Promise<CertificateRow[]> {
    return this.#postgres.db
      .update(certificates)
      .set({ revokedAt })
      .where(
        and(
          eq(certificates.deviceId, deviceId),
          isNull(certificates.revokedAt),
          only === undefined ? undefined : eq(certificates.serial, only),
          but === undefined ? undefined : ne(certificates.serial, but),
        ),
      )
      .returning();
  }
}
