import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { int8, type Log, type Postgres } from './connection.ts';
import { transactionNow } from './together.ts';

const INT8 = 20;

/** Key of the advisory lock under which one process at a time migrates; any constant of our own does. */
const MIGRATION_LOCK = 7_316_101;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text') =>
    id === INT8 ? int8 : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
};

/** A PostgreSQL server. Throws an error that names its address, without the password, when it does not answer. */
export async function openServed(url: string, log: Log): Promise<Postgres> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 10_000,
    application_name: 'albedo',
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  const broke = (error: Error) => log.error({ error: error.message }, 'a connection to PostgreSQL broke');
  pool.on('error', broke);
  // The same for one in use that breaks between two statements; whoever uses it sees the next statement fail.
  pool.on('connect', (client) => client.on('error', broke));
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw new Error(`PostgreSQL at ${nameOf(url)} does not answer: ${reason(error)}`, { cause: error });
  }
  log.info({ address: nameOf(url), engine: 'postgres' }, 'records are open');
  const db = drizzle(pool, { casing: 'snake_case' });
  return {
    engine: 'postgres',
    get db() {
      return (transactionNow() as unknown as typeof db | undefined) ?? db;
    },
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await pool.query({ text, values, types })).rows as Row[],
    exec: async (sql) => {
      await pool.query(sql);
    },
    script: async <Row>(sql: string) => {
      // The pool ends a connection whose statement failed, and with it a transaction that the statement began.
      const results: unknown = await pool.query({ text: sql, types });
      return [results].flat().flatMap((one) => (one as pg.QueryResult).rows as Row[]);
    },
    migrate: async (migrationsFolder) => {
      const client = await pool.connect();
      try {
        await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
        await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder });
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {}); // Ends with it.
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

/** Host and database of an address. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return '(no valid address)';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** A refused connection to a name with several addresses is an AggregateError without a text. */
const reason = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((one: Error) => one.message).join(', ')
    : (error as Error).message;
