import type { MeterGranularity } from '@albedo/contract/energy/energy.names';
import type { EnergyImport, EnergyImportPlan } from '@albedo/contract/energy/energy.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { energyBudgets, energyImportRows, energyImports, meterReadings } from './energy.tables.ts';
import { rowsOf } from './sql-rows.store.ts';

/** A reading of a meter; `at` is the start of its interval, epoch ms. */
export interface NewReading {
  code: string;
  at: number;
  day: string;
  granularity: MeterGranularity;
  energyKWh: number;
}

/** A budget of a month, by its first day. */
export interface NewBudget {
  subject: string;
  month: string;
  energyKWh: number;
  performanceRatio: number | null;
  irradiationKWhM2: number | null;
}

/** Rows of one statement. */
const ROWS = 20_000;

/** Readings of meters, budgets, and the files that they came in, in SQL. */
export class MeterDataStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Each in the place of what it was; all of them or none. */
  async putReadings(workgroup: string, all: readonly NewReading[]): Promise<void> {
    await this.#postgres.db.transaction((tx) => putReadings(tx, workgroup, all));
  }

  async putBudgets(workgroup: string, all: readonly NewBudget[]): Promise<void> {
    await this.#postgres.db.transaction((tx) => putBudgets(tx, workgroup, all));
  }

  /** By code and time, after one of them. */
  readings(
    workgroup: string,
    of: {
      from: string;
      to: string;
      codes: readonly string[];
      after: { code: string; at: number } | null;
      limit: number;
    },
  ) {
    const after = of.after ? sql`and (code, at) > (${of.after.code}, ${of.after.at}::bigint)` : sql``;
    return rowsOf<{ code: string; at: number; granularity: MeterGranularity; energyKWh: number }>(
      this.#postgres.db,
      sql`select code, at::float8 as at, granularity, energy_kwh as "energyKWh" from ${meterReadings}
        where workgroup = ${workgroup} and day between ${of.from} and ${of.to} and code in ${texts(of.codes)} ${after}
        order by code, at limit ${of.limit}`,
    );
  }

  all(workgroup: string, codes: readonly string[]) {
    return rowsOf<{ code: string; day: string; energyKWh: number }>(
      this.#postgres.db,
      sql`select code, day::text, energy_kwh as "energyKWh" from ${meterReadings}
        where workgroup = ${workgroup} and code in ${texts(codes)}`,
    );
  }

  budgets(
    workgroup: string,
    of: {
      from: string;
      to: string;
      subjects: readonly string[];
      after: { subject: string; month: string } | null;
      limit: number;
    },
  ) {
    const after = of.after
      ? sql`and (subject, month) > (${of.after.subject}, ${of.after.month}::date)`
      : sql``;
    return rowsOf<NewBudget>(
      this.#postgres.db,
      sql`select subject, month::text, energy_kwh as "energyKWh", performance_ratio as "performanceRatio",
          irradiation_kwh_m2 as "irradiationKWhM2" from ${energyBudgets}
        where workgroup = ${workgroup} and month between ${of.from} and ${of.to} and subject in ${texts(of.subjects)} ${after}
        order by subject, month limit ${of.limit}`,
    );
  }

  /** How many of these readings stand in the place of others. */
  async countReplaced(
    workgroup: string,
    { kind, granularity }: Pick<EnergyImportPlan, 'kind' | 'granularity'>,
    keys: readonly { key: string; at: number }[],
  ) {
    let count = 0;
    for (let at = 0; at < keys.length; at += ROWS) {
      const input = sql`jsonb_to_recordset(${JSON.stringify(keys.slice(at, at + ROWS))}::jsonb) as k (key text, at bigint)`;
      const [row] = await rowsOf<{ n: number }>(
        this.#postgres.db,
        kind === 'meter'
          ? sql`select count(*)::int as n from ${input} join ${meterReadings} m on m.workgroup = ${workgroup}
              and m.code = k.key and m.at = k.at and m.granularity = ${granularity}`
          : sql`select count(*)::int as n from ${input} join ${energyBudgets} b on b.workgroup = ${workgroup}
              and b.subject = k.key and b.month = ${monthOf(sql`k.at`)}`,
      );
      count += row?.n ?? 0;
    }
    return count;
  }

  async imports(workgroup: string): Promise<EnergyImport[]> {
    const rows = await this.#postgres.db
      .select()
      .from(energyImports)
      .where(eq(energyImports.workgroup, workgroup))
      .orderBy(desc(energyImports.at))
      .limit(200);
    return rows.map(importOf);
  }

  /** Stores a file, whole or not at all, with what stood there before. */
  async import(
    of: { workgroup: string; name: string; plan: EnergyImportPlan; by: string },
    rows: { readings: readonly NewReading[] } | { budgets: readonly NewBudget[] },
  ): Promise<EnergyImport> {
    return this.#postgres.db.transaction(async (tx) => {
      const readings = 'readings' in rows ? rows.readings.length : rows.budgets.length;
      const [row] = await tx
        .insert(energyImports)
        .values({ ...of, readings })
        .returning();
      if (!row) throw new Error('The database returned no row for a new import.');
      if ('readings' in rows) {
        for (let at = 0; at < rows.readings.length; at += ROWS) {
          const part = rows.readings.slice(at, at + ROWS);
          await tx.execute(sql`
            insert into ${energyImportRows} ("import", key, at, now, was)
            select ${row.id}, r.code, r.at, r."energyKWh", case when m.code is null then null else
              jsonb_build_object('day', m.day, 'granularity', m.granularity, 'energyKWh', m.energy_kwh) end
            from ${readingsInput(part)} left join ${meterReadings} m
              on m.workgroup = ${of.workgroup} and m.code = r.code and m.at = r.at and m.granularity = r.granularity`);
          await putReadings(tx, of.workgroup, part);
        }
      } else {
        await tx.execute(sql`
          insert into ${energyImportRows} ("import", key, at, now, was)
          select ${row.id}, r.subject, (extract(epoch from r.month::timestamp) * 1000)::bigint, r."energyKWh",
            case when b.subject is null then null else jsonb_build_object('energyKWh', b.energy_kwh,
              'performanceRatio', b.performance_ratio, 'irradiationKWhM2', b.irradiation_kwh_m2) end
          from ${budgetsInput(rows.budgets)} left join ${energyBudgets} b
            on b.workgroup = ${of.workgroup} and b.subject = r.subject and b.month = r.month`);
        await putBudgets(tx, of.workgroup, rows.budgets);
      }
      return importOf(row);
    });
  }

  /** Null where it is not there; otherwise how many newer values stand in the way, and the import once none does. */
  async undo(
    workgroup: string,
    id: string,
  ): Promise<{ newer: number; done: EnergyImport | null; was: EnergyImport } | null> {
    return this.#postgres.db.transaction(async (tx) => {
      const is = and(eq(energyImports.workgroup, workgroup), eq(energyImports.id, id));
      const [row] = await tx.select().from(energyImports).where(is).for('update');
      if (!row) return null;
      if (row.undoneAt) return { newer: 0, done: null, was: importOf(row) };
      const isMeter = row.plan.kind === 'meter';
      const target = isMeter
        ? sql`${meterReadings} t where t.workgroup = ${workgroup} and t.code = i.key and t.at = i.at
            and t.granularity = ${row.plan.granularity}`
        : sql`${energyBudgets} t where t.workgroup = ${workgroup} and t.subject = i.key and t.month = ${monthOf(sql`i.at`)}`;
      const [newer] = await rowsOf<{ n: number }>(
        tx,
        sql`
        select count(*)::int as n from ${energyImportRows} i where i."import" = ${id}
          and (not exists (select 1 from ${target} and t.energy_kwh = i.now) or exists (
            select 1 from ${energyImportRows} j join ${energyImports} k on k.id = j."import"
            where k.workgroup = ${workgroup} and k.at > ${row.at.toISOString()}::timestamptz and k.undone_at is null
              and k.plan ->> 'kind' = ${row.plan.kind}
              and k.plan ->> 'granularity' is not distinct from ${row.plan.granularity}
              and j.key = i.key and j.at = i.at))`,
      );
      if ((newer?.n ?? 0) > 0) return { newer: newer?.n ?? 0, done: null, was: importOf(row) };
      await tx.execute(
        isMeter
          ? sql`delete from ${meterReadings} t using ${energyImportRows} i
              where i."import" = ${id} and t.workgroup = ${workgroup} and t.code = i.key and t.at = i.at
                and t.granularity = ${row.plan.granularity}`
          : sql`delete from ${energyBudgets} t using ${energyImportRows} i
              where i."import" = ${id} and t.workgroup = ${workgroup} and t.subject = i.key and t.month = ${monthOf(sql`i.at`)}`,
      );
      await tx.execute(
        isMeter
          ? sql`insert into ${meterReadings} (workgroup, code, at, day, granularity, energy_kwh)
              select ${workgroup}, i.key, i.at, (i.was ->> 'day')::date, i.was ->> 'granularity', (i.was ->> 'energyKWh')::float8
              from ${energyImportRows} i where i."import" = ${id} and i.was is not null`
          : sql`insert into ${energyBudgets} (workgroup, subject, month, energy_kwh, performance_ratio, irradiation_kwh_m2)
              select ${workgroup}, i.key, ${monthOf(sql`i.at`)}, (i.was ->> 'energyKWh')::float8,
                (i.was ->> 'performanceRatio')::float8, (i.was ->> 'irradiationKWhM2')::float8
              from ${energyImportRows} i where i."import" = ${id} and i.was is not null`,
      );
      await tx.delete(energyImportRows).where(eq(energyImportRows.import, id));
      const [done] = await tx
        .update(energyImports)
        .set({ undoneAt: new Date() })
        .where(and(is, isNull(energyImports.undoneAt)))
        .returning();
      return { newer: 0, done: done ? importOf(done) : null, was: importOf(row) };
    });
  }
}

const importOf = ({
  at,
  undoneAt,
  workgroup: _workgroup,
  ...row
}: typeof energyImports.$inferSelect): EnergyImport => ({
  ...row,
  at: at.getTime(),
  undoneAt: undoneAt?.getTime() ?? null,
});

const monthOf = (at: SQL): SQL => sql`(to_timestamp(${at} / 1000.0) at time zone 'UTC')::date`;

const texts = (all: readonly string[]): SQL =>
  sql`(select value from jsonb_array_elements_text(${JSON.stringify(all)}::jsonb))`;

const readingsInput = (all: readonly NewReading[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (code text, at bigint, day date, granularity text, "energyKWh" float8)`;

const budgetsInput = (all: readonly NewBudget[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (subject text, month date, "energyKWh" float8,
    "performanceRatio" float8, "irradiationKWhM2" float8)`;

async function putReadings(tx: Transaction, workgroup: string, all: readonly NewReading[]): Promise<void> {
  for (let at = 0; at < all.length; at += ROWS)
    await tx.execute(sql`
      insert into ${meterReadings} (workgroup, code, at, day, granularity, energy_kwh)
      select ${workgroup}, r.code, r.at, r.day, r.granularity, r."energyKWh" from ${readingsInput(all.slice(at, at + ROWS))}
      on conflict (workgroup, code, at, granularity) do update set day = excluded.day, energy_kwh = excluded.energy_kwh`);
}

async function putBudgets(tx: Transaction, workgroup: string, all: readonly NewBudget[]): Promise<void> {
  if (all.length === 0) return;
  await tx.execute(sql`
    insert into ${energyBudgets} (workgroup, subject, month, energy_kwh, performance_ratio, irradiation_kwh_m2)
    select ${workgroup}, r.subject, r.month, r."energyKWh", r."performanceRatio", r."irradiationKWhM2" from ${budgetsInput(all)}
    on conflict (workgroup, subject, month) do update set energy_kwh = excluded.energy_kwh,
      performance_ratio = excluded.performance_ratio, irradiation_kwh_m2 = excluded.irradiation_kwh_m2`);
}
