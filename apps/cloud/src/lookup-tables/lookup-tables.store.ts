import type { LookupTable, NewLookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, sql } from 'drizzle-orm';
import { lookupTables } from './lookup-tables.tables.ts';

/** Lookup tables, in SQL. */
export class LookupTablesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async list(workgroup: string): Promise<LookupTable[]> {
    const rows = await this.#postgres.db
      .select()
      .from(lookupTables)
      .where(eq(lookupTables.workgroup, workgroup))
      .orderBy(sql`lower(${lookupTables.name})`, lookupTables.id);
    return rows.map(toTable);
  }

  async find(workgroup: string, id: string): Promise<LookupTable | undefined> {
    const [row] = await this.#postgres.db.select().from(lookupTables).where(isTable(workgroup, id));
    return row && toTable(row);
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(lookupTables, eq(lookupTables.workgroup, workgroup));
  }

  /** Null where the workgroup has a table with that code. */
  async add(workgroup: string, table: NewLookupTable): Promise<LookupTable | null> {
    const rows = await this.#postgres.db
      .insert(lookupTables)
      .values({ workgroup, ...table })
      .onConflictDoNothing()
      .returning();
    return rows[0] ? toTable(rows[0]) : null;
  }

  /** Null where another table has the code, undefined where there is none with the id. */
  async set(workgroup: string, id: string, table: NewLookupTable): Promise<LookupTable | null | undefined> {
    const rows = this.#postgres.db
      .update(lookupTables)
      .set({ ...table, updatedAt: new Date() })
      .where(isTable(workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found && (found[0] ? toTable(found[0]) : undefined);
  }

  /** Undefined if there is no such table. */
  async refill(
    workgroup: string,
    id: string,
    content: Pick<LookupTable, 'fields' | 'values'>,
  ): Promise<LookupTable | undefined> {
    const [row] = await this.#postgres.db
      .update(lookupTables)
      .set({ ...content, updatedAt: new Date() })
      .where(isTable(workgroup, id))
      .returning();
    return row && toTable(row);
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(lookupTables)
      .where(isTable(workgroup, id))
      .returning({ id: lookupTables.id });
    return rows.length > 0;
  }
}

const isTable = (workgroup: string, id: string) =>
  and(eq(lookupTables.workgroup, workgroup), eq(lookupTables.id, id));

const toTable = ({ id, code, name, fields, values }: typeof lookupTables.$inferSelect): LookupTable => ({
  _id: id,
  code,
  name,
  fields,
  values,
});
