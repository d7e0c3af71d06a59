import type { Postgres } from '@albedo/postgres/postgres';
import { sql } from 'drizzle-orm';
import type { ScrubGroup } from '../telemetry/telemetry.service.ts';

/** How many events of one stream were found on one day, and how many of those are missing since. */
export interface DayCount extends ScrubGroup {
  device: string;
  source: string;
  events: number;
  missing: number;
  /** Epoch ms. */
  seenAt: number;
}

type Row = {
  device_id: string;
  stored_in: string;
  tbl: string;
  source: string;
  day: number;
  events: string;
  missing: string;
  seen_at: Date;
};

const CHUNK = 1000;

/** SQL of the scrub. Only devices that exist are counted. */
export class ScrubStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** The group that was counted last; null before the first. */
  async newest(): Promise<ScrubGroup | null> {
    const [row] = await this.#read('ORDER BY seen_at DESC LIMIT 1', []);
    return row ?? null;
  }

  counted({ workgroup, table, day }: ScrubGroup): Promise<DayCount[]> {
    return this.#read('WHERE stored_in = $1 AND tbl = $2 AND day = $3', [workgroup, table, day]);
  }

  notSeenSince(at: number): Promise<DayCount[]> {
    return this.#read('WHERE seen_at < $1 AND events > missing', [new Date(at).toISOString()]);
  }

  async save(days: readonly DayCount[], at: number): Promise<void> {
    const seenAt = new Date(at).toISOString();
    for (let from = 0; from < days.length; from += CHUNK) {
      const rows = JSON.stringify(days.slice(from, from + CHUNK));
      await this.#postgres.db.execute(sql`
        INSERT INTO completeness_days (device_id, stored_in, tbl, source, day, events, missing, seen_at)
        SELECT device, workgroup, "table", source, day, events, missing, ${seenAt}::timestamptz
        FROM jsonb_to_recordset(${rows}::jsonb) AS t(
          device uuid, workgroup text, "table" text, source text, day int4, events int8, missing int8)
        WHERE device IN (SELECT id FROM devices)
        ON CONFLICT (device_id, stored_in, tbl, source, day) DO UPDATE SET
          events = excluded.events, missing = excluded.missing, seen_at = excluded.seen_at`);
    }
  }

  /** Of each stream what the ledger says is stored, and what was found on all days. */
  async totals(): Promise<
    { device: string; table: string; source: string; storedIn: string; stored: number; counted: number }[]
  > {
    const rows = await this.#postgres.query<{
      device: string;
      tbl: string;
      source: string;
      stored_in: string;
      stored: string;
      counted: string;
    }>(`
      SELECT c.device_id AS device, s."table" AS tbl, s.source, d.workgroup AS stored_in, s.stored,
        coalesce((SELECT sum(n.events) FROM completeness_days n
          WHERE n.device_id = c.device_id AND n.tbl = s."table" AND n.source = s.source), 0) AS counted
      FROM completeness c JOIN devices d ON d.id = c.device_id,
        jsonb_to_recordset(c.state->'streams') AS s("table" text, source text, stored int8)
      WHERE s.stored > 0`);
    return rows.map(({ tbl, stored_in: storedIn, stored, counted, ...row }) => ({
      ...row,
      table: tbl,
      storedIn,
      stored: Number(stored),
      counted: Number(counted),
    }));
  }

  async #read(where: string, values: unknown[]): Promise<DayCount[]> {
    const rows = await this.#postgres.query<Row>(`SELECT * FROM completeness_days ${where}`, values);
    return rows.map((row) => ({
      device: row.device_id,
      workgroup: row.stored_in,
      table: row.tbl,
      source: row.source,
      day: row.day,
      events: Number(row.events),
      missing: Number(row.missing),
      seenAt: row.seen_at.getTime(),
    }));
  }
}
