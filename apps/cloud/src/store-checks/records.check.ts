import type { FoundDamage } from '@albedo/contract/store-checks/store-checks.schema';
import { isDamage, placeOf } from '@albedo/postgres/damage';
import type { Postgres } from '@albedo/postgres/postgres';

/**
 * Reads every table of the records to its last page: PostgreSQL compares each page with its checksum as it comes from the disk,
 * and unpacks what lies beside a table. One table at a time, since there is one connection.
 */
export async function* damagedTables(postgres: Postgres): AsyncGenerator<FoundDamage | null> {
  const tables = await postgres.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
     order by pg_relation_size(c.oid), 1, 2`,
  );
  for (const { schema, name } of tables) {
    const { place, what } = placeOf(schema, name);
    try {
      await postgres.query(`select sum(octet_length(t::text)) from ${place} t`);
      yield null;
    } catch (error) {
      if (!isDamage(error)) throw error;
      yield { what, reason: error.message };
    }
  }
}
