import { BAR_DAYS, DIAGNOSTIC_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { compareVersions } from '@albedo/contract/plugins/plugins.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { storableJson } from '@albedo/postgres/storable';
import { and, desc, eq, getTableColumns, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import {
  frontendErrorCounts as counts,
  frontendErrors as errors,
  frontendErrorPlaces as places,
} from './diagnostics.tables.ts';
import type { TalliedError } from './error-tally.ts';

/** Open errors that are kept. Resolved ones come on top, and stay until their counts are forgotten. */
export const ERRORS_KEPT = 1000;
/** Addresses kept for each error. */
const PLACES_KEPT = 10;

export type ErrorRow = typeof errors.$inferSelect;

export interface ErrorFilter {
  version?: string | undefined;
  ofWorkgroup?: string | undefined;
}

/** The counts of an error. */
export interface ErrorCounts {
  error: string;
  count: number;
  versions: string[];
  workgroups: string[];
  browsers: string[];
  /** By the age of the day, 0 for today. */
  days: Record<string, number>;
}

/** Errors of browsers, in SQL. They belong to the provider; only counts and addresses belong to workgroups. */
export class ErrorsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Adds the counts. Resolved errors are open again, unless only older versions report them. */
  async add(batch: readonly TalliedError[]): Promise<void> {
    await this.#postgres.db.transaction(async (transaction) => {
      const returning = await this.#returning(batch, transaction);
      const rows = batch.map(
        ({ id, message, place, stack, source, version, firstVersion, firstAt, lastAt }) => ({
          ...{ id, message, place, stack, source, firstVersion, lastVersion: version },
          firstAt: new Date(firstAt),
          lastAt: new Date(lastAt),
        }),
      );
      await transaction
        .insert(errors)
        .values(rows)
        .onConflictDoUpdate({
          target: errors.id,
          set: {
            message: sql`excluded.message`,
            stack: sql`excluded.stack`,
            source: sql`excluded.source`,
            lastVersion: sql`excluded.last_version`,
            lastAt: sql`greatest(${errors.lastAt}, excluded.last_at)`,
          },
        });
      for (const { id, lastAt, version } of returning)
        await transaction
          .update(errors)
          .set({ resolvedAt: null, returnedAt: new Date(lastAt), returnedIn: version })
          .where(eq(errors.id, id));
      await transaction.execute(addCounts(batch));
      await transaction.execute(addPlaces(batch));
      await transaction.execute(trimPlaces(batch));
      await transaction.execute(TRIM);
    });
  }

  /** The errors of the batch that were resolved and come back. */
  async #returning(batch: readonly TalliedError[], transaction: Transaction): Promise<TalliedError[]> {
    const resolved = await transaction
      .select({ id: errors.id, version: errors.resolvedVersion })
      .from(errors)
      .where(
        and(
          inArray(
            errors.id,
            batch.map(({ id }) => id),
          ),
          isNotNull(errors.resolvedAt),
        ),
      )
      .orderBy(errors.id)
      .for('update');
    const since = new Map(resolved.map(({ id, version }) => [id, version ?? '']));
    return batch.flatMap((error) => {
      const from = since.get(error.id);
      const version = highest([error.version, ...[...error.counts.values()].map((count) => count.version)]);
      return from !== undefined && !(compareVersions(version, from) < 0) ? [{ ...error, version }] : [];
    });
  }

  /** Newest first. */
  list(): Promise<Omit<ErrorRow, 'stack'>[]> {
    const { stack: _, ...columns } = getTableColumns(errors);
    return this.#postgres.db
      .select(columns)
      .from(errors)
      .orderBy(desc(errors.lastAt), errors.id)
      .limit(2 * ERRORS_KEPT);
  }

  async find(id: string): Promise<ErrorRow | undefined> {
    return (await this.#postgres.db.select().from(errors).where(eq(errors.id, id)))[0];
  }

  /** False if there is no such error. */
  async setResolved(id: string, resolved: { by: string; at: Date } | null): Promise<boolean> {
    const reported = await this.#postgres.db
      .selectDistinct({ version: counts.version })
      .from(counts)
      .where(eq(counts.error, id));
    const last = (await this.find(id))?.lastVersion;
    if (last === undefined) return false;
    const set = resolved
      ? {
          resolvedAt: resolved.at,
          resolvedBy: resolved.by,
          // The last report may have come from an older version.
          resolvedVersion: highest([last, ...reported.map(({ version }) => version)]),
          returnedAt: null,
          returnedIn: null,
        }
      : { resolvedAt: null };
    const rows = this.#postgres.db
      .update(errors)
      .set(set)
      .where(eq(errors.id, id))
      .returning({ id: errors.id });
    return (await rows).length > 0;
  }

  /** The counts of one error, or of all that match the filter. */
  async counts(today: number, { version, ofWorkgroup }: ErrorFilter, id?: string): Promise<ErrorCounts[]> {
    const isMeant = allOf([
      version === undefined ? null : sql`version = ${version}`,
      ofWorkgroup === undefined ? null : sql`workgroup = ${ofWorkgroup}`,
    ]);
    const isKept = allOf([
      sql`day > ${today - DIAGNOSTIC_DAYS}`,
      id === undefined ? null : sql`error = ${id}`,
    ]);
    const { rows } = (await this.#postgres.db.execute(sql`
      with kept as (select *, (${isMeant}) as is_meant from ${counts} where ${isKept}),
        bars as (
          select error, json_object_agg(age, count) as days from (
            select error, ${today}::int - day as age, sum(count)::int as count from kept
            where is_meant and day > ${today - BAR_DAYS} group by error, day
          ) by_day group by error
        )
      select kept.error, (sum(count) filter (where is_meant))::int as count,
        array_agg(distinct version) as versions, array_agg(distinct workgroup) as workgroups,
        array_agg(distinct browser) as browsers, coalesce((array_agg(bars.days::jsonb))[1], '{}') as days
      from kept left join bars on bars.error = kept.error
      group by kept.error having bool_or(is_meant)`)) as unknown as { rows: ErrorCounts[] };
    return rows;
  }

  /** How often each version, workgroup or browser reported it, most often first. */
  async countsBy(id: string, today: number, by: 'version' | 'workgroup' | 'browser') {
    const column = counts[by];
    const total = sql<number>`sum(${counts.count})::int`;
    return this.#postgres.db
      .select({ name: column, count: total })
      .from(counts)
      .where(and(eq(counts.error, id), sql`${counts.day} > ${today - DIAGNOSTIC_DAYS}`))
      .groupBy(column)
      .orderBy(desc(total), column)
      .limit(50);
  }

  async places(id: string) {
    const rows = await this.#postgres.db
      .select()
      .from(places)
      .where(eq(places.error, id))
      .orderBy(desc(places.lastAt))
      .limit(PLACES_KEPT);
    return rows.map(({ error: _, lastAt, ...row }) => ({ ...row, lastAt: lastAt.getTime() }));
  }

  /** Deletes counts that are too old, and errors without counts. */
  async forget(today: number): Promise<void> {
    const { db } = this.#postgres;
    await db.execute(sql`delete from ${counts} where day <= ${today - DIAGNOSTIC_DAYS}`);
    await db.execute(sql`
      delete from ${errors} e where last_at < ${new Date((today - 1) * 86_400_000).toISOString()}
        and not exists (select from ${counts} c where c.error = e.id)`);
  }
}

/** The highest version; if none begins with a digit, the first. */
function highest([first = '', ...rest]: readonly string[]): string {
  return rest.reduce((newest, version) => {
    if (!/^\d/.test(version)) return newest;
    return !/^\d/.test(newest) || compareVersions(version, newest) > 0 ? version : newest;
  }, first);
}

/** Deletes open errors beyond the limit: the oldest of the workgroup with the most, so that a noisy one crowds out no other. */
const TRIM = sql`
  with open as (select id, last_at from ${errors} where resolved_at is null),
    own as (select distinct c.error, c.workgroup from ${counts} c join open on open.id = c.error),
    sizes as (select workgroup, count(*) as size from own group by workgroup),
    weights as (select own.error, min(size) as size from own join sizes on sizes.workgroup = own.workgroup group by own.error)
  delete from ${errors} where id in (
    select open.id from open left join weights on weights.error = open.id
    order by weights.size desc nulls first, open.last_at, open.id
    limit (select greatest(count(*) - ${ERRORS_KEPT}, 0) from open)
  )`;

const allOf = (conditions: readonly (SQL | null)[]): SQL =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` and `);

/** Counts of a workgroup that was deleted meanwhile are dropped. */
const addCounts = (batch: readonly TalliedError[]): SQL => sql`
  insert into ${counts} (error, day, workgroup, version, browser, count)
  select r.error, r.day, w.name, r.version, r.browser, r.count
  from jsonb_to_recordset(${storableJson(
    batch.flatMap(({ id: error, counts: rows }) => [...rows.values()].map((row) => ({ ...row, error }))),
  )}::jsonb) as r(error text, day int, workgroup text, version text, browser text, count bigint)
  join workgroups w on w.name = r.workgroup
  on conflict (error, day, workgroup, version, browser) do update set count = ${counts}.count + excluded.count`;

const addPlaces = (batch: readonly TalliedError[]): SQL => sql`
  insert into ${places} (error, workgroup, location, count, last_at)
  select r.error, w.name, r.location, r.count, to_timestamp(r."lastAt" / 1000.0)
  from jsonb_to_recordset(${storableJson(
    batch.flatMap(({ id: error, locations }) => [...locations.values()].map((row) => ({ ...row, error }))),
  )}::jsonb) as r(error text, workgroup text, location text, count bigint, "lastAt" bigint)
  join workgroups w on w.name = r.workgroup
  on conflict (error, workgroup, location) do update
    set count = ${places}.count + excluded.count, last_at = greatest(${places}.last_at, excluded.last_at)`;

const trimPlaces = (batch: readonly TalliedError[]): SQL => sql`
  delete from ${places} p using (
    select error, workgroup, location, row_number() over (partition by error order by last_at desc, location) as rank
    from ${places} where error in (${sql.join(
      batch.map((error) => sql`${error.id}`),
      sql`, `,
    )})
  ) ranked
  where ranked.rank > ${PLACES_KEPT} and p.error = ranked.error and p.workgroup = ranked.workgroup
    and p.location = ranked.location`;
