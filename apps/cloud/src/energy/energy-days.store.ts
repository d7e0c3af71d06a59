import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { energyDays, energyDeviceDays, energyReviews, energyWatches, energyWork } from './energy.tables.ts';
import { rowsOf } from './sql-rows.store.ts';

export type EnergyDayRow = typeof energyDays.$inferSelect;
export type WorkRow = typeof energyWork.$inferSelect;
export type ReviewRow = typeof energyReviews.$inferSelect;

/** A day of a device. */
export interface DeviceDay {
  device: string;
  day: string;
}

/** A day of a device in which something was stored. */
export interface TouchedDay extends DeviceDay {
  /** Long after it, so that the days beside it may change too. */
  isLate: boolean;
}

/** Whose days: whole devices, or single sources of them. */
export interface DaysOf {
  devices: readonly string[];
  /** Devices of which only these sources are visible. */
  sources: readonly { device: string; source: string }[];
  /** Of one table and source alone. */
  only?: { table: string; source: string };
}

/** Rows of one statement. */
const ROWS = 400;
const WORK_ROWS = 5000;

/** Sums that a review scales as it changes the energy. */
const SCALED = ['usedKWh', 'usedDcAcKWh', 'warmKWh'] as const;
/** Sums that are added up as they are. */
const ADDED = [
  'dcKWh',
  'expectedKWh',
  'ratedKW',
  'ratedKWh',
  'peakKWh',
  'peakKWp',
  'referenceKWh',
  'usedReferenceKWh',
  'usedDcKWh',
  'usedDcReferenceKWh',
  'warmReferenceKWh',
  'warmthKWhC',
  'usedHours',
  'missedHours',
  'lostKWh',
] as const;
/** Intervals count by the rating of whoever has them. */
const WEIGHTED = [
  'availableHours',
  'unavailableHours',
  'contractAvailableHours',
  'contractUnavailableHours',
] as const;

/** What is known of days, what is due, and what people decided, in SQL. */
export class EnergyDaysStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async watch(
    workgroup: string,
  ): Promise<{ storedAt: number; rules: Readonly<Record<string, string>> } | null> {
    const [row] = await this.#postgres.db
      .select()
      .from(energyWatches)
      .where(eq(energyWatches.workgroup, workgroup));
    return row ?? null;
  }

  /** Notes how far was looked and what is due of it, together. */
  async watched(
    workgroup: string,
    { storedAt, rules, touched }: { storedAt: number; rules: Record<string, string>; touched: TouchedDay[] },
  ): Promise<void> {
    await this.#postgres.db.transaction(async (tx) => {
      await addWork(tx, workgroup, touched);
      await tx
        .insert(energyWatches)
        .values({ workgroup, storedAt, rules })
        .onConflictDoUpdate({ target: energyWatches.workgroup, set: { storedAt, rules } });
    });
  }

  /** Days of some devices, all of them for null, that are computed again; answers how many. */
  async again(
    workgroup: string,
    { from, to, devices }: { from: string; to: string; devices: readonly string[] | null },
  ): Promise<number> {
    const of = devices === null ? sql`true` : sql`device in ${inList(devices)}`;
    const rows = await rowsOf<{ n: number }>(
      this.#postgres.db,
      sql`
      with added as (insert into ${energyWork} as known (workgroup, device, day, due_at)
        select workgroup, device, day, 0 from ${energyDeviceDays}
        where workgroup = ${workgroup} and day between ${from} and ${to} and ${of}
        on conflict (workgroup, device, day) do update set touches = known.touches + 1, due_at = 0
        returning 1)
      select count(*)::int as n from added`,
    );
    return rows[0]?.n ?? 0;
  }

  /** What is due, the newest days first. */
  due(workgroup: string, now: number, rows: number): Promise<WorkRow[]> {
    return this.#postgres.db
      .select()
      .from(energyWork)
      .where(and(eq(energyWork.workgroup, workgroup), sql`${energyWork.dueAt} <= ${now}`))
      .orderBy(desc(energyWork.day), asc(energyWork.device))
      .limit(rows);
  }

  countDue(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(energyWork, eq(energyWork.workgroup, workgroup));
  }

  /** Days that were last computed before they were over, wherever that may be, and wait for nothing. */
  unfinished(workgroup: string, now: number) {
    return rowsOf<DeviceDay & { computedAt: number }>(
      this.#postgres.db,
      sql`select device, day::text, computed_at::float8 as "computedAt" from ${energyDeviceDays} d
        where workgroup = ${workgroup} and day <= to_timestamp(${now / 1000})::date + 1
          and computed_at < extract(epoch from d.day + interval '38 hours') * 1000
          and not exists (select 1 from ${energyWork} k
            where k.workgroup = d.workgroup and k.device = d.device and k.day = d.day)`,
    );
  }

  /**
   * Of days of which nothing can be read any more, those that have energy stay as they are: readings expire, their days do
   * not. Answers which. `isTold`: readings beside the day say something of it.
   */
  async keep(
    workgroup: string,
    work: readonly (WorkRow & { isTold: boolean })[],
    now: number,
  ): Promise<DeviceDay[]> {
    if (work.length === 0) return [];
    return this.#postgres.db.transaction(async (tx) => {
      await alone(tx, workgroup);
      const asked = JSON.stringify(work.map(({ device, day, isTold }) => ({ device, day, told: isTold })));
      const kept = await rowsOf<DeviceDay>(
        tx,
        sql`select distinct d.device, d.day::text from ${energyDays} d
          join jsonb_to_recordset(${asked}::jsonb) as w (device uuid, day date, told boolean)
            on d.device = w.device and d.day = w.day
          where d.workgroup = ${workgroup} and d.energy_kwh is not null and (d.samples > 0 or not w.told)`,
      );
      if (kept.length === 0) return kept;
      await tx.execute(sql`update ${energyDays} d set marks = marks - 'dayNotOver', computed_at = ${now} from ${pairs(kept)}
        where d.workgroup = ${workgroup} and d.device = w.device and d.day = w.day`);
      await together(tx, workgroup, kept);
      const isKept = new Set(kept.map(({ device, day }) => `${device}\n${day}`));
      await removeWork(
        tx,
        workgroup,
        work.filter(({ device, day }) => isKept.has(`${device}\n${day}`)),
      );
      return kept;
    });
  }

  /** Work that is no more. */
  async done(workgroup: string, work: readonly WorkRow[]): Promise<void> {
    await this.#postgres.db.transaction((tx) => removeWork(tx, workgroup, work));
  }

  /** Puts days in the place of what they were, and what follows for their devices, which have so many sources. */
  async put(
    workgroup: string,
    work: readonly WorkRow[],
    rows: readonly EnergyDayRow[],
    sourcesOf: (device: string) => number,
  ) {
    await this.#postgres.db.transaction(async (tx) => {
      await alone(tx, workgroup);
      await tx.execute(sql`delete from ${energyDays} d using ${pairs(work)}
        where d.workgroup = ${workgroup} and d.device = w.device and d.day = w.day`);
      for (let at = 0; at < rows.length; at += ROWS)
        await tx.insert(energyDays).values(rows.slice(at, at + ROWS));
      await together(
        tx,
        workgroup,
        work.map(({ device, day }) => ({ device, day, sources: sourcesOf(device) })),
      );
      await removeWork(tx, workgroup, work);
    });
  }

  /** When the next of what is due was postponed to, and how often; null where nothing is. */
  async postponed(workgroup: string): Promise<{ dueAt: number; attempts: number } | null> {
    const [row] = await rowsOf<{ dueAt: number | null; attempts: number | null }>(
      this.#postgres.db,
      sql`select min(due_at)::float8 as "dueAt", max(attempts) as attempts from ${energyWork} where workgroup = ${workgroup}`,
    );
    return typeof row?.dueAt === 'number' ? { dueAt: row.dueAt, attempts: row.attempts ?? 0 } : null;
  }

  async postpone(workgroup: string, work: readonly WorkRow[], dueAt: number): Promise<void> {
    await this.#postgres.db.execute(sql`update ${energyWork} k set due_at = ${dueAt}, attempts = attempts + 1
      from ${pairs(work)} where k.workgroup = ${workgroup} and k.device = w.device and k.day = w.day`);
  }

  /** Light of days in the planes of devices, kWh/m². */
  irradiation(workgroup: string, from: string, to: string) {
    return rowsOf<{ device: string; day: string; kWhM2: number }>(
      this.#postgres.db,
      sql`select device, day::text, irradiation_kwh_m2 as "kWhM2" from ${energyDeviceDays}
        where workgroup = ${workgroup} and day between ${from} and ${to} and irradiation_kwh_m2 is not null
          and light in ('plane', 'transposed')`,
    );
  }

  /** Energy of days of devices that are over and of which all sources have a value. */
  wholeDays(workgroup: string) {
    return rowsOf<{ device: string; day: string; energyKWh: number }>(
      this.#postgres.db,
      sql`select device, day::text, energy_kwh as "energyKWh" from ${energyDeviceDays}
        where workgroup = ${workgroup} and counted = sources and counted > 0`,
    );
  }

  /** Days of sources with their reviews, by device, source and day. */
  async days(workgroup: string, { from, to }: { from: string; to: string }, of: DaysOf, limit: number) {
    const rows = await this.#postgres.db
      .select({ day: energyDays, review: energyReviews })
      .from(energyDays)
      .leftJoin(energyReviews, sameDay)
      .where(
        and(
          eq(energyDays.workgroup, workgroup),
          sql`${energyDays.day} between ${from} and ${to}`,
          whoseDays(of),
        ),
      )
      .orderBy(energyDays.device, energyDays.table, energyDays.source, energyDays.day)
      .limit(limit);
    return rows;
  }

  /** Decides of a day, or takes that back with null; answers what stood there before. */
  async review(
    workgroup: string,
    of: DeviceDay & { table: string; source: string },
    set: Omit<ReviewRow, 'workgroup' | 'device' | 'table' | 'source' | 'day'> | null,
  ) {
    const place = and(
      eq(energyReviews.workgroup, workgroup),
      eq(energyReviews.device, of.device),
      eq(energyReviews.table, of.table),
      eq(energyReviews.source, of.source),
      eq(energyReviews.day, of.day),
    );
    return this.#postgres.db.transaction(async (tx) => {
      await alone(tx, workgroup);
      const [old] = await tx.delete(energyReviews).where(place).returning();
      if (set) await tx.insert(energyReviews).values({ workgroup, ...of, ...set });
      await together(tx, workgroup, [of]);
      return old ?? null;
    });
  }
}

export const sameDay = sql`${energyReviews.workgroup} = ${energyDays.workgroup} and ${energyReviews.device} = ${energyDays.device}
  and ${energyReviews.table} = ${energyDays.table} and ${energyReviews.source} = ${energyDays.source}
  and ${energyReviews.day} = ${energyDays.day}`;

const whoseDays = ({ devices, sources, only }: DaysOf): SQL => {
  const whole = sql`${energyDays.device} in ${inList(devices)}`;
  const some =
    sources.length === 0
      ? whole
      : sql`(${whole} or (${energyDays.device}, ${energyDays.source}) in (select s.device, s.source
          from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as s (device uuid, source text)))`;
  return only
    ? sql`${some} and ${energyDays.table} = ${only.table} and ${energyDays.source} = ${only.source}`
    : some;
};

export const inList = (ids: readonly string[]): SQL =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

const pairs = (all: readonly DeviceDay[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(all.map(({ device, day }) => ({ device, day })))}::jsonb) as w (device uuid, day date)`;

/** What was touched again meanwhile stays. */
async function removeWork(tx: Transaction, workgroup: string, work: readonly WorkRow[]): Promise<void> {
  const of = JSON.stringify(work.map(({ device, day, touches }) => ({ device, day, touches })));
  await tx.execute(sql`delete from ${energyWork} k
    using jsonb_to_recordset(${of}::jsonb) as w (device uuid, day date, touches int)
    where k.workgroup = ${workgroup} and k.device = w.device and k.day = w.day and k.touches = w.touches`);
}

/** How far what a counter gained over a pause is shared, days. */
const FAR_DAYS = 7;

/**
 * What is stored of a day may change what the days beside it had: its first row what the day before got over the night, a
 * late one both sides; with the days without readings between it and the nearest others.
 */
async function addWork(tx: Transaction, workgroup: string, touched: readonly TouchedDay[]): Promise<void> {
  const isTouched = new Set(touched.map(({ device, day }) => `${device}\n${day}`));
  const isAlone = ({ device, day }: DeviceDay) =>
    [-1, 1].some((step) => {
      const beside = new Date(Date.parse(day) + step * 86_400_000).toISOString().slice(0, 10);
      return !isTouched.has(`${device}\n${beside}`);
    });
  const alone = touched.filter(isAlone).map(({ device, day, isLate }) => ({ device, day, late: isLate }));
  for (let at = 0; at < alone.length; at += WORK_ROWS)
    await tx.execute(sql`
      insert into ${energyWork} as known (workgroup, device, day, due_at)
      select distinct ${workgroup}, w.device, beside.day::date, 0::bigint
      from jsonb_to_recordset(${JSON.stringify(alone.slice(at, at + WORK_ROWS))}::jsonb) as w (device uuid, day date, late boolean)
      cross join lateral (
        select greatest(w.day - ${FAR_DAYS}::int, coalesce(max(d.day), w.day)) as first from ${energyDays} d
        where d.workgroup = ${workgroup} and d.device = w.device and d.samples > 0
          and d.day between w.day - ${FAR_DAYS}::int and w.day - 1) before
      cross join lateral (
        select coalesce(min(d.day), w.day) as last from ${energyDays} d
        where d.workgroup = ${workgroup} and d.device = w.device and d.samples > 0
          and d.day between w.day + 1 and w.day + ${FAR_DAYS}::int) after
      cross join lateral generate_series(before.first, after.last, interval '1 day') as beside (day)
      where (w.late or not exists (select 1 from ${energyDeviceDays} d
          where d.workgroup = ${workgroup} and d.device = w.device and d.day = w.day))
        and exists (select 1 from devices one where one.id = w.device) and beside.day::date <> w.day
      on conflict (workgroup, device, day) do update set touches = known.touches + 1, due_at = 0`);
  for (let at = 0; at < touched.length; at += WORK_ROWS)
    await tx.execute(sql`
      insert into ${energyWork} as known (workgroup, device, day, due_at)
      select ${workgroup}, w.device, w.day, 0 from ${pairs(touched.slice(at, at + WORK_ROWS))}
      where exists (select 1 from devices one where one.id = w.device)
      on conflict (workgroup, device, day) do update set touches = known.touches + 1, due_at = 0`);
}

const column = (name: keyof EnergyDayRow): SQL => sql.raw(`"${getTableColumns(energyDays)[name].name}"`);

/**
 * Days of sources as they count: a value that somebody gave stands in the place of what was computed, and what is left
 * out is gone. Energies that are free are those of the hours without a limit. `e` are columns of `energy_days`; `where` is
 * about `d`.
 */
export const countingDays = (where: SQL): SQL => sql`
  select c.*, c.counted_kwh - coalesce(c.curtailed_kwh * c.scale, 0) as free_kwh,
    c.expected_kwh - coalesce(c.curtailed_expected_kwh, 0) as free_expected_kwh
  from (
  select d.*, case when r.decision = 'override' then r.energy_kwh else d.energy_kwh end as counted_kwh,
    case when r.decision = 'override' and d.energy_kwh > 0 then r.energy_kwh / d.energy_kwh else 1 end as scale,
    r.decision as decision
  from ${energyDays} d left join ${energyReviews} r on r.workgroup = d.workgroup and r.device = d.device
    and r.table_name = d.table_name and r.source = d.source and r.day = d.day
  where ${where} and r.decision is distinct from 'exclude') c`;

/** The sums of rows of `countingDays` (`e`), by the names of the columns of `energy_device_days`. */
export const sumsOfSources = (sources: SQL = sql`count(*)`): SQL[] => [
  sql`sum(e.counted_kwh) as energy_kwh`,
  ...ADDED.map((name) => sql`sum(e.${column(name)}) as ${column(name)}`),
  ...SCALED.map((name) => sql`sum(e.${column(name)} * e.scale) as ${column(name)}`),
  ...WEIGHTED.map((name) => sql`sum(e.${column(name)} * coalesce(e.rated_kwh, 1)) as ${column(name)}`),
  sql`max(e.curtailed_hours) as curtailed_hours`,
  sql`avg(e.irradiation_kwh_m2) as irradiation_kwh_m2`,
  sql`max(e.light) as light`,
  sql`sum(e.free_kwh) filter (where e.expected_kwh is not null) as paired_kwh`,
  sql`sum(e.free_expected_kwh) filter (where e.counted_kwh is not null) as paired_expected_kwh`,
  sql`sum(e.counted_kwh) filter (where e.peak_kwp > 0) as yield_kwh`,
  sql`sum(e.peak_kwh) filter (where e.counted_kwh is not null) as yield_peak_kwh`,
  sql`sum(e.peak_kwp) filter (where e.counted_kwh is not null) as yield_peak_kwp`,
  sql`sum(e.counted_kwh) filter (where e.rated_kwh > 0) as rated_energy_kwh`,
  sql`sum(e.rated_kwh) filter (where e.counted_kwh is not null) as energy_rated_kwh`,
  sql`sum(e.peak_kwp) filter (where e.reference_kwh is not null) as reference_peak_kwp`,
  sql`sum(e.peak_kwp) filter (where e.used_hours > 0) as used_peak_kwp`,
  sql`sum(e.peak_kwp) filter (where e.used_dc_reference_kwh > 0) as used_dc_peak_kwp`,
  sql`${sources}::int as sources`,
  sql`(count(e.counted_kwh) filter (where not e.marks ? 'dayNotOver'))::int as counted`,
];

/** Columns of `energy_device_days` in the order of `sumsOfSources`. */
const SUM_COLUMNS = [
  'energy_kwh',
  ...[...ADDED, ...SCALED, ...WEIGHTED].map((name) => getTableColumns(energyDays)[name].name),
  ...['curtailed_hours', 'irradiation_kwh_m2', 'light', 'paired_kwh', 'paired_expected_kwh'],
  ...['yield_kwh', 'yield_peak_kwh', 'yield_peak_kwp', 'rated_energy_kwh', 'energy_rated_kwh'],
  ...['reference_peak_kwp', 'used_peak_kwp', 'used_dc_peak_kwp', 'sources', 'counted'],
];

/** Days of a workgroup change one after the other, so that sums are those of the rows below them. */
const alone = (tx: Transaction, workgroup: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`energy ${workgroup}`}))`);

/**
 * Adds up the sources of some days of devices. A source that should have a value and has none counts among them: as many as
 * are told, and otherwise as many as before.
 */
async function together(
  tx: Transaction,
  workgroup: string,
  days: readonly (DeviceDay & { sources?: number })[],
) {
  const old = await rowsOf<DeviceDay & { sources: number }>(
    tx,
    sql`delete from ${energyDeviceDays} d using ${pairs(days)}
      where d.workgroup = ${workgroup} and d.device = w.device and d.day = w.day
      returning d.device, d.day::text, d.sources`,
  );
  const before = new Map(old.map(({ device, day, sources }) => [`${device}\n${day}`, sources]));
  const of = days.map(({ device, day, sources }) => ({
    ...{ device, day },
    sources: sources ?? before.get(`${device}\n${day}`) ?? 0,
  }));
  const columns = sql.raw(SUM_COLUMNS.map((name) => `"${name}"`).join(', '));
  await tx.execute(sql`
    insert into ${energyDeviceDays} (workgroup, device, day, ${columns}, computed_at)
    select ${workgroup}, x.device, x.day,
      ${sql.join(sumsOfSources(sql`greatest(count(*), max(w.sources))`), sql`, `)}, max(x.computed_at)
    from ${energyDays} x
      join jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as w (device uuid, day date, sources int)
        on w.device = x.device and w.day = x.day
      left join (${countingDays(sql`d.workgroup = ${workgroup} and (d.device, d.day) in (select w.device, w.day from ${pairs(days)})`)}) e
        on e.device = x.device and e.day = x.day and e.table_name = x.table_name and e.source = x.source
    where x.workgroup = ${workgroup} group by x.device, x.day`);
}
