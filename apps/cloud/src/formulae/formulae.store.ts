import type { NewFormula } from '@albedo/contract/formulae/formulae.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, or, sql } from 'drizzle-orm';
import { formulae } from './formulae.tables.ts';

export type FormulaRow = typeof formulae.$inferSelect;
/** A formula with the unit that its check found. */
export type CheckedFormula = NewFormula & { resultUnit: string };

/** Formulas, in SQL. */
export class FormulaeStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Those of the person and those that are shared, by title. */
  list(workgroup: string, userId: string): Promise<FormulaRow[]> {
    const seen = or(eq(formulae.isShared, true), eq(formulae.ownerId, userId));
    return this.#postgres.db
      .select()
      .from(formulae)
      .where(and(eq(formulae.workgroup, workgroup), seen))
      .orderBy(sql`lower(${formulae.title})`, formulae.id)
      .execute();
  }

  async find(workgroup: string, id: string): Promise<FormulaRow | undefined> {
    return (await this.#postgres.db.select().from(formulae).where(isFormula(workgroup, id)))[0];
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(formulae, eq(formulae.workgroup, workgroup));
  }

  async add(workgroup: string, ownerId: string, formula: CheckedFormula): Promise<FormulaRow> {
    const rows = await this.#postgres.db
      .insert(formulae)
      .values({ workgroup, ownerId, ...formula })
      .returning();
    return rows[0] as FormulaRow;
  }

  /** Undefined where it is gone. */
  async set(
    workgroup: string,
    id: string,
    change: CheckedFormula | Pick<FormulaRow, 'isShared'>,
  ): Promise<FormulaRow | undefined> {
    const set = { ...change, updatedAt: new Date() };
    return (await this.#postgres.db.update(formulae).set(set).where(isFormula(workgroup, id)).returning())[0];
  }

  async remove(workgroup: string, id: string): Promise<void> {
    await this.#postgres.db.delete(formulae).where(isFormula(workgroup, id));
  }
}

const isFormula = (workgroup: string, id: string) =>
  and(eq(formulae.workgroup, workgroup), eq(formulae.id, id));
