import type { Transaction } from '@albedo/postgres/postgres';
import type { SQL } from 'drizzle-orm';

/** The rows of a statement that is written out. */
export async function rowsOf<Row>(db: Pick<Transaction, 'execute'>, statement: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(statement)) as unknown as { rows: Row[] };
  return rows;
}
