import type { HistoryKind, SavedChange, SavedVersion } from '@albedo/contract/history/history.schema';
import { LISTED_CHANGES } from '@albedo/contract/history/history.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, inArray, isNotNull, lte, max, sql } from 'drizzle-orm';
import { savedVersions } from './history.tables.ts';

/** A thing that has versions. */
export interface Thing {
  workgroup: string;
  kind: HistoryKind;
  id: string;
}

/** A save of something, with how it was before where that may not be kept yet. Content is null once it was deleted. */
export interface Save {
  id: string;
  name: string;
  content: unknown;
  /** The number that the thing itself counts, where it does; a later one where that is taken. */
  version?: number | undefined;
  before?: { name: string; content: unknown; version?: number | undefined } | undefined;
}

/** A save as it is kept. */
export interface KeptSave extends SavedVersion {
  thing: string;
  kind: HistoryKind;
  content: unknown;
}

/** Saves that one statement writes. */
const CHUNK = 500;
/** Names that a change tells of what it touched. */
const TOLD_NAMES = 5;

/** Saves, in SQL. */
export class HistoryStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Keeps saves with the next number of each, and forgets what is older than the newest so many. */
  async add(
    of: { workgroup: string; kind: HistoryKind; by: string; change: string | null },
    saves: readonly Save[],
    most: number,
  ): Promise<void> {
    for (let at = 0; at < saves.length; at += CHUNK) await this.#add(of, saves.slice(at, at + CHUNK), most);
  }

  async #add(
    { workgroup, kind, by, change }: Parameters<HistoryStore['add']>[0],
    saves: readonly Save[],
    most: number,
  ): Promise<void> {
    const { db } = this.#postgres;
    const given = JSON.stringify(
      saves.map(({ id, name, content, version = 0, before }) => ({
        thing: id,
        name,
        content,
        version,
        old: before?.content ?? null,
        old_name: before?.name ?? '',
        old_version: before?.version ?? 1,
      })),
    );
    await db.execute(sql`
      with given as (
        select * from jsonb_to_recordset(${given}::jsonb) as one (thing text, name text, content jsonb,
          version integer, old jsonb, old_name text, old_version integer)
      ), known as (
        select s.thing, max(s.version) as version from ${savedVersions} s join given using (thing)
        where s.workgroup = ${workgroup} and s.kind = ${kind} group by s.thing
      ), counted as (
        select given.*, known.version as newest,
          case when known.version is null and jsonb_typeof(old) = 'object' then old_version end as first
        from given left join known using (thing)
      )
      insert into ${savedVersions} (workgroup, kind, thing, version, name, content, by, at, change)
      select ${workgroup}::text, ${kind}::text, thing, first, old_name, old, '', now(), null
      from counted where first is not null
      union all
      select ${workgroup}::text, ${kind}::text, thing, greatest(version, coalesce(newest, first, 0) + 1), name,
        case when jsonb_typeof(content) = 'object' then content end, ${by}::text, now(), ${change}::uuid
      from counted
      on conflict do nothing`);
    const things = sql.join(
      saves.map(({ id }) => sql`${id}`),
      sql`, `,
    );
    // By the key alone: a join of the two would compare every save with every thing.
    await db.execute(sql`
      delete from ${savedVersions} where (workgroup, kind, thing, version) in (
        select workgroup, kind, thing, version from (
          select workgroup, kind, thing, version,
            row_number() over (partition by thing order by version desc) as place
          from ${savedVersions}
          where workgroup = ${workgroup} and kind = ${kind} and thing in (${things})
        ) placed
        where place > ${most})`);
  }

  /** The number of the next save. */
  async next(thing: Thing): Promise<number> {
    const [row] = await this.#postgres.db
      .select({ version: max(savedVersions.version) })
      .from(savedVersions)
      .where(isOf(thing));
    return (row?.version ?? 0) + 1;
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
  async pair(thing: Thing, version: number): Promise<KeptSave[]> {
    const rows = await this.#postgres.db
      .select()
      .from(savedVersions)
      .where(and(isOf(thing), lte(savedVersions.version, version)))
      .orderBy(desc(savedVersions.version))
      .limit(2);
    return rows.map(keptOf);
  }

  /** The last changes of several things at once, the newest first. */
  async changes(workgroup: string, change?: string): Promise<SavedChange[]> {
    const one = change === undefined ? sql`` : sql`and change = ${change}`;
    const rows = await this.#postgres.db.execute(sql`
      select change::text as id, min(by) as by, (extract(epoch from max(at)) * 1000)::float8 as at,
        sum(count)::int as count, jsonb_object_agg(kind, count) as kinds,
        (array_agg(names))[1] as names
      from (
        select change, kind, min(by) as by, max(at) as at, count(*)::int as count,
          to_jsonb((array_agg(name order by name))[1:${sql.raw(String(TOLD_NAMES))}]) as names
        from ${savedVersions}
        where workgroup = ${workgroup} and change is not null ${one} group by change, kind
      ) by_kind
      group by change order by max(at) desc limit ${LISTED_CHANGES}`);
    return (rows as unknown as { rows: SavedChange[] }).rows.map((row) => ({ ...row, at: Number(row.at) }));
  }

  /** How the things of a kind were called in changes of several. */
  namesOf(workgroup: string, kind: HistoryKind): Promise<{ thing: string; name: string }[]> {
    return this.#postgres.db
      .selectDistinct({ thing: savedVersions.thing, name: savedVersions.name })
      .from(savedVersions)
      .where(
        and(
          eq(savedVersions.workgroup, workgroup),
          eq(savedVersions.kind, kind),
          isNotNull(savedVersions.change),
        ),
      )
      .execute();
  }

  /** What a change saved, without its content. */
  async savesOf(workgroup: string, change: string): Promise<KeptSave[]> {
    const rows = await this.#postgres.db
      .select()
      .from(savedVersions)
      .where(and(eq(savedVersions.workgroup, workgroup), eq(savedVersions.change, change)));
    return rows.map(keptOf);
  }

  /** Of some things of a kind the version that is the newest. */
  async newest(workgroup: string, kind: HistoryKind, ids: readonly string[]): Promise<Map<string, number>> {
    const all = new Map<string, number>();
    for (let at = 0; at < ids.length; at += CHUNK) {
      const some = ids.slice(at, at + CHUNK);
      const rows = await this.#postgres.db
        .select({ thing: savedVersions.thing, version: max(savedVersions.version) })
        .from(savedVersions)
        .where(isAmong(workgroup, kind, some))
        .groupBy(savedVersions.thing);
      for (const { thing, version } of rows) all.set(thing, version ?? 0);
    }
    return all;
  }

  /** What some things were before these versions. */
  async before(
    workgroup: string,
    kind: HistoryKind,
    saves: readonly { thing: string; version: number }[],
  ): Promise<Map<string, unknown>> {
    const given = JSON.stringify(saves.map(({ thing, version }) => ({ thing, version })));
    const rows = await this.#postgres.db.execute(sql`
      select distinct on (s.thing) s.thing, s.content
      from ${savedVersions} s
      join jsonb_to_recordset(${given}::jsonb) as one (thing text, version integer)
        on s.thing = one.thing and s.version < one.version
      where s.workgroup = ${workgroup} and s.kind = ${kind}
      order by s.thing, s.version desc`);
    const { rows: all } = rows as unknown as { rows: { thing: string; content: unknown }[] };
    return new Map(all.map(({ thing, content }) => [thing, content]));
  }

  /** What was deleted before an instant goes, with all its saves. */
  async forgetDeleted(before: Date): Promise<void> {
    await this.#postgres.db.execute(sql`
      delete from ${savedVersions} s using (
        select distinct on (workgroup, kind, thing) workgroup, kind, thing, content, at from ${savedVersions}
        order by workgroup, kind, thing, version desc
      ) newest
      where newest.content is null and newest.at < ${before.toISOString()}::timestamptz
        and s.workgroup = newest.workgroup and s.kind = newest.kind and s.thing = newest.thing`);
  }
}

const isOf = ({ workgroup, kind, id }: Thing) =>
  and(eq(savedVersions.workgroup, workgroup), eq(savedVersions.kind, kind), eq(savedVersions.thing, id));

const isAmong = (workgroup: string, kind: HistoryKind, ids: readonly string[]) =>
  and(
    eq(savedVersions.workgroup, workgroup),
    eq(savedVersions.kind, kind),
    inArray(savedVersions.thing, [...ids]),
  );

const keptOf = ({
  at,
  change: _change,
  workgroup: _workgroup,
  ...one
}: typeof savedVersions.$inferSelect) => ({
  ...one,
  at: at.getTime(),
});
