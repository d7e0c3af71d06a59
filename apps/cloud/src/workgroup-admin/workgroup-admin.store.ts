import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core';
import { inOrderOfDeletion, type TablePart } from '../database/workgroup-part.tables.ts';
import { deletedWorkgroups, workgroups } from '../database/workgroups.tables.ts';

const ROWS_A_PAGE = 1000;

/** Workgroups as a whole, in SQL. For the staff: these functions reach over all workgroups. */
export class WorkgroupAdminStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** By display name. */
  list() {
    return this.#postgres.db.select().from(workgroups).orderBy(workgroups.displayName);
  }

  /** False when the name is or was that of another one. */
  async add(row: {
    name: string;
    displayName: string;
    plan: string;
    mfaRequired: boolean;
  }): Promise<boolean> {
    return this.#postgres.db.transaction(async (transaction) => {
      const isGone = eq(deletedWorkgroups.name, row.name);
      const gone = await transaction.select().from(deletedWorkgroups).where(isGone);
      if (gone.length > 0) return false;
      const made = await transaction.insert(workgroups).values(row).onConflictDoNothing().returning();
      return made.length > 0;
    });
  }

  async setSuspended(name: string, at: Date | null): Promise<void> {
    await this.#postgres.db.update(workgroups).set({ suspendedAt: at }).where(eq(workgroups.name, name));
  }

  /** Deletes every row that the parts have of the workgroup, and keeps its name from being given again. */
  async remove(workgroup: string, parts: readonly TablePart[], inside: Transaction): Promise<void> {
    // The audit log lets go of its rows for this alone.
    await inside.execute(sql`select set_config('albedo.removed_workgroup', ${workgroup}, true)`);
    for (const { table, of } of inOrderOfDeletion(parts)) await inside.delete(table).where(of(workgroup));
    await inside.insert(deletedWorkgroups).values({ name: workgroup }).onConflictDoNothing();
  }

  async deleted(): Promise<string[]> {
    return (await this.#postgres.db.select().from(deletedWorkgroups)).map(({ name }) => name);
  }

  /** Every record that the parts have of the workgroup, page by page, with the columns that may leave. */
  async *records(
    workgroup: string,
    parts: readonly TablePart[],
  ): AsyncGenerator<{ table: string; page: number; rows: unknown[] }> {
    for (const part of parts) {
      if (part.exported.length === 0) continue;
      for (let page = 0; ; page++) {
        const rows = await this.#rows(part, workgroup, page);
        if (rows.length > 0 || page === 0) yield { table: getTableName(part.table), page, rows };
        if (rows.length < ROWS_A_PAGE) break;
      }
    }
  }

  #rows({ table, of, exported }: TablePart, workgroup: string, page: number): Promise<unknown[]> {
    const columns = getTableColumns(table) as Record<string, PgColumn>;
    const wanted = Object.fromEntries(
      exported.flatMap((name) => (columns[name] ? [[name, columns[name]]] : [])),
    );
    const { primaryKeys } = getTableConfig(table);
    const key = Object.values(columns).filter((column) => column.primary);
    const order = primaryKeys[0]?.columns ?? (key.length > 0 ? key : Object.values(columns));
    return this.#postgres.db
      .select(wanted)
      .from(table)
      .where(of(workgroup))
      .orderBy(...order)
      .limit(ROWS_A_PAGE)
      .offset(page * ROWS_A_PAGE);
  }
}
