import { type Kpi, type NewKpi, valuesOfKept } from '@albedo/contract/kpis/kpis.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, sql } from 'drizzle-orm';
import { kpis } from './kpis.tables.ts';

/** KPIs, in SQL. */
export class KpisStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** By name. */
  async list(workgroup: string): Promise<Kpi[]> {
    const rows = await this.#postgres.db
      .select()
      .from(kpis)
      .where(eq(kpis.workgroup, workgroup))
      .orderBy(sql`lower(${kpis.name})`, kpis.id);
    return rows.map(kpiOf);
  }

  async find(workgroup: string, id: string): Promise<Kpi | undefined> {
    const [row] = await this.#postgres.db.select().from(kpis).where(isKpi(workgroup, id));
    return row && kpiOf(row);
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(kpis, eq(kpis.workgroup, workgroup));
  }

  /** Null where another KPI has the name. */
  async add(workgroup: string, wanted: NewKpi, id?: string): Promise<Kpi | null> {
    const rows = await this.#postgres.db
      .insert(kpis)
      .values({ workgroup, ...(id === undefined ? {} : { id }), ...rowOf(wanted) })
      .onConflictDoNothing()
      .returning();
    return rows[0] ? kpiOf(rows[0]) : null;
  }

  /** Null where another KPI has the name, undefined where there is none with the id. */
  async set(workgroup: string, id: string, wanted: NewKpi): Promise<Kpi | null | undefined> {
    const rows = this.#postgres.db
      .update(kpis)
      .set({ ...rowOf(wanted), version: sql`${kpis.version} + 1`, updatedAt: new Date() })
      .where(isKpi(workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found && (found[0] ? kpiOf(found[0]) : undefined);
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db.delete(kpis).where(isKpi(workgroup, id)).returning({ id: kpis.id });
    return rows.length > 0;
  }
}

const isKpi = (workgroup: string, id: string) => and(eq(kpis.workgroup, workgroup), eq(kpis.id, id));

const rowOf = ({ name, description, values }: NewKpi) => ({
  name,
  description,
  values: Object.entries(values),
});

const kpiOf = ({ id, workgroup: _workgroup, values, updatedAt, ...row }: typeof kpis.$inferSelect): Kpi => ({
  _id: id,
  ...row,
  values: valuesOfKept(values),
  updatedAt: updatedAt.getTime(),
});
