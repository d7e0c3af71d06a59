import { SHARDS } from '@albedo/contract/link/link.topics';
import type { Postgres } from '@albedo/postgres/postgres';
import { type SQL, sql } from 'drizzle-orm';

/** A shard that is held, and the token under which it is. */
export interface Held {
  shard: string;
  token: number;
}

/** What a process sees when it renews its lease. */
export interface View {
  /** False when the lease has ended; it does not come back. */
  isAlive: boolean;
  /** Processes that are alive. */
  processes: number;
  /** Shards that nobody has, or a process that has ended. */
  free: number;
}

/** Processes that can share a broker, each under a name of its own (deploy/mosquitto/albedo.acl lists them). */
export const PLACES = 64;

/**
 * SQL of the leases. A process has one lease, and the shards hang on it: they are free once its row is deleted, which
 * anybody may do after it has expired. All times are the database's, so no two clocks are compared.
 */
export class ShardsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Makes the rows of all shards where they are missing. */
  async prepare(): Promise<void> {
    await this.#postgres.db.execute(sql`
      INSERT INTO link_shards (shard) SELECT jsonb_array_elements_text(${JSON.stringify(SHARDS)}::jsonb)
      ON CONFLICT DO NOTHING`);
  }

  /** Begins a lease. Answers the place of the process, the wanted one where it is free; null when all are taken. */
  async join(id: string, ttlMs: number, wanted: number): Promise<number | null> {
    await this.#bury();
    const rows = await this.#rows<{ place: number }>(sql`
      INSERT INTO link_processes (id, place, expires_at)
      SELECT ${id}::uuid, place, clock_timestamp() + ${ttlMs} * interval '1 ms'
      FROM generate_series(1, ${PLACES}) AS place
      WHERE place NOT IN (SELECT place FROM link_processes)
      ORDER BY place <> ${wanted}, place LIMIT 1
      ON CONFLICT DO NOTHING RETURNING place`);
    return rows[0]?.place ?? null;
  }

  /** One statement, however many shards there are. */
  async renew(id: string, ttlMs: number): Promise<View> {
    const [view] = await this.#rows<{ alive: number; processes: number; free: number }>(sql`
      WITH own AS (
        UPDATE link_processes SET expires_at = clock_timestamp() + ${ttlMs} * interval '1 ms'
        WHERE id = ${id}::uuid AND expires_at > clock_timestamp() RETURNING id)
      SELECT
        (SELECT count(*)::int FROM own) AS alive,
        (SELECT count(*)::int FROM link_processes WHERE expires_at > clock_timestamp()) AS processes,
        (SELECT count(*)::int FROM link_shards LEFT JOIN link_processes p ON p.id = holder
         WHERE p.id IS NULL OR p.expires_at <= clock_timestamp()) AS free`);
    return { isAlive: view?.alive === 1, processes: view?.processes ?? 0, free: view?.free ?? 0 };
  }

  /** Takes free shards, at most so many. */
  async take(id: string, count: number): Promise<Held[]> {
    await this.#bury();
    const rows = await this.#rows<{ shard: string; token: number | string }>(sql`
      UPDATE link_shards SET holder = ${id}::uuid, token = token + 1
      WHERE shard IN (
        SELECT shard FROM link_shards WHERE holder IS NULL ORDER BY shard LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING shard, token`);
    return rows.map(({ shard, token }) => ({ shard, token: Number(token) }));
  }

  async release(id: string, shards: readonly string[]): Promise<void> {
    await this.#postgres.db.execute(sql`
      UPDATE link_shards SET holder = NULL WHERE holder = ${id}::uuid
      AND shard IN (SELECT jsonb_array_elements_text(${JSON.stringify(shards)}::jsonb))`);
  }

  /** Ends the lease; whatever shards were left are free. */
  async leave(id: string): Promise<void> {
    await this.#postgres.db.execute(sql`DELETE FROM link_processes WHERE id = ${id}::uuid`);
  }

  /**
   * A lease that has expired is over only once it is deleted: a renewal that began in time holds its row, so that this
   * waits for it and then finds the lease alive.
   */
  async #bury(): Promise<void> {
    await this.#postgres.db.execute(sql`DELETE FROM link_processes WHERE expires_at <= clock_timestamp()`);
  }

  async #rows<Row>(statement: SQL): Promise<Row[]> {
    const { rows } = (await this.#postgres.db.execute(statement)) as unknown as { rows: Row[] };
    return rows;
  }
}
