import type { Machine, NewMachine } from '@albedo/contract/machines/machines.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, sql } from 'drizzle-orm';
import { machines } from './machines.tables.ts';

/** Machines, in SQL. */
export class MachinesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** By name. */
  async list(workgroup: string): Promise<Machine[]> {
    const rows = await this.#postgres.db
      .select()
      .from(machines)
      .where(eq(machines.workgroup, workgroup))
      .orderBy(sql`lower(${machines.name})`, machines.id);
    return rows.map(machineOf);
  }

  async ids(workgroup: string): Promise<Set<string>> {
    const rows = await this.#postgres.db
      .select({ id: machines.id })
      .from(machines)
      .where(eq(machines.workgroup, workgroup));
    return new Set(rows.map(({ id }) => id));
  }

  async find(workgroup: string, id: string): Promise<Machine | undefined> {
    const [row] = await this.#postgres.db.select().from(machines).where(isMachine(workgroup, id));
    return row && machineOf(row);
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(machines, eq(machines.workgroup, workgroup));
  }

  /** Null where another machine has the name. */
  async add(workgroup: string, machine: NewMachine, id?: string): Promise<Machine | null> {
    const rows = await this.#postgres.db
      .insert(machines)
      .values({ workgroup, ...(id === undefined ? {} : { id }), ...machine })
      .onConflictDoNothing()
      .returning();
    return rows[0] ? machineOf(rows[0]) : null;
  }

  /** Null where another machine has the name, undefined where there is none with the id. */
  async set(workgroup: string, id: string, machine: NewMachine): Promise<Machine | null | undefined> {
    const rows = this.#postgres.db
      .update(machines)
      .set({ ...machine, version: sql`${machines.version} + 1`, updatedAt: new Date() })
      .where(isMachine(workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found && (found[0] ? machineOf(found[0]) : undefined);
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(machines)
      .where(isMachine(workgroup, id))
      .returning({ id: machines.id });
    return rows.length > 0;
  }
}

const isMachine = (workgroup: string, id: string) =>
  and(eq(machines.workgroup, workgroup), eq(machines.id, id));

const machineOf = ({
  id,
  workgroup: _workgroup,
  updatedAt: _at,
  ...row
}: typeof machines.$inferSelect): Machine => ({ _id: id, ...row });
