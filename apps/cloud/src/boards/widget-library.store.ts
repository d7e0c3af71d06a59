import type { ChangedLibraryWidget, NewLibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { libraryWidgets } from './boards.tables.ts';

export type LibraryRow = typeof libraryWidgets.$inferSelect;

/** Widgets that dashboards share, in SQL. */
export class WidgetLibraryStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<LibraryRow[]> {
    return this.#postgres.db
      .select()
      .from(libraryWidgets)
      .where(eq(libraryWidgets.workgroup, workgroup))
      .orderBy(sql`lower(${libraryWidgets.name})`, libraryWidgets.id);
  }

  some(workgroup: string, ids: readonly string[]): Promise<LibraryRow[]> {
    return this.#postgres.db
      .select()
      .from(libraryWidgets)
      .where(and(eq(libraryWidgets.workgroup, workgroup), inArray(libraryWidgets.id, [...ids])));
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(libraryWidgets, eq(libraryWidgets.workgroup, workgroup));
  }

  async add(workgroup: string, { name, item }: NewLibraryWidget, by: string): Promise<LibraryRow> {
    const [row] = await this.#postgres.db
      .insert(libraryWidgets)
      .values({ workgroup, name, item, updatedBy: by })
      .returning();
    return row as LibraryRow;
  }

  /** The next version; undefined where it is gone, or no longer has the version that was changed. */
  async set(
    workgroup: string,
    id: string,
    { name, item, version }: ChangedLibraryWidget,
    by: string,
  ): Promise<LibraryRow | undefined> {
    const isSame = version === undefined ? undefined : eq(libraryWidgets.version, version);
    const [row] = await this.#postgres.db
      .update(libraryWidgets)
      .set({
        ...{ name, item, updatedBy: by, updatedAt: new Date() },
        version: sql`${libraryWidgets.version} + 1`,
      })
      .where(and(isWidget(workgroup, id), isSame))
      .returning();
    return row;
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(libraryWidgets)
      .where(isWidget(workgroup, id))
      .returning({ id: libraryWidgets.id });
    return rows.length > 0;
  }
}

const isWidget = (workgroup: string, id: string) =>
  and(eq(libraryWidgets.workgroup, workgroup), eq(libraryWidgets.id, id));
