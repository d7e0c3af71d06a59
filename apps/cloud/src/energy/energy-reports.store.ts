import type { ReportGranularity } from '@albedo/contract/energy/energy.names';
import type { Postgres } from '@albedo/postgres/postgres';
import { type SQL, sql } from 'drizzle-orm';
import { energyBudgets, energyDays, energyDeviceDays, meterReadings } from './energy.tables.ts';
import { countingDays, type DaysOf, inList, sumsOfSources } from './energy-days.store.ts';
import { rowsOf } from './sql-rows.store.ts';

/** Sums over days of some devices or sources; null where nothing is known of any day. Energies in kWh. */
export interface DaySums {
  energyKWh: number | null;
  dcKWh: number | null;
  expectedKWh: number | null;
  pairedKWh: number | null;
  pairedExpectedKWh: number | null;
  /** Energy of sources that have a rating, beside the ratings of those that have energy: DC, then AC. */
  yieldKWh: number | null;
  yieldPeakKWh: number | null;
  yieldPeakKWp: number | null;
  ratedEnergyKWh: number | null;
  energyRatedKWh: number | null;
  /** Ratings are means over the days that have them, kW and kWp. */
  ratedKW: number | null;
  peakKWp: number | null;
  /** Of what is in the reference, in the intervals that count, and in those with DC energy. */
  referencePeakKWp: number | null;
  usedPeakKWp: number | null;
  usedDcPeakKWp: number | null;
  referenceKWh: number | null;
  usedReferenceKWh: number | null;
  usedKWh: number | null;
  usedDcKWh: number | null;
  usedDcAcKWh: number | null;
  usedDcReferenceKWh: number | null;
  warmKWh: number | null;
  warmReferenceKWh: number | null;
  warmthKWhC: number | null;
  usedHours: number | null;
  missedHours: number | null;
  /** Hours of the sources, each by its rating. */
  availableHours: number | null;
  unavailableHours: number | null;
  contractAvailableHours: number | null;
  contractUnavailableHours: number | null;
  lostKWh: number | null;
  /** Hours that the ratios leave out as power was limited. */
  curtailedHours: number | null;
  /** Days that are known, and days on which all sources have a value. */
  days: number;
  wholeDays: number;
  isHorizontal: boolean;
  isClearSky: boolean;
  computedAt: number | null;
}

export interface SumsRow extends DaySums {
  device: string | null;
  table: string | null;
  source: string | null;
  day: string | null;
  /** Of rows of single sources: where modules face, where that is known. */
  azimuth: number | null;
  /** First day of a period, where the row is about all of them in one. */
  period: string | null;
}

export interface Span {
  from: string;
  to: string;
}

const SUMS = [
  ['energyKWh', 'energy_kwh'],
  ['dcKWh', 'dc_kwh'],
  ['expectedKWh', 'expected_kwh'],
  ['pairedKWh', 'paired_kwh'],
  ['pairedExpectedKWh', 'paired_expected_kwh'],
  ['yieldKWh', 'yield_kwh'],
  ['yieldPeakKWh', 'yield_peak_kwh'],
  ['ratedEnergyKWh', 'rated_energy_kwh'],
  ['energyRatedKWh', 'energy_rated_kwh'],
  ['referenceKWh', 'reference_kwh'],
  ['usedReferenceKWh', 'used_reference_kwh'],
  ['usedKWh', 'used_kwh'],
  ['usedDcKWh', 'used_dc_kwh'],
  ['usedDcAcKWh', 'used_dc_ac_kwh'],
  ['usedDcReferenceKWh', 'used_dc_reference_kwh'],
  ['warmKWh', 'warm_kwh'],
  ['warmReferenceKWh', 'warm_reference_kwh'],
  ['warmthKWhC', 'warmth_kwh_c'],
  ['usedHours', 'used_hours'],
  ['missedHours', 'missed_hours'],
  ['availableHours', 'available_hours'],
  ['unavailableHours', 'unavailable_hours'],
  ['contractAvailableHours', 'contract_available_hours'],
  ['contractUnavailableHours', 'contract_unavailable_hours'],
  ['lostKWh', 'lost_kwh'],
  ['curtailedHours', 'left_hours'],
] as const;

/** Ratings: means over the days on which there is one. */
const RATINGS = [
  ['ratedKW', 'rated_kw'],
  ['peakKWp', 'peak_kwp'],
  ['yieldPeakKWp', 'yield_peak_kwp'],
  ['referencePeakKWp', 'reference_peak_kwp'],
  ['usedPeakKWp', 'used_peak_kwp'],
  ['usedDcPeakKWp', 'used_dc_peak_kwp'],
] as const;

/** Added up over the rows of a group. */
const AGGREGATES = sql.join(
  [
    ...SUMS.map(([name, column]) => sql`sum(${sql.raw(column)}) as ${sql.raw(`"${name}"`)}`),
    ...RATINGS.map(([name, column]) => {
      const rating = sql.raw(column);
      return sql`sum(${rating}) / nullif(count(distinct day) filter (where ${rating} is not null), 0) as ${sql.raw(`"${name}"`)}`;
    }),
    sql`count(distinct day)::int as days`,
    sql`(count(distinct day) - count(distinct day) filter (where counted < sources))::int as "wholeDays"`,
    sql`coalesce(bool_or(light = 'horizontal'), false) as "isHorizontal"`,
    sql`coalesce(bool_or(light = 'clearSky'), false) as "isClearSky"`,
    sql`max(computed_at)::float8 as "computedAt"`,
  ],
  sql`, `,
);

/** What reports add up, in SQL: sums first, for any number of devices and days in one question. */
export class EnergyReportsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Sums by what is listed, by period, and of all together. */
  async sums(
    workgroup: string,
    of: DaysOf,
    { from, to }: Span,
    { by, periods }: { by: 'device' | 'source' | 'day' | 'none'; periods: ReportGranularity | null },
  ): Promise<SumsRow[]> {
    if (of.devices.length + of.sources.length === 0) return [];
    const isBySource = by === 'source' || by === 'day' || of.sources.length > 0 || of.only !== undefined;
    const where = sql`d.workgroup = ${workgroup} and d.day between ${from} and ${to} and ${whose(of, isBySource)}`;
    const base = isBySource
      ? sql`select e.device, e.table_name, e.source, e.day, max(e.azimuth) as azimuth, max(e.computed_at) as computed_at,
          ${sql.join(sumsOfSources(), sql`, `)} from (${countingDays(where)}) e group by 1, 2, 3, 4`
      : sql`select d.*, null::text as table_name, null::text as source, null::float8 as azimuth from ${energyDeviceDays} d where ${where}`;
    const key = {
      device: sql`(device)`,
      source: sql`(device, table_name, source)`,
      day: sql`(day)`,
      none: null,
    }[by];
    const period = periods === null ? null : sql`(period)`;
    const sets = [key, period, sql`()`].flatMap((set) => set ?? []);
    const start = periods === null ? sql`null::text` : periodSql(periods, sql`b.day`);
    // A device is limited for as long as its sources are, not for so many times as long.
    const left =
      by === 'source' || by === 'day' || !isBySource
        ? sql`b.curtailed_hours`
        : sql`max(b.curtailed_hours) over whole / count(*) over whole`;
    const rows = await rowsOf<SumsRow>(
      this.#postgres.db,
      sql`
      select ${by === 'device' || by === 'source' ? sql`device` : sql`null as device`},
        ${by === 'source' ? sql`table_name as "table", source` : sql`null as "table", null as source`},
        ${by === 'day' ? sql`day::text as day` : sql`null as day`}, ${by === 'source' ? sql`max(azimuth)` : sql`null`} as azimuth,
        ${periods === null ? sql`null as period` : sql`period`}, ${AGGREGATES}
      from (select b.*, ${start} as period, ${left} as left_hours from (${base}) b window whole as (partition by b.device, b.day)) b
      group by grouping sets (${sql.join(sets, sql`, `)})`,
    );
    return rows;
  }

  /** How many sources of each device stay below a part of what was expected of them. */
  async below(workgroup: string, of: DaysOf, { from, to }: Span, part: number) {
    if (of.devices.length + of.sources.length === 0) return [];
    const where = sql`d.workgroup = ${workgroup} and d.day between ${from} and ${to} and ${whose(of, true)}`;
    const rows = await rowsOf<{ device: string; below: number; sources: number }>(
      this.#postgres.db,
      sql`
      select device, count(*) filter (where energy < expected * ${part})::int as below,
        count(*) filter (where expected > 0)::int as sources
      from (select e.device, e.table_name, e.source, sum(e.free_kwh) filter (where e.expected_kwh is not null) as energy,
          sum(e.free_expected_kwh) filter (where e.counted_kwh is not null) as expected
        from (${countingDays(where)}) e group by 1, 2, 3) s
      group by device`,
    );
    return rows;
  }

  /** Energy of meters, by code and period. */
  async metered(workgroup: string, codes: readonly string[], span: Span, periods: ReportGranularity) {
    if (codes.length === 0) return [];
    const rows = await rowsOf<{ code: string; period: string; energyKWh: number }>(
      this.#postgres.db,
      sql`
      with metered as (${meteredDays(workgroup, codes, span)}), spread as (
        select m.code, d::date as day,
          m.energy_kwh / extract(day from m.day + interval '1 month' - interval '1 day') as energy
        from ${meterReadings} m
          cross join lateral generate_series(m.day, m.day + interval '1 month' - interval '1 day', interval '1 day') as d
        where m.workgroup = ${workgroup} and m.code in ${texts(codes)} and m.granularity = 'month'
          and m.day between date_trunc('month', ${span.from}::date)::date and ${span.to}
          and d::date between ${span.from} and ${span.to}
          and not exists (select 1 from metered x where x.code = m.code and x.day = d::date)
      )
      select code, ${periodSql(periods, sql`day`)} as period, sum(energy) as "energyKWh"
      from (select code, day, energy from metered union all select code, day, energy from spread) m group by 1, 2`,
    );
    return rows;
  }

  /** Of each site, what its meters and its inverters counted on days on which all of them did. */
  async reconciled(
    workgroup: string,
    { from, to }: Span,
    sites: readonly { site: string; codes: readonly string[]; devices: readonly string[] }[],
  ) {
    if (sites.length === 0) return [];
    const codes = sites.flatMap(({ site, codes: own }) => own.map((code) => ({ site, code })));
    const devices = sites.flatMap(({ site, devices: own }) => own.map((device) => ({ site, device })));
    const rows = await rowsOf<{ site: string | null; meterKWh: number; energyKWh: number }>(
      this.#postgres.db,
      sql`
      with device_days as (
        select s.site, d.device, d.day, d.energy_kwh as energy, d.counted = d.sources and d.counted > 0 as is_whole
        from ${energyDeviceDays} d join jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as s (site text, device uuid)
          on s.device = d.device
        where d.workgroup = ${workgroup} and d.day between ${from} and ${to}
      ), produced as (
        select site, day, sum(energy) as energy from device_days p group by site, day
        having bool_and(is_whole)
          and count(*) = (select count(distinct device) from device_days o where o.site = p.site)
      ), code_days as (
        select c.site, m.code, m.day, m.energy
        from (${meteredDays(
          workgroup,
          codes.map(({ code }) => code),
          { from, to },
        )}) m
          join jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as c (site text, code text) on c.code = m.code
      ), metered as (
        select site, day, sum(energy) as energy from code_days m group by site, day
        having count(*) = (select count(distinct code) from code_days o where o.site = m.site)
      )
      select site, sum(m.energy) as "meterKWh", sum(p.energy) as "energyKWh"
      from produced p join metered m using (site, day) group by grouping sets ((site), ())`,
    );
    return rows;
  }

  async budgets(workgroup: string, subjects: readonly string[], { from, to }: Span) {
    if (subjects.length === 0) return [];
    const rows = await rowsOf<{ subject: string; month: string; energyKWh: number }>(
      this.#postgres.db,
      sql`
      select subject, month::text, energy_kwh as "energyKWh" from ${energyBudgets}
      where workgroup = ${workgroup} and subject in ${texts(subjects)}
        and month between date_trunc('month', ${from}::date)::date and ${to}`,
    );
    return rows;
  }

  /** The first and the last day of which anything is known; null before that. */
  async span(workgroup: string): Promise<Span | null> {
    const rows = await rowsOf<{ from: string | null; to: string | null }>(
      this.#postgres.db,
      sql`
      select min(day)::text as "from", max(day)::text as "to" from ${energyDeviceDays} where workgroup = ${workgroup}`,
    );
    const [row] = rows;
    return row?.from && row.to ? { from: row.from, to: row.to } : null;
  }

  /** Classes of power of sources, added up. */
  async bins(workgroup: string, of: DaysOf, { from, to }: Span) {
    if (of.devices.length + of.sources.length === 0) return [];
    const where = sql`d.workgroup = ${workgroup} and d.day between ${from} and ${to} and ${whose(of, true)}`;
    const rows = await rowsOf<{
      device: string;
      table: string;
      source: string;
      bin: number;
      acKWh: number;
      dcKWh: number;
    }>(
      this.#postgres.db,
      sql`
      select d.device, d.table_name as "table", d.source, (b.place - 1)::int as bin, sum((b.pair ->> 0)::float8) as "acKWh",
        sum((b.pair ->> 1)::float8) as "dcKWh"
      from ${energyDays} d cross join lateral jsonb_array_elements(d.bins) with ordinality as b (pair, place)
      where ${where} group by 1, 2, 3, 4`,
    );
    return rows;
  }
}

const texts = (all: readonly string[]): SQL =>
  sql`(select value from jsonb_array_elements_text(${JSON.stringify(all)}::jsonb))`;

/**
 * Energy of meters by code and day ("energy"), without months. Of readings of several granularities those count that cover
 * most of the day, the finest where that is the same.
 */
const meteredDays = (workgroup: string, codes: readonly string[], { from, to }: Span): SQL => sql`
  select distinct on (code, day) code, day, energy
  from (select code, day, granularity, sum(energy_kwh) as energy, count(*) * ${MINUTES} as minutes, ${MINUTES} as step
    from ${meterReadings} where workgroup = ${workgroup} and code in ${texts(codes)} and granularity <> 'month'
      and day between ${from} and ${to} group by code, day, granularity) r
  order by code, day, minutes desc, step`;

const MINUTES = sql.raw(
  `(case granularity when '15m' then 15 when '30m' then 30 when 'hour' then 60 else 1440 end)`,
);

/** Where rows `d` are those that are asked for. */
function whose({ devices, sources, only }: DaysOf, isBySource: boolean): SQL {
  const whole = sql`d.device in ${inList(devices)}`;
  if (!isBySource) return whole;
  const some =
    sources.length === 0
      ? whole
      : sql`(${whole} or (d.device, d.source) in (select s.device, s.source
          from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as s (device uuid, source text)))`;
  return only ? sql`${some} and d.table_name = ${only.table} and d.source = ${only.source}` : some;
}

/** First day of the period that a day lies in; weeks begin on Mondays. */
const periodSql = (granularity: ReportGranularity, day: SQL): SQL =>
  granularity === 'day'
    ? sql`${day}::text`
    : sql`date_trunc(${sql.raw(`'${granularity}'`)}, ${day}::timestamp)::date::text`;
