import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { entities, entityDeletions, entityTrees } from './entities.tables.ts';

export type EntityRow = typeof entities.$inferSelect;
export type EntityDeletionRow = typeof entityDeletions.$inferSelect;

/** Ids that one statement names. */
const CHUNK = 500;

/** Entities, in SQL. */
export class EntitiesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** 0 for a workgroup that never had an entity. */
  async version(workgroup: string): Promise<number> {
    const [row] = await this.#postgres.db
      .select({ version: entityTrees.version })
      .from(entityTrees)
      .where(eq(entityTrees.workgroup, workgroup));
    return row?.version ?? 0;
  }

  list(workgroup: string, db: Pick<Transaction, 'select'> = this.#postgres.db): Promise<EntityRow[]> {
    return db.select().from(entities).where(eq(entities.workgroup, workgroup)).execute();
  }

  /**
   * One change of the tree at a time: the next one begins when this one has happened or failed. `effect` is given the new
   * version.
   */
  change<T>(workgroup: string, effect: (tx: Transaction, version: number) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(entityTrees)
        .values({ workgroup, version: 1 })
        .onConflictDoUpdate({
          target: entityTrees.workgroup,
          set: { version: sql`${entityTrees.version} + 1` },
        })
        .returning({ version: entityTrees.version });
      if (!row) throw new Error('The database returned no version for a tree.');
      return effect(tx, row.version);
    });
  }

  /** Writes new entities and those that changed: one statement with one value, which both engines take fast. */
  async save(tx: Transaction, rows: readonly EntityRow[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.execute(sql`
      insert into ${entities} (workgroup, id, parent, name, labels, machine, meta, signals, settings, version)
      select workgroup, id, parent, name, labels, machine, meta, signals, settings, version
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (workgroup text, id text, parent text,
        name text, labels jsonb, machine uuid, meta jsonb, signals jsonb, settings jsonb, version integer)
      on conflict (workgroup, id) do update set parent = excluded.parent, name = excluded.name,
        labels = excluded.labels, machine = excluded.machine, meta = excluded.meta,
        signals = excluded.signals, settings = excluded.settings, version = excluded.version`);
  }

  async remove(tx: Transaction, workgroup: string, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += CHUNK)
      await tx
        .delete(entities)
        .where(and(eq(entities.workgroup, workgroup), inArray(entities.id, ids.slice(at, at + CHUNK))));
  }

  async addDeletion(tx: Transaction, deletion: Omit<EntityDeletionRow, 'id'>): Promise<string> {
    const [row] = await tx.insert(entityDeletions).values(deletion).returning({ id: entityDeletions.id });
    if (!row) throw new Error('The database returned no id for a deletion.');
    return row.id;
  }

  /** Those since an instant, the newest first, without what was deleted. */
  deletions(workgroup: string, since: Date) {
    const { id, name, deletedAt, deletedBy } = entityDeletions;
    const count = sql<number>`jsonb_array_length(${entityDeletions.entities})`;
    const ids = sql<string[]>`jsonb_path_query_array(${entityDeletions.entities}, '$[*].id')`;
    return this.#postgres.db
      .select({ id, name, deletedAt, deletedBy, count, ids })
      .from(entityDeletions)
      .where(and(eq(entityDeletions.workgroup, workgroup), gte(deletedAt, since)))
      .orderBy(desc(deletedAt))
      .execute();
  }

  /** Takes a deletion out of the list; undefined where there is none such. */
  async takeDeletion(
    tx: Transaction,
    workgroup: string,
    id: string,
    since: Date,
  ): Promise<EntityDeletionRow | undefined> {
    const which = and(
      eq(entityDeletions.workgroup, workgroup),
      eq(entityDeletions.id, id),
      gte(entityDeletions.deletedAt, since),
    );
    return (await tx.delete(entityDeletions).where(which).returning())[0];
  }

  async forgetDeletions(before: Date): Promise<void> {
    await this.#postgres.db.delete(entityDeletions).where(lt(entityDeletions.deletedAt, before));
  }
}
