import type { ColumnType } from '@albedo/plugin-kit/records/record';
import pg from 'pg';
import { type Database, type SqlTarget, sslOf } from './database.ts';

const { BOOL, INT2, INT4, INT8, OID, FLOAT4, FLOAT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } =
  pg.types.builtins;
const TYPES = new Map<number, ColumnType>([
  [BOOL, 'bool'],
  ...[INT2, INT4, INT8, OID].map((one) => [one, 'integer'] as const),
  ...[FLOAT4, FLOAT8, NUMERIC].map((one) => [one, 'decimal'] as const),
  ...[DATE, TIMESTAMP, TIMESTAMPTZ].map((one) => [one, 'date'] as const),
]);
const PARSED = new Set<number>([BOOL, DATE, TIMESTAMP, TIMESTAMPTZ]);

/** Each query runs in a transaction that the server itself keeps from writing. */
export async function openPostgres(target: SqlTarget): Promise<Database> {
  const { host, port, database, user, password, timeoutMs } = target;
  const ssl = sslOf(target);
  const client = new pg.Client({
    host,
    port,
    database,
    user,
    password,
    ...(ssl ? { ssl } : {}),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'albedo',
    // Numbers stay the digits that the server sends.
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        PARSED.has(oid) ? pg.types.getTypeParser(oid, format) : String) as typeof pg.types.getTypeParser,
    },
  });
  client.on('error', () => {});
  await client.connect();
  return {
    parameter: '$1',
    name: (text) => `"${text.replaceAll('"', '""')}"`,
    asText: (expression) => `(${expression})::text`,
    limited: (select, most) => `SELECT ${select} LIMIT ${most}`,
    async select(sql, parameters) {
      await client.query('BEGIN READ ONLY');
      try {
        const { fields, rows } = await client.query({ text: sql, values: parameters, rowMode: 'array' });
        const columns = fields.map(({ name, dataTypeID }) => ({
          name,
          type: TYPES.get(dataTypeID) ?? ('keyword' as const),
        }));
        return { columns, rows };
      } finally {
        await client.query('ROLLBACK');
      }
    },
    close: () => client.end(),
  };
}
