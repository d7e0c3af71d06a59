import type {
  CalculationChange,
  ChangeCause,
  NewCalculation,
} from '@albedo/contract/calculations/calculations.schema';
import { CALCULATION_LIMITS } from '@albedo/contract/calculations/calculations.schema';
import { valuesOfKept } from '@albedo/contract/kpis/kpis.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import {
  calculationChanges,
  calculations,
  calculationTargets,
  calculationWatches,
  calculationWork,
  type WorkCause,
} from './calculations.tables.ts';

export type CalculationRow = Omit<typeof calculations.$inferSelect, 'values'> &
  Pick<NewCalculation, 'values'>;
export type TargetRow = typeof calculationTargets.$inferSelect;
export type WorkRow = typeof calculationWork.$inferSelect;

/** A stretch that is to be computed; `entities` is null for all. */
export interface NewWork {
  calculation: string;
  zone: string;
  fromAt: number;
  toAt: number;
  entities: readonly string[] | null;
  cause: WorkCause;
  dueAt: number;
}

/** A number that is about to be another one. */
export type NewChange = Omit<CalculationChange, 'changedAt'> & { calculation: string };

/** Rows of one statement. */
const ROWS = 2000;
/** Changes that are kept of each calculation. */
const CHANGES_KEPT = 20_000;

/** Calculations, what is due of them and what they changed, in SQL. */
export class CalculationsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(effect: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(effect);
  }

  /** By name. */
  async list(workgroup: string): Promise<CalculationRow[]> {
    const rows = await this.#postgres.db
      .select()
      .from(calculations)
      .where(eq(calculations.workgroup, workgroup))
      .orderBy(sql`lower(${calculations.name})`, calculations.id);
    return rows.map(withValues);
  }

  /** Workgroups with a calculation that is switched on. */
  async workgroups(): Promise<string[]> {
    const rows = await this.#postgres.db
      .selectDistinct({ workgroup: calculations.workgroup })
      .from(calculations)
      .where(eq(calculations.isActive, true));
    return rows.map(({ workgroup }) => workgroup);
  }

  async find(workgroup: string, id: string): Promise<CalculationRow | undefined> {
    const [row] = await this.#postgres.db.select().from(calculations).where(isOne(workgroup, id));
    return row && withValues(row);
  }

  /** Stretches that wait, by calculation. */
  async waiting(workgroup: string, now: number): Promise<Map<string, number>> {
    const rows = await this.#postgres.db
      .select({ id: calculationWork.calculation, count: sql<number>`count(*)::int` })
      .from(calculationWork)
      .innerJoin(calculations, eq(calculations.id, calculationWork.calculation))
      .where(and(eq(calculations.workgroup, workgroup), sql`${calculationWork.dueAt} <= ${now}`))
      .groupBy(calculationWork.calculation);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Null where another one has the name. */
  async add(
    workgroup: string,
    wanted: NewCalculation,
    since: number,
    id?: string,
  ): Promise<CalculationRow | null> {
    const [row] = await this.#postgres.db
      .insert(calculations)
      .values({ workgroup, since, ...(id === undefined ? {} : { id }), ...rowOf(wanted) })
      .onConflictDoNothing()
      .returning();
    return row ? withValues(row) : null;
  }

  /** Null where another one has the name, undefined where there is none with the id. */
  async set(
    workgroup: string,
    id: string,
    wanted: NewCalculation,
  ): Promise<CalculationRow | null | undefined> {
    const rows = this.#postgres.db
      .update(calculations)
      .set({
        ...rowOf(wanted),
        version: sql`${calculations.version} + 1`,
        updatedAt: new Date(),
        failure: null,
      })
      .where(isOne(workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found && (found[0] ? withValues(found[0]) : undefined);
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(calculations)
      .where(isOne(workgroup, id))
      .returning({ id: calculations.id });
    return rows.length > 0;
  }

  /** Has it computed from an earlier instant on; a later one changes nothing. */
  async beginEarlier(tx: Transaction, id: string, since: number): Promise<void> {
    await tx
      .update(calculations)
      .set({ since: sql`least(${calculations.since}, ${since})` })
      .where(eq(calculations.id, id));
  }

  /** Says how the last attempt went. */
  async note(tx: Pick<Transaction, 'update'>, id: string, failure: string | null): Promise<void> {
    const set = failure === null ? { failure, computedAt: new Date() } : { failure };
    await tx.update(calculations).set(set).where(eq(calculations.id, id));
  }

  get db(): Pick<Transaction, 'update'> {
    return this.#postgres.db;
  }

  /** By the time of storing, epoch ms; null before anybody looked. */
  async watchedUntil(workgroup: string): Promise<number | null> {
    const [row] = await this.#postgres.db
      .select({ storedAt: calculationWatches.storedAt })
      .from(calculationWatches)
      .where(eq(calculationWatches.workgroup, workgroup));
    return row?.storedAt ?? null;
  }

  async watched(tx: Transaction, workgroup: string, storedAt: number): Promise<void> {
    await tx
      .insert(calculationWatches)
      .values({ workgroup, storedAt })
      .onConflictDoUpdate({ target: calculationWatches.workgroup, set: { storedAt } });
  }

  async targets(workgroup: string): Promise<TargetRow[]> {
    const rows = await this.#postgres.db
      .select({ target: calculationTargets })
      .from(calculationTargets)
      .innerJoin(calculations, eq(calculations.id, calculationTargets.calculation))
      .where(eq(calculations.workgroup, workgroup));
    return rows.map(({ target }) => target);
  }

  async setTargets(tx: Transaction, rows: readonly TargetRow[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.execute(sql`
      insert into ${calculationTargets} (calculation, entity, zone, version, streams, facts)
      select calculation, entity, zone, version, streams, facts
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (calculation uuid, entity text, zone text,
        version int, streams text, facts jsonb)
      on conflict (calculation, entity) do update set zone = excluded.zone, version = excluded.version,
        streams = excluded.streams, facts = excluded.facts`);
  }

  async removeTargets(tx: Transaction, calculation: string, entities: readonly string[]): Promise<void> {
    for (let at = 0; at < entities.length; at += ROWS)
      await tx
        .delete(calculationTargets)
        .where(
          and(
            eq(calculationTargets.calculation, calculation),
            inArray(calculationTargets.entity, entities.slice(at, at + ROWS)),
          ),
        );
  }

  /** What waits already is not added again, but told why, and may be due earlier. */
  async addWork(tx: Transaction, all: readonly NewWork[]): Promise<void> {
    const merged = mergedWork(all);
    for (let at = 0; at < merged.length; at += ROWS)
      await tx.execute(sql`
        insert into ${calculationWork} as known (calculation, zone, from_at, to_at, entities, causes, due_at)
        select calculation, zone, "fromAt", "toAt", nullif(entities, 'null'::jsonb), causes, "dueAt"
        from jsonb_to_recordset(${JSON.stringify(merged.slice(at, at + ROWS))}::jsonb) as row (calculation uuid,
          zone text, "fromAt" bigint, "toAt" bigint, entities jsonb, causes jsonb, "dueAt" bigint)
        where exists (select 1 from ${calculations} one where one.id = row.calculation)
        on conflict (calculation, zone, from_at) do update set
          entities = case when known.entities is null or excluded.entities is null then null else
            (select jsonb_agg(distinct each) from jsonb_array_elements(known.entities || excluded.entities) each) end,
          causes = (select jsonb_agg(distinct each) from jsonb_array_elements(known.causes || excluded.causes) each),
          due_at = least(known.due_at, excluded.due_at), touches = known.touches + 1, attempts = 0`);
  }

  /** What is due, live and late data first, the newest first. */
  async dueWork(workgroup: string, now: number): Promise<WorkRow[]> {
    const isLive = sql`case when ${calculationWork.causes} ?| array['live', 'late'] then 0 else 1 end`;
    const rows = await this.#postgres.db
      .select({ work: calculationWork })
      .from(calculationWork)
      .innerJoin(calculations, eq(calculations.id, calculationWork.calculation))
      .where(
        and(
          eq(calculations.workgroup, workgroup),
          eq(calculations.isActive, true),
          sql`${calculationWork.dueAt} <= ${now}`,
        ),
      )
      .orderBy(isLive, desc(calculationWork.fromAt))
      .limit(500);
    return rows.map(({ work }) => work);
  }

  /** Stretches of a calculation that are due, within a range. */
  async countWork(calculation: string, from: number, to: number): Promise<number> {
    return this.#postgres.db.$count(
      calculationWork,
      sql`${calculationWork.calculation} = ${calculation} and ${calculationWork.fromAt} < ${to}
        and ${calculationWork.toAt} > ${from} and ${calculationWork.dueAt} <= ${Date.now()}`,
    );
  }

  /** What nothing but a back-fill asked for. */
  async forgetBackfill(calculation: string, from: number, to: number): Promise<void> {
    await this.#postgres.db.delete(calculationWork).where(
      sql`${calculationWork.calculation} = ${calculation} and ${calculationWork.causes} = '["backfill"]'::jsonb
          and ${calculationWork.fromAt} < ${to} and ${calculationWork.toAt} > ${from}`,
    );
  }

  /** It was computed; what touched it meanwhile keeps it waiting. */
  async endWork(tx: Transaction, { calculation, zone, fromAt, touches }: WorkRow): Promise<void> {
    await tx
      .delete(calculationWork)
      .where(
        and(
          eq(calculationWork.calculation, calculation),
          eq(calculationWork.zone, zone),
          eq(calculationWork.fromAt, fromAt),
          eq(calculationWork.touches, touches),
        ),
      );
  }

  async postponeWork({ calculation, zone, fromAt }: WorkRow, dueAt: number): Promise<void> {
    await this.#postgres.db
      .update(calculationWork)
      .set({ dueAt, attempts: sql`${calculationWork.attempts} + 1` })
      .where(
        and(
          eq(calculationWork.calculation, calculation),
          eq(calculationWork.zone, zone),
          eq(calculationWork.fromAt, fromAt),
        ),
      );
  }

  /** A change that was noted before a cut, and whose number was never written, is told by the new one alone. */
  async addChanges(tx: Transaction, all: readonly NewChange[]): Promise<void> {
    for (let at = 0; at < all.length; at += ROWS)
      await tx.execute(sql`
        delete from ${calculationChanges} old
        using jsonb_to_recordset(${JSON.stringify(all.slice(at, at + ROWS))}::jsonb)
          as row (calculation uuid, entity text, field text, at bigint, was float8)
        where (old.calculation, old.entity, old.field, old.at) = (row.calculation, row.entity, row.field, row.at)
          and old.was = row.was and old.now is distinct from row.was
          and not exists (select 1 from ${calculationChanges} newer where newer.id > old.id
            and (newer.calculation, newer.entity, newer.field, newer.at)
              = (old.calculation, old.entity, old.field, old.at))`);
    for (let at = 0; at < all.length; at += ROWS)
      await tx.insert(calculationChanges).values(all.slice(at, at + ROWS));
  }

  /** Those of one calculation, of one entity within a range where that is said, the newest first. */
  async changes(
    calculation: string,
    within?: { entity: string; from: number; to: number },
  ): Promise<CalculationChange[]> {
    const place = within
      ? and(
          eq(calculationChanges.entity, within.entity),
          sql`${calculationChanges.at} >= ${within.from} and ${calculationChanges.at} < ${within.to}`,
        )
      : undefined;
    const rows = await this.#postgres.db
      .select()
      .from(calculationChanges)
      .where(and(eq(calculationChanges.calculation, calculation), place))
      .orderBy(desc(calculationChanges.id))
      .limit(CALCULATION_LIMITS.changes);
    return rows.map(({ id: _id, calculation: _calculation, changedAt, ...row }) => ({
      ...row,
      changedAt: changedAt.getTime(),
    }));
  }

  /** Old changes of calculations that have many go. */
  async forgetChanges(): Promise<void> {
    await this.#postgres.db.execute(sql`
      delete from ${calculationChanges} where id in (select id from (
        select id, row_number() over (partition by calculation order by id desc) as place
        from ${calculationChanges}) ranked where place > ${CHANGES_KEPT})`);
  }
}

const isOne = (workgroup: string, id: string) =>
  and(eq(calculations.workgroup, workgroup), eq(calculations.id, id));

const rowOf = ({ values, table, ...wanted }: NewCalculation) => ({
  ...wanted,
  writesTo: table,
  values: Object.entries(values),
});

const withValues = ({ values, ...row }: typeof calculations.$inferSelect): CalculationRow => ({
  ...row,
  values: valuesOfKept(values),
});

/** One statement cannot meet the same stretch twice. */
function mergedWork(all: readonly NewWork[]) {
  const byPlace = new Map<string, Omit<NewWork, 'cause'> & { causes: WorkCause[] }>();
  for (const { cause, ...one } of all) {
    const key = `${one.calculation}\n${one.zone}\n${one.fromAt}`;
    const known = byPlace.get(key);
    if (!known) {
      byPlace.set(key, { ...one, causes: [cause] });
      continue;
    }
    known.entities =
      known.entities === null || one.entities === null
        ? null
        : [...new Set([...known.entities, ...one.entities])];
    if (!known.causes.includes(cause)) known.causes.push(cause);
    known.dueAt = Math.min(known.dueAt, one.dueAt);
  }
  return [...byPlace.values()];
}

/** What a change is said to come from, of all that touched its stretch. */
export const causeOf = (causes: readonly WorkCause[]): ChangeCause =>
  (['definition', 'metadata', 'late', 'backfill', 'chain'] as const).find((one) => causes.includes(one)) ??
  'late';
