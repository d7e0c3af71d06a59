import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** The part of a logger that is used here; pino's fits. */
export interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** PostgreSQL, embedded or served: nothing above it knows which. */
export interface Postgres {
  readonly engine: 'pglite' | 'postgres';
  /**
   * Column names are snake_case of the property's. A transaction is alone on its connection on both engines. Inside
   * `together` it is that transaction.
   */
  readonly db: PgDatabase<PgQueryResultHKT>;
  /** Rows of one statement; `int8` comes as a number where it is exact, else as a bigint. */
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Row[]>;
  /** Several statements in one text, without rows. */
  exec(sql: string): Promise<void>;
  /** Rows of all statements of one text. One that begins a transaction of its own leaves nothing open when it fails. */
  script<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  /** Migrates the tables to the schema of a folder that drizzle-kit made; safe when several processes start at once. */
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
}

/** A transaction of `db`. */
export type Transaction = Parameters<Parameters<Postgres['db']['transaction']>[0]>[0];

export const int8 = (text: string): number | bigint => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
};
