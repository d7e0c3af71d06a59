import type { ChangedBoard, NewBoard } from '@albedo/contract/boards/boards.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, sql } from 'drizzle-orm';
import { entityDashboards } from './boards.tables.ts';

export type BoardRow = typeof entityDashboards.$inferSelect;

/** Dashboards, in SQL. */
export class BoardsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<BoardRow[]> {
    return this.#postgres.db
      .select()
      .from(entityDashboards)
      .where(eq(entityDashboards.workgroup, workgroup))
      .orderBy(sql`lower(${entityDashboards.name})`, entityDashboards.id);
  }

  async find(workgroup: string, id: string): Promise<BoardRow | undefined> {
    const [row] = await this.#postgres.db.select().from(entityDashboards).where(isBoard(workgroup, id));
    return row;
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(entityDashboards, eq(entityDashboards.workgroup, workgroup));
  }

  /** Undefined where the id is taken. */
  async add(
    workgroup: string,
    { _id, ...wanted }: NewBoard,
    { by, version }: { by: string; version: number },
  ): Promise<BoardRow | undefined> {
    const [row] = await this.#postgres.db
      .insert(entityDashboards)
      .values({
        workgroup,
        ...(_id === undefined ? {} : { id: _id }),
        ...wanted,
        board: wanted.board as never,
        version,
        updatedBy: by,
      })
      .onConflictDoNothing()
      .returning();
    return row;
  }

  /** The next version; undefined where the board is gone, or no longer has the version that was changed. */
  async set(workgroup: string, id: string, wanted: ChangedBoard, by: string): Promise<BoardRow | undefined> {
    const { version, board, ...rest } = wanted;
    const isSame = version === undefined ? undefined : eq(entityDashboards.version, version);
    const [row] = await this.#postgres.db
      .update(entityDashboards)
      .set({
        ...rest,
        board: board as never,
        version: sql`${entityDashboards.version} + 1`,
        updatedBy: by,
        updatedAt: new Date(),
      })
      .where(and(isBoard(workgroup, id), isSame))
      .returning();
    return row;
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(entityDashboards)
      .where(isBoard(workgroup, id))
      .returning({ id: entityDashboards.id });
    return rows.length > 0;
  }
}

const isBoard = (workgroup: string, id: string) =>
  and(eq(entityDashboards.workgroup, workgroup), eq(entityDashboards.id, id));
