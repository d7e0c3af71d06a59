import type { HistoryKind, SavedVersion } from '@albedo/contract/history/history.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, lte } from 'drizzle-orm';
import { savedVersions } from './history.tables.ts';

/** A thing that has versions. */
export interface Thing {
  workgroup: string;
  kind: HistoryKind;
  id: string;
}

/** A save as it is kept. */
export interface Save extends SavedVersion {
  content: unknown;
}

/** Saves, in SQL. */
export class HistoryStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Keeps saves that are not kept yet, and forgets what is older than the newest so many. */
  async keep(thing: Thing, saves: readonly Save[], most: number): Promise<void> {
    const { workgroup, kind, id } = thing;
    const rows = saves.map(({ at, ...one }) => ({ workgroup, kind, thing: id, ...one, at: new Date(at) }));
    await this.#postgres.db
      .insert(savedVersions)
      .values(rows as never)
      .onConflictDoNothing();
    const newest = Math.max(...saves.map(({ version }) => version));
    await this.#postgres.db
      .delete(savedVersions)
      .where(and(isOf(thing), lte(savedVersions.version, newest - most)));
  }

  /** Without their content, the newest first. */
  async list(thing: Thing): Promise<SavedVersion[]> {
    const { version, name, by, at } = savedVersions;
    const rows = await this.#postgres.db
      .select({ version, name, by, at })
      .from(savedVersions)
      .where(isOf(thing))
      .orderBy(desc(savedVersions.version));
    return rows.map((one) => ({ ...one, at: one.at.getTime() }));
  }

  /** The save and the one before it, as far as they are kept. */
  async pair(thing: Thing, version: number): Promise<Save[]> {
    const rows = await this.#postgres.db
      .select()
      .from(savedVersions)
      .where(and(isOf(thing), lte(savedVersions.version, version)))
      .orderBy(desc(savedVersions.version))
      .limit(2);
    return rows.map(({ version, name, by, at, content }) => ({
      ...{ version, name, by, content },
      at: at.getTime(),
    }));
  }

  async forget(thing: Thing): Promise<void> {
    await this.#postgres.db.delete(savedVersions).where(isOf(thing));
  }
}

const isOf = ({ workgroup, kind, id }: Thing) =>
  and(eq(savedVersions.workgroup, workgroup), eq(savedVersions.kind, kind), eq(savedVersions.thing, id));
