import { DIAGNOSTIC_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Postgres } from '@albedo/postgres/postgres';
import { storableJson } from '@albedo/postgres/storable';
import { type SQL, sql } from 'drizzle-orm';
import { pageUses } from './diagnostics.tables.ts';
import type { TalliedPage } from './page-tally.ts';

/** How many pages are listed. */
const SHOWN = 500;

/** How a page or workgroup was used; `days` by the age of the day, 0 for today. */
export interface UseRow {
  name: string;
  visits: number;
  people: number;
  seconds: number;
  days: Record<string, number>;
}

/** Which pages people look at, in SQL. */
export class PagesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Skips people and workgroups that were deleted meanwhile. */
  async add(batch: readonly TalliedPage[]): Promise<void> {
    await this.#postgres.db.execute(sql`
      insert into ${pageUses} (day, workgroup, page, user_id, visits, seconds)
      select r.day, w.name, r.page, u.id, r.visits, r.seconds
      from jsonb_to_recordset(${storableJson(batch)}::jsonb)
        as r(day int, workgroup text, page text, "userId" text, visits int, seconds int)
      join workgroups w on w.name = r.workgroup
      join users u on u.id::text = r."userId"
      on conflict (day, workgroup, page, user_id) do update
        set visits = ${pageUses}.visits + excluded.visits, seconds = ${pageUses}.seconds + excluded.seconds`);
  }

  /** Visits by page or by workgroup, the most visited first; without `by`, their total in one row. */
  async uses(
    of: { today: number; days: number; ofWorkgroup: string | undefined },
    by: 'page' | 'workgroup' | null,
  ) {
    const { today, days, ofWorkgroup } = of;
    const name = by === null ? sql`''` : sql.raw(by);
    const isMeant: SQL = ofWorkgroup === undefined ? sql`true` : sql`workgroup = ${ofWorkgroup}`;
    const { rows } = (await this.#postgres.db.execute(sql`
      with kept as (
        select ${name} as name, day, user_id, visits, seconds from ${pageUses}
        where day > ${today - days} and day <= ${today} and ${isMeant}
      ), by_day as (
        select name, json_object_agg(${today}::int - day, visits) as days
        from (select name, day, sum(visits)::int as visits from kept group by name, day) one group by name
      )
      select kept.name, sum(visits)::int as visits, count(distinct user_id)::int as people,
        sum(seconds)::float8 as seconds, (array_agg(by_day.days::jsonb))[1] as days
      from kept join by_day on by_day.name = kept.name
      group by kept.name order by 2 desc, 1 limit ${SHOWN}`)) as unknown as { rows: UseRow[] };
    return rows;
  }

  async forget(today: number): Promise<void> {
    await this.#postgres.db.execute(sql`delete from ${pageUses} where day <= ${today - DIAGNOSTIC_DAYS}`);
  }
}
