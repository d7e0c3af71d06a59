import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Postgres } from './connection.ts';
import { sqlStateOf } from './sql-state.ts';

/** SQLSTATE of PostgreSQL for what the disk gives back wrongly: data_corrupted, index_corrupted, io_error, undefined_file. */
const DAMAGES: ReadonlySet<string> = new Set(['XX001', 'XX002', '58030', '58P01']);

/** Whether a statement failed because the disk gives back something else than was written. */
export function isDamage(error: unknown): error is Error {
  return DAMAGES.has(sqlStateOf(error) ?? '');
}

export interface DamagedIndex {
  what: string;
  reason: string;
  /** Made anew from its table, with nothing lost; otherwise the table cannot be read either. */
  isMended: boolean;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table or an index as a statement names it, and as people read it. */
export const placeOf = (schema: string, name: string) => ({
  place: `${quoted(schema)}.${quoted(name)}`,
  what: schema === 'public' ? name : `${schema}.${name}`,
});

interface Index {
  oid: number;
  schema: string;
  name: string;
  bytes: number;
}

/** So much is read by one statement, bytes, in about 20 ms: all else of the process waits meanwhile. */
const READ_AT_ONCE = 8e6;

/**
 * Reads every index of embedded records to its last page and makes those anew that are damaged: all that is in an index is in its
 * table too. Takes 60 ms for 7 MB of them.
 */
export async function mendIndexes(postgres: Postgres): Promise<DamagedIndex[]> {
  if (postgres.engine !== 'pglite') return [];
  const indexes = await postgres.query<Index>(
    `select c.oid::int8 as oid, n.nspname as schema, c.relname as name, pg_relation_size(c.oid)::int8 as bytes
     from pg_class c join pg_am a on a.oid = c.relam join pg_namespace n on n.oid = c.relnamespace
       join pg_index i on i.indexrelid = c.oid
     where c.relkind = 'i' and a.amname = 'btree' and i.indisvalid and c.relpersistence = 'p' order by 2, 3`,
  );
  const damaged: DamagedIndex[] = [];
  for (const some of readTogether(indexes)) {
    await othersFirst();
    const oids = some.map(({ oid }) => oid);
    try {
      await postgres.query('select count(bt_index_check(oid)) from unnest($1::oid[]) as oid', [oids]);
    } catch {
      damaged.push(...(await mendOneByOne(postgres, some)));
    }
  }
  return damaged;
}

function* readTogether(indexes: readonly Index[]): Generator<Index[]> {
  let some: Index[] = [];
  let bytes = 0;
  for (const index of indexes) {
    if (some.length > 0 && bytes + index.bytes > READ_AT_ONCE) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(index);
    bytes += index.bytes;
  }
  if (some.length > 0) yield some;
}

async function mendOneByOne(postgres: Postgres, indexes: readonly Index[]): Promise<DamagedIndex[]> {
  const damaged: DamagedIndex[] = [];
  for (const { oid, schema, name } of indexes) {
    try {
      await postgres.query('select bt_index_check($1)', [oid]);
    } catch (error) {
      if (!isDamage(error)) continue;
      const { place, what } = placeOf(schema, name);
      const isMended = await madeAnew(postgres, place);
      damaged.push({ what, reason: error.message, isMended });
    }
  }
  return damaged;
}

async function madeAnew(postgres: Postgres, index: string): Promise<boolean> {
  try {
    await postgres.exec(`reindex index ${index}`);
    return true;
  } catch {
    return false;
  }
}
